"""Point-Typ-Dom: Typ-Dom with a value for every letter; the most points win, not the first to be out."""

from games.api import Rules
from games.catalogue import wording_of
from games.point_typ_dom.rules import RACKS, final_sections, rack, sums, winners
from games.shared.example import example
from games.shared.profiles import NOUNS, TYPDOM
from games.typ_dom import ENGINE as TYP_DOM
from games.typ_dom import TypDom
from games.typ_dom.rules import Variant

ENGINE = TypDom(
    Variant(
        rules=Rules(
            key="point-typ-dom",
            title="Point-Typ-Dom",
            seats=(2, 5),
            version=2,
            compatible=(1,),
            unit="turn",
            span="4d",
            profile=TYPDOM.name,
            profiles=(TYPDOM, NOUNS),
            options={"words": TYPDOM.name, "rack": RACKS[0]},
            example=example(
                ("Z26 w MEXICO", "AB24 s TEXAS", "AB28 w SA*RAJEVO"), ("AE25 s PoLa", "AE25 w pHON"), worth=True
            ),
        ),
        wording={**TYP_DOM.wording, **wording_of("games.point_typ_dom")},
        rack=rack,
        most_bought=3,
        may_pass=True,
        second_word_is_duty=False,
        finishes_round=True,
        words_score=True,
        winners=winners,
        settle=sums,
        final=final_sections,
        how_to=("HOW_WORD", "HOW_SCORE", "HOW_SECOND_RIGHT", "HOW_JOKER", "HOW_BUY_THREE"),
        in_short=("SHORT_BUY_THREE",),
    )
)
