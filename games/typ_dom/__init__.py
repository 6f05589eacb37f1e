"""Typ-Dom: the Kreuzwort-Spiel for two to five, on an open board, with racks of five red and eight black tiles."""

from games.api import Rules
from games.typ_dom.engine import TypDom
from games.typ_dom.settlement import final_sections, payments, winners
from games.typ_dom.texts import WORDING
from games.typ_dom.variant import Variant

ENGINE = TypDom(
    Variant(
        rules=Rules(
            key="typ-dom",
            title="Typ-Dom",
            aliases=("Kreuzwort-Spiel",),
            seats=(2, 5),
            version=1,
            unit="turn",
            span="4d",
            profile="typdom",
            options={"words": "typdom", "stake": 1},
        ),
        wording=WORDING,
        rack=lambda _options, _seats: (5, 8),
        most_bought=1,
        may_pass=False,
        second_word_is_duty=True,
        finishes_round=False,
        words_score=False,
        winners=winners,
        settle=payments,
        final=final_sections,
        how_to=("HOW_WORD", "HOW_SECOND_DUTY", "HOW_JOKER", "HOW_BUY_ONE"),
    )
)
