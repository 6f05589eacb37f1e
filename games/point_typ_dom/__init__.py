"""Point-Typ-Dom: Typ-Dom with a value for every letter; the most points win, not the first to be out."""

from games.catalogue import wording_of
from games.point_typ_dom.rules import RACKS, final_sections, result
from games.shared.profiles import TO_CHOOSE
from games.shared.racks import example
from games.typ_dom import ENGINE as TYP_DOM
from games.typ_dom import TypDom, rules_of
from games.typ_dom.rules import Variant

ENGINE = TypDom(
    rules=rules_of(
        "point-typ-dom",
        "Point-Typ-Dom",
        {"words": TO_CHOOSE, "rack": RACKS},
        example(("Z26 w MEXICO", "AB24 s TEXAS", "AB28 w SA*RAJEVO"), ("AE25 s PoLa", "AE25 w pHON"), worth=True),
    ),
    wording={**TYP_DOM.wording, **wording_of("games.point_typ_dom")},
    variant=Variant(
        most_bought=3,
        may_pass=True,
        second_word_is_duty=False,
        finishes_round=True,
        words_score=True,
        result=result,
        final=final_sections,
    ),
)
