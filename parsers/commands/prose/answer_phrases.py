"""The phrases of a yes, a no and what stands beside them; all in small letters, AE for Ä, for `answers`."""

import re
from typing import Final

from games.api import Language

VETO: Final = re.compile(
    r"\b(?:aber|jedoch|allerdings|nur|bloss|hoechstens|wenn|falls|sofern|soweit|solange|ausser|sobald|erst|zuerst"
    r"|bevor|vorher|nachdem|oder|vielleicht|evtl|eventuell|moeglicherweise|womoeglich|eigentlich|unsicher|unklar|jein"
    r"|nicht|nie|niemals|kein\w*|ohne|statt|stattdessen|sondern|lieber|eher|doch|trotzdem|spaeter|noch|warte\w*|moment"
    r"|ueberleg\w*|abwarten|mal sehen|kommt drauf|abhaengig|vorausgesetzt|bedingung\w*|ab|fruehestens|koennte|wuerde"
    r"|muesste|sollte|frage|zweifel|zurueck\w*|aender\w*|andere[nrs]?|anders|falsch|halt|stopp?|storno|hoer\w* auf"
    r"|januar|februar|maerz|april|mai|juni|juli|august|september|oktober|november|dezember"
    r"|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|naechste\w*|morgen|uebermorgen"
    r"|but|however|only|if|unless|until|till|provided|depends?|maybe|perhaps|possibly|not|\w+n't|never|except|instead"
    r"|rather|or|wait|before|after|once|later|first|might|would|could|should|without|when|as long|doubt|change|wrong"
    r"|stop|although|though|otherwise|sonst|obwohl|es sei denn|bis|vorerst|zunaechst|vorbehalt\w*|unverbindlich"
    r"|probeweise|mal schauen|glaub\w*|wahrscheinlich|vermutlich|theoretisch|prinzip\w*|grundsaetzlich|teilweise|fast"
    r"|probably|hopefully|guess|depending|assuming|soon)\b"
)
"""Words that may take a yes back or tie it to something: with one of them a sentence is no yes."""
CONDITION: Final = re.compile(
    r"\b(?:wenn|falls|sofern|solange|ausser|es sei denn|hoechstens|nur|vielleicht|evtl|eventuell|oder|doch|sondern"
    r"|jein|weiss|unsicher|mal sehen|kommt drauf|vorausgesetzt|bedingung\w*"
    r"|if|unless|except|maybe|perhaps|possibly|or|only|depends?|unsure|until|as long)\b"
)
"""Words that tie a no to something."""
ASKS_WHEN: Final = re.compile(
    r"(?:und |and )?(?:wann|wo|wer|wie lange|when|where|who|how long)\b(?!.*\b(?:ja|nein|yes)\b)"
)
"""Begins a question that leaves an answer as it is."""

_REST: Final = rf"(?:\s(?!{VETO.pattern})[\w'-]+){{0,12}}"
"""More words of a courtesy."""
_GLADLY: Final = (
    r"(?:gern|gerne|auch|wieder|natuerlich|sehr|jetzt|dann|mal|da|hier|das|es|mir|klar|bestimmt|sofort|gleich)"
)
_SADLY: Final = (
    r"(?:leider|lieber|diesmal|dieses mal|momentan|im moment|zurzeit|zur zeit|derzeit|gerade|grad|grade|echt|wirklich"
    r"|einfach|gar|da|auch|das|mir|bei mir|doch|heute|dafuer|ich|aktuell|jetzt|so|viel)"
)
_PLAY: Final = (
    r"(?:mitspielen|mitmachen|dabei sein|einspringen|zuschauen|zusehen|den platz(?: \w+)? (?:nehmen|uebernehmen)"
    r"|uebernehmen|teilnehmen|spielen|machen)"
)
_MAIL: Final = r"(?:(?:die|der|das|diese|dieser)(?: mail| nachricht| zug| anmeldung| wunsch)? |mail |zug )"
_HERE: Final = (
    r"(?: (?:in|bei|fuer|mit|auf|an) (?:(?:der|die|das|den|dem|einer|euch) )?(?:partie |runde )?[a-z-]{3,30})?"
)
"""`bei Eriwan`, where the question was about it."""
_DEAR: Final = (
    r"(?:hallo|hallihallo|hi|hey|hello|moin(?: moin)?|servus|guten (?:tag|morgen|abend)|gruess (?:gott|dich|euch)"
)
_DEAR_END: Final = r"|liebe[rs]?|dear|huhu|tach|na)"

