"""What people put around a wish: how they open it, politeness, smileys, with whom and why. It is taken off.

Each pattern is closed, and matches words of one sentence only. Umlauts may be written with E.
"""

import re
from typing import Final

from parsers.lines.calendar_words import NUMBER
from parsers.lines.titles import NAME


def _pattern(text: str) -> re.Pattern[str]:
    """Compile; `ü` stands for `ue` as well."""
    for umlaut, spelled in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")):
        text = text.replace(umlaut, f"(?:{umlaut}|{spelled})")
    return re.compile(text, re.IGNORECASE)


SMILEY = re.compile(
    r"(?<!\w)(?:[:;]['-]?[)(DPpOo/|*3]+|[xX]D+|<3|\^\^|\*\w+\*)(?!\w)"
    "|[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]+"
)
ADDRESSED = re.compile(rf"^({NAME}):\s(?=\S)", re.MULTILINE)
"""`Eriwan: ich möchte mitmachen` is one clause."""
NOW_AND_THEN = _pattern(r"\b(?:ab und (?:zu|an)|hin und wieder|now and then|on and off)\b")
"""No two clauses: `Ich melde mich ab und zu`."""
QUOTED_WORD = re.compile(r"[»„“\"'«]([\w-]{2,30})[«“”\"'»]")
COUNTED = re.compile(
    rf"\b(?P<number>{NUMBER}) (?P<more>more|extra|weitere|mehr) (?P<unit>tage?|days?|wochen?|weeks?)\b", re.IGNORECASE
)