_YES_DE: Final = (
    r"ja+(?: doch| bitte)?", r"jawohl", r"jawoll", r"jo", r"joo", r"ju[p]+", r"jep+", r"jap+", r"jupp",
    r"(?:na |aber )?klar(?: doch)?", r"klaro", r"logo", r"logisch", r"(?:aber |ja )?natuerlich", r"na logo",
    r"(?:aber )?selbstverstaendlich", r"(?:na |aber |ganz )?sicher(?: doch)?", r"(?:na |aber )?gewiss",
    r"(?:sehr |aber |liebend |wirklich |auch |total |ja |nur )?gerne?(?: doch)?", r"herzlich gerne?",
    r"mit (?:vergnuegen|freuden?|vielem vergnuegen)", r"alles klar", r"geht klar", r"wird gemacht", r"abgemacht",
    r"gebongt", r"geritzt", r"meinetwegen", r"von mir aus", r"unbedingt", r"auf jeden fall", r"auf alle faelle",
    r"definitiv", r"absolut", r"einverstanden", r"(?:ich bin |bin )(?:damit |ganz |voll )*einverstanden",
    r"(?:das |es |alles |so )*(?:geht|ist) (?:fuer mich |von mir aus |so |alles )*(?:klar|in ordnung|ok|okay|gut so|richtig"
    r"|recht|korrekt)(?: so)?",
    r"in ordnung", r"(?:das |so |es |alles )*(?:passt|stimmt)(?: so| genau| mir| gut| alles| fuer mich| das| es)*",
    r"so ist(?:'s| es)(?: richtig| gut| recht| korrekt)?", r"genau(?: so| das| richtig)*", r"(?:das ist |so )?richtig(?: so)?",
    r"(?:das ist )?korrekt(?: so)?", r"so (?:war|ist|hab(?: ich|e ich)?)(?:'s| es| das)?(?: auch)? (?:gemeint|gedacht|gewollt)",
    r"so mein(?:t)?e ich(?: es|'s| das)?(?: auch)?", r"so (?:soll|kann|darf) (?:es|das|er)(?: auch)? (?:sein|bleiben|gelten)",
    r"(?:bitte )?so (?:nehmen|werten|eintragen)(?: bitte)?", rf"(?:{_GLADLY} )*dabei",
    r"(?:bitte )?(?:nimm|nehmt|nehmen sie|werte|trag)(?: das| ihn| es| den(?: zug)?| bitte| genau| so| ein)*",
    rf"(?:da )?(?:bin ich|ich bin|bin|waere ich|ich waere)(?: {_GLADLY})*(?: mit)? dabei(?: sein)?{_HERE}",
    rf"(?:ich )?mach(?:e|'|en)?(?: ich| wir)?(?: {_GLADLY})*(?: mit)?{_HERE}",
    rf"mach(?:e|en)? (?:ich|wir)(?: {_GLADLY})*(?: mit)?{_HERE}",
    rf"(?:ich )?spiele?(?: ich)?(?: {_GLADLY})*{_HERE}(?: {_GLADLY})* mit",
    rf"(?:ich )?springe?(?: ich)?(?: {_GLADLY})*{_HERE}(?: {_GLADLY})* ein",
    rf"(?:ich )?(?:uebernehme?|nehme?)(?: ich)?(?: {_GLADLY}| den platz| ihn)+{_HERE}", r"uebernehme? ich",
    rf"ich (?:moechte|will|wuerde|mag|kann|komme)(?: {_GLADLY})*{_HERE}(?: {_GLADLY})*(?: {_PLAY})", r"ich will",
    r"(?:das |die mail |der zug )?(?:war|bin) ich(?: selbst| selber| wirklich| tatsaechlich)?",
    rf"{_MAIL}?(?:ist|war|kam|kommt|stammt)(?: wirklich| tatsaechlich| auch)? von mir", r"von mir",
    r"(?:ich |wir )?sag(?:e|en)?(?: ich)?(?: gerne?)? zu", r"zusage", r"zugesagt", r"(?:ich )?stimme?(?: ich)?(?: dem)? zu",
    r"(?:hiermit )?(?:ich )?bestaetige?(?: ich)?(?: hiermit| das| es| den zug| die mail| meine anmeldung| gerne?)*",
    r"bestaetigt", r"okidoki", r"top",
)  # fmt: skip
_YES_BOTH: Final = (r"ok", r"okay", r"okey", r"oki", r"okee?", r"o\.k")
_YES_EN: Final = (
    r"yes(?: please| indeed| of course| sure)?", r"yeah", r"yea", r"yep", r"yup", r"sure(?: thing)?", r"of course", r"fine(?: with me| by me)?",
    r"sounds (?:good|great|fine)", r"that(?:'s| is) (?:fine|right|correct|me|mine|ok|okay|it|good)(?: with me| by me)?",
    r"correct", r"right", r"exactly(?: right)?", r"agreed", r"absolutely", r"definitely", r"certainly", r"gladly",
    r"with pleasure", r"(?:i am |i'm |i'd be |i would be )?(?:very )?(?:happy|glad) to(?: play| join| take over| step in| help| do (?:it|so|that)| take (?:it|the seat))?",
    r"(?:i am|i'm|im|count me) in", r"i(?:'ll| will| can)(?: gladly| happily)? (?:do (?:it|so|that)|take (?:it|over|the seat)|play|join(?: in)?|step in|watch)(?: gladly)?",
    r"(?:i(?:'d| would) )?(?:really )?(?:love|like) to(?: play| join(?: in)?| watch| take over| take the seat| step in| do (?:it|so|that))?",
    r"please do", r"go ahead", r"(?:it|that) was me", r"it(?:'s| is) (?:mine|me|from me|correct|right|fine)", r"i (?:confirm|agree|accept)(?: it| that)?",
    r"confirmed", r"accepted", r"take it", r"by all means",
)  # fmt: skip
_NO_DE: Final = (
    r"nein+(?: danke)?", r"noe+", r"nee+", r"ne", r"nicht (?:mehr )?(?:noetig|fuer mich|mit mir|von mir|meiner|meine|meins|dabei|jetzt|heute)",
    r"(?:lieber|eher|besser) nicht", rf"(?:{_SADLY} )*(?:leider|diesmal|dieses mal)(?: {_SADLY})* (?:nein|nicht|nee|keine zeit)",
    r"(?:leider )(?:nein|nicht|nee)", r"bitte nicht", r"(?:lieber |leider )?doch nicht", r"danke nein",
    rf"(?:ich )?(?:{_SADLY} )*passe?(?: ich)?(?: {_SADLY})*", rf"(?:da |diesmal )?(?:muss ich|ich muss|muss)(?: {_SADLY})* (?:passen|absagen|ablehnen|verzichten)",
    rf"(?:ich )?(?:{_SADLY} )*(?:hab|habe|haette)?(?: ich)?(?: {_SADLY})*\s?keinen? (?:zeit|lust|interesse|bedarf|kapazitaet(?:en)?|platz|nerven)(?: (?:mehr|dafuer|dazu|zum spielen))*",
    r"kein interesse(?: mehr)?", r"keine (?:zeit|lust)(?: mehr)?", r"auf (?:gar )?keinen fall", r"keinesfalls", r"niemals", r"nie im leben",
    r"(?:das |die mail |der zug )?(?:war|bin) ich(?: aber| leider| gar| ganz sicher| bestimmt)* nicht(?: gewesen)?",
    rf"{_MAIL}?(?:ist|war|kam|kommt|stammt)(?: aber| gar| ganz sicher)* nicht von mir",
    rf"(?:leider )?passt (?:es|das)(?: {_SADLY})* nicht", r"(?:das |so |es )*(?:stimmt|passt)(?: so| leider| mir| aber| gar| das| es)* nicht(?: so)?", r"(?:das ist )?falsch", r"so nicht",
    rf"(?:das |es |bei mir )*geht(?: {_SADLY})* nicht", rf"(?:das )?(?:ich )?kann(?: ich)?(?: {_SADLY})* nicht(?: {_PLAY})?",
    rf"(?:das )?(?:ich )?schaffe?(?: ich)?(?: {_SADLY})* nicht",
    rf"(?:das )?(?:ich )?(?:moechte|will|mag)(?: ich)?(?: {_SADLY})* nicht(?: {_PLAY})?",
    r"(?:ich )?(?:moechte|muss|will)(?: {0})* (?:absagen|ablehnen|verzichten)".replace("{0}", _SADLY),
    r"(?:ich )?sage?(?: ich)?(?: leider| diesmal)* ab", r"(?:ich )?verzichte?(?: ich)?(?: lieber| dankend| diesmal)*", r"absage", r"ohne mich",
    r"(?:ich )?(?:bin|waere)(?: ich)?(?: diesmal| leider)* (?:raus|nicht dabei)", r"(?:ich )?lehne?(?: ich)?(?: das| leider| dankend)* ab",
)  # fmt: skip
_NO_EN: Final = (
    r"no(?: thanks| thank you| sorry)?", r"nope", r"nah", r"not (?:this time|now|right now|me|for me|mine|today|really|interested|at the moment)",
    r"(?:i(?:'d| would) )?rather not", r"i(?:'m| am) (?:out|not interested|afraid not|sorry no)", r"(?:i )?(?:can't|cannot|can not)(?: make it| play| do it| do that| right now| at the moment| this time)*",
    r"count me out", r"(?:i(?:'ll| will|'ll have to| have to)? )?pass(?: this time)?", r"(?:i )?(?:have |got )?no time(?: right now| at the moment| for it)*",
    r"i (?:decline|refuse)", r"declined", r"wrong", r"that(?:'s| is) (?:wrong|not (?:right|mine|me|correct|from me))", r"(?:it |that )?(?:wasn't|was not|isn't|is not) (?:me|mine|from me)",
    r"unfortunately (?:not|no)", r"afraid not", r"(?:i )?(?:don't|do not) (?:want to|have time)(?: play| join)?", r"no way", r"never",
)  # fmt: skip
_LATER: Final = (
    r"(?:aber |vielleicht |gerne? |dann |ja )*(?:ein (?:andermal|anderes mal|andernmal)|beim naechsten(?: mal)?|(?:das |ein )?naechstes? mal|spaeter(?: mal)?"
    r"|naechstes jahr|next time|another time|some other time|later)(?: vielleicht| wieder| gerne?| dann| bin ich| dabei| bestimmt| sicher| ja| then| maybe)*",
)  # fmt: skip
_POLITE: Final = (
    _DEAR + _DEAR_END + r"(?: zusammen| alle| allerseits| ihr lieben| there| all| again)?", _DEAR + _DEAR_END + r" [a-z.'-]+",
    _DEAR + _DEAR_END + r" [a-z.'-]+ [a-z.'-]+", _DEAR + _DEAR_END + r" [a-z.'-]+ (?:und )?[a-z.'-]+ [a-z.'-]+",
    r"sehr geehrter?(?: \w+){1,3}", r"(?:aber |trotzdem |und )?(?:ich |wir )?(?:danke|bedanke mich)(?: dir| euch| ihnen| schoen| sehr| vielmals| nochmals?)*(?: (?:fuer|fuers|der|zurueck|im voraus)" + _REST + r")?",
    r"(?:aber |trotzdem |und )?(?:vielen|herzlichen|besten|schoenen|lieben|tausend)(?: lieben| herzlichen)? dank(?: (?:fuer|im voraus|fuers)" + _REST + r")?",
    r"(?:aber |trotzdem |und )?dank(?:e|end)?", r"merci", r"(?:but |and )?(?:many |thank(?:s|you| you)|thx)(?: thanks)?(?: a lot| very much| so much| anyway)*(?: for" + _REST + r")?",
    r"bitte(?: schoen| sehr)?", r"please", r"sorry", r"entschuldig(?:ung|e|t)(?: bitte)?", r"(?:es )?tut mir (?:sehr |echt |wirklich |ja )*leid", r"schade", r"leider",
    r"unfortunately", r"gern geschehen", r"(?:i(?:'m| am) )?sorry", r"(?:und )?(?:ich |wir |da )?freu(?:e|en)?(?: ich| wir)?(?: mich| uns| schon| sehr| auch| riesig| total)*(?: (?:auf|darauf|drauf|dass|ueber)" + _REST + r")?",
    r"super(?: idee| sache)?", r"prima", r"klasse", r"toll", r"fein", r"schoen", r"cool", r"great", r"perfekt", r"perfect", r"nice", r"wunderbar", r"spitze", r"juhu+", r"hurra",
    r"yay", r"endlich", r"gut", r"na gut", r"nun gut", r"also", r"so", r"nun", r"na", r"na dann", r"dann(?: mal)?", r"(?:dann )?(?:los|auf) geht(?:'s|s| es)", r"und", r"and", r"&", r"well",
    r"viel (?:spass|glueck|erfolg|vergnuegen)" + _REST, r"bis (?:bald|dann|demnaechst|zum naechsten mal)", r"(?:einen? )?schoene[nsr]? (?:tag|woche|abend|sonntag|wochenende|gruesse?|zeit|feiertage)(?: noch)?",
    r"(?:das ist )?kein (?:problem|thema|ding)", r"no problem", r"(?:i(?:'m| am) )?(?:really )?look(?:ing)? forward(?: to" + _REST + r")?", r"ich auch", r"wie (?:immer|gewohnt)", r"wow", r"haha", r"hihi",
    r"das klingt gut", r"klingt gut", r"gute idee", r"wie nett", r"(?:das ist |wie )?lieb von (?:dir|euch)", r"vg", r"lg", r"cheers", r"have fun", r"see you(?: soon)?", r"alles gute",
    r"(?:die )?antwort(?: ist)?", r"(?:my |the )?answer(?: is)?", r"die stellung sieht gut aus",
)  # fmt: skip