_SOME = (
    r"(?:(?:mir|uns|mich|mal|bitte|kurz|noch|nochmal|doch|eben|nur|gern|gerne|schnell|einmal|auch|echt|nun"
    r"|jetzt|please|me"
    r"|just|hiermit|schon) ){0,4}"
)
_Q = r"(?=(?:ob|wie|wann|wo|was|wer|welche\w*|bis wann|in welche\w*|if|whether|how|when|where|what|which|who)\b)"
_YOU = r"(?:(?:kannst|könntest|könnt|könntet|können|könnten|würdest) (?:du|ihr|sie)|(?:can|could|would) you)"
ASKED = _pattern(
    rf"\b(?:ich )?(?:wollte?|will|möchte?|würde?|wüsste?) (?:ich )?{_SOME}(?:fragen|wissen|anfragen|nachfragen"
    rf"|erkundigen|gerne?),? {_Q}"
    rf"|\b{_YOU} {_SOME}(?:sagen|verraten|mitteilen|erklären|zeigen|tell me|explain),? {_Q}|\bsag(?:t"
    rf"|e)? (?:mal |mir |bitte |kurz |doch ){{1,3}},? ?{_Q}"
    rf"|\b(?:weißt du|wisst ihr|mich würde interessieren|ich frage mich|do you know|i wonder"
    rf"|i was wondering) {_SOME}?,? ?{_Q}"
    rf"|\b(?:i )?(?:just )?(?:wanted|would like|want|'d like|'d love) to (?:ask|know),? {_Q}"
)
"""What opens a question."""
CONFIRMED = _pattern(r"\b(?:bitte )?bestätig(?:e|t)?(?: mir)?(?: bitte)?(?: kurz)?,? (?:dass|ob) ")
DECIDED = _pattern(
    r"\bich habe? (?:mich |nun |jetzt |leider )*(?:beschlossen|entschieden|entschlossen)(?: dass ich|, dass ich|,)?"
    r"|\bi(?:'ve| have)? decided (?:to|that i)\b"
)
TOLD = _pattern(
    rf"\b(?:ich )?(?:wollte?|möchte?|muss) {_SOME}(?:sagen|mitteilen|melden|ankündigen|bescheid sagen"
    rf"|bescheid geben),? dass "
    r"|\b(?:ich )?bitte um kenntnisnahme,? dass |\b(?:hiermit )?teile ich (?:dir |euch "
    r"|ihnen )?(?:hiermit )?mit,? dass "
    r"|\b(?:i )?(?:just )?(?:wanted|want) to (?:let you know|tell you|say)(?: that)? "
    r"|\bjust letting you know(?: that)? "
    r"|,?\s*\b(?:nur )?(?:dass|damit|das) (?:du|ihr)(?:'?s| es| das)? (?:schon mal )?(?:bescheid )?(?:weißt|wisst)\b"
    r"|,?\s*\b(?:just )?so (?:that )?you know\b|\bfyi\b:?|\bheads up\b[:,]?"
)
"""What opens a piece of news."""
HOPED = _pattern(
    r"\b(?:es )?wäre (?:echt |wirklich |sehr |richtig |total |mega )?(?:toll|super|schön|nett|klasse|cool|lieb"
    r"|prima|gut|großartig),? wenn "
    r"|\b(?:ich )?fände (?:es )?(?:echt |sehr )?(?:toll|super|schön|klasse|cool|gut),? (?:wenn )?"
    r"|\b(?:ich )?würde mich (?:sehr |riesig )?freuen,? wenn "
)
"""What opens a hope; the rest says which."""
REQUESTED = _pattern(
    r"\b(?:seid|sei) (?:doch |bitte )*so (?:nett|lieb|gut|freundlich) und "
    r"|\bso (?:nett|lieb|gut|freundlich) (?:sein|wäre?n?) und |\b(?:it would|it'd) be (?:\w+ )?(?:great|nice"
    r"|cool|lovely|awesome) (?=if )"
    r"|\bi would appreciate it (?=if )|\bwould you mind |\bdo you mind if (?=i\b)"
)
"""What opens a request; the rest says it."""
POSSIBLE = _pattern(
    r"\b(?:wäre|ist|besteht|gibt|gäbe) (?:es |das |vielleicht |die |eine |irgendwie |noch "
    r"|auch ){0,4}(?:möglich(?:keit)?)"
    r"(?:, dass\b|,)?(?= \w)"
    r"|\b(?:ist|wäre|ginge|geht) (?:es |das ){0,2}(?:auch |noch )?(?:ok|okay|in ordnung|recht|machbar"
    r"|drin),? wenn(?= ich)"
)
"""What stands for `kann ich`."""
POSSIBLE_EN = _pattern(
    r"\bis it (?:ok|okay|fine|all ?right) if (?=i )|\b(?:is|would) (?:it|there) (?:be )?(?:still )?(?:possible"
    r"|any chance|a chance)"
    r"(?: for me to| that| to| of)?(?= \w)|\bany chance (?:that )?(?=i )"
)
"""What stands for `can I`."""
IF_POSSIBLE = _pattern(
    r",?\s*\b(?:wenn|falls|sofern) (?:es |das |dies |'s )?(?:dir |euch |ihnen )?(?:irgendwie |noch |zeitlich |so )?"
    r"(?:geht|ginge|möglich(?: ist| wäre)?|recht (?:ist|wäre)|passt|nichts ausmacht|in ordnung (?:ist|geht)"
    r"|ok(?:ay)? (?:ist|wäre)"
    r"|keine umstände macht)(?=\s*(?:[.,!?)]|$))|\b(?:wenn|falls)(?:s| es| das)? (?:noch |irgendwie )?(?:geht"
    r"|ginge|möglich ist),?"
    r"|,?\s*\bif (?:that'?s |that is |it'?s |it is )?(?:possible|ok|okay|all ?right|fine"
    r"|you don'?t mind)(?: with you)?(?=\s*(?:[.,!?)]|$))"
)
"""Politeness in the form of a condition."""
CIRCUMSTANCES = _pattern(
    r"\b(?:(?:aus|wegen) (?:\w+ )?(?:zeit)?(?:gründen|mangel|krankheit|überlastung)|schweren herzens"
    r"|(?:wegen|aufgrund|due to|because of) (?:meine[rs]? |der |des |dem |einer |eines |my |the |an? )?\w+"
    r"|mit (?:großem )?bedauern|ab (?:so)?fort|mit sofortiger wirkung|zu meinem bedauern|with regret"
    r"|for (?:\w+ )?reasons)\b"
    r"|(?<=dsgvo )art(?:ikel)?\.? ?15\b|\b(?:gemäß|nach|laut|under)? ?art(?:ikel"
    r"|icle)?\.? ?15,?(?= (?:der )?(?:dsgvo|gdpr))"
)
"""Why or how somebody wishes it."""
COMPANY: Final = _pattern(
    r"\b(?:mit|with|zusammen mit) (?:(?:meine[rnm]?|unsere[rnm]?|der|dem|den|my|our|the) )?(?:ganzen |lieben )?"
    r"(?:familie|frau|mann|kind(?:ern)?|kids|freund(?:in|en)?|eltern|tochter|sohn|enkeln?|klasse|schule|verein|jungs"
    r"|mädels|family|fam|wife|husband|children|friends?|parents|class|school)\b"
)
"""With whom somebody is away."""
_TO = r"(?=\s(?:um|ohne)\s(?:[\w-]+\s){0,4}\w*zu)"
NO_END = _pattern(
    rf"\b(lust|interesse|bock|freuen|fragen|wissen),\s|,{_TO}|\b((?:wenn|falls"
    rf"|sobald)\s[^,.!?\n]{{1,60}}),(?=\s(?:dann )?"
    r"(?:könnt|meldet|melde dich|fragt|frag|denkt an|denk an|sagt|schreibt|ruft)\b)"
)
"""A comma there ends no clause: `Ich hätte Lust, mitzuspielen`."""


def _decided(found: re.Match[str]) -> str:
    return " ich will " if found[0].lower().startswith("ich") else " i want to "


def without_padding(text: str) -> str:
    """Take off what only stands around a wish; smileys end a clause, `ist es möglich` becomes `kann`."""
    for pattern, instead in (
        (SMILEY, "."), (IF_POSSIBLE, " "), (TOLD, " "), (ASKED, " "), (CONFIRMED, " ob "),
        (DECIDED, _decided), (HOPED, " ob "), (REQUESTED, " "), (POSSIBLE, " kann "), (POSSIBLE_EN, " can "),
        (ADDRESSED, r"in \1 "), (CIRCUMSTANCES, " "), (NOW_AND_THEN, " zuweilen "),
        (COUNTED, r"\g<number> \g<unit> \g<more>"), (QUOTED_WORD, r" \1 "),
    ):  # fmt: skip
        text = pattern.sub(instead, text)
    return NO_END.sub(lambda found: f"{found[1] or found[2] or ''} ", text)