def _table() -> tuple[tuple[str, Language | None, re.Pattern[str]], ...]:
    rows: tuple[tuple[str, Language | None, tuple[str, ...]], ...] = (
        ("no", "de", _NO_DE), ("no", "en", _NO_EN), ("later", None, _LATER), ("yes", "de", _YES_DE),
        ("yes", None, _YES_BOTH), ("yes", "en", _YES_EN), ("polite", None, _POLITE),
    )  # fmt: skip
    return tuple(
        (kind, language, re.compile(rf"(?:{phrase})(?:\s+|$)")) for kind, language, listed in rows for phrase in listed
    )


TABLE: Final = _table()
"""Kind, language and begin of what remains of a clause. A phrase ends with a word."""

SIGN_OFF: Final = re.compile(
    r"(?:(?:viele|liebe|beste|schoene|herzliche|freundliche|sonnige|mit \w+(?: \w+)?|best|kind|many|warm)\s+)*"
    r"(?:gru(?:ss|esse)n?|lg|vg|mfg|bg|glg|hg|tschuess|tschoe|ciao|regards|wishes|cheers|bye)(?:\s+[\w'.-]+){0,4}"
)

_ONE: Final = r"[\"'»„“]?\b(?P<letter>{})\b(?![\w'’äöüß])[\"'«“”]?(?:\s+(?:bitte|please|sein|nehmen|haben))?"
_ANY, _LARGE = _ONE.format("[A-Za-z]"), _ONE.format("(?-i:[A-Z])")
LETTERS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bI(?:'d like| would like|'ll take| take| choose| want| wish(?: for)?| pick)\s+(?:(?:the|letter|an?)\s+){0,2}"
        + _LARGE,
        r"(?:\b(?:als\s+)?wunsch(?:buchstaben?)?\s+)?(?:\b(?:und\s+)?ich\s+|\b)"
        r"(?:nehme?|wünsche?|wuensche?|möchte|moechte|will|wähle|waehle|hätte|haette|würde|wuerde)\s+"
        r"(?:(?:ich|mir|gerne?|bitte|das|ein|den|einen|dann|buchstaben?|mal)\s+){0,5}"
        + _LARGE
        + r"(?:\s+(?:wünschen|wuenschen))?",
        r"(?:\b(?:mein|meine|als|zum|erster?|my|the|und|and|mit|with|fuer|für)\s+){0,2}"
        r"\b(?:wunsch(?:buchstaben?)?|buchstaben?|neu|wish(?:\s?letter)?|letter|new)\b\s*"
        r"(?:(?:ist|is|wäre|waere|soll|sein|=|:|-|–)\s*){0,2}"
        r"(?:(?:das|der|ein|the|an?|bitte|gro(?:ß|ss)es)\s+){0,3}" + _ANY,
    )
)
"""How a letter is wished. A verb takes a capital letter only: `ich nehme a` is no wish."""
