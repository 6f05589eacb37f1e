"""What a mail without a plain wish may be about, by single words of a closed table.

Nothing is done by it. The words go to the GM as any others, and the answer offers the line that would do it.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from parsers.commands.calendar_words import plain_words
from parsers.commands.prose.clauses import clauses_of, may_be_move, own_text
from parsers.commands.prose.wishes import Wish
from parsers.commands.titles import Titles

DELETED: Final = r"loesch\w*|tilg\w*|entfern\w*|vergess\w*|vergiss|streich\w*|eras\w*|delet\w*|remov\w*|forget"
OWN: Final = r"daten|unterlagen|kartei|konto|data|account|information"
MOVED: Final = r"(?:spiel)?zug|zuege|abgabe|move"
UNDONE: Final = r"zurueck\w*|widerruf\w*|ungueltig|streich\w*|ignor\w*|annullier\w*|storn\w*|withdraw|cancel|take back"
GAMES: Final = r"(?:spiel|partie)(?:e?n)?|games?"

WORDS: Final[Mapping[str, str]] = {
    "rules": r"(?:spiel)?regel(?:n|werk\w*|heft\w*|text\w*)?|(?:spiel)?anleitung\w*|rules",
    "position": r"spielfeld|spielbrett|spielplan|spielst\w+|punktest\w+|zwischenst\w+|stand|stellung|diagramm|tabelle"
    r"|gitter|raster|kreuzwortraetsel|position|standings?|scores?|board|diagram|how (?:\w+ )?(?:matters|things) stand"
    r"|wie steht\b.*|wie (?:sieht|schaut)\b.* aus",
    "history": r"bulletins?|auswertung(?:en)?|protokolle?|rundenberichte?",
    "games": rf"(?:welche|andere|freie|neue|laufende|offene|aktuelle|new|open|running)[nrs]? (?:{GAMES})"
    rf"|(?:{GAMES})\b.* (?:anbiet\w*|angebot\w*|im angebot|such\w*|on offer)|spielangebot|was laeuft\b.*",
    "my_games": rf"mein(?:e|en|er)? (?:\w+ )?(?:{GAMES})|my (?:\w+ )?games"
    rf"|(?:in|an|bei) (?:welchen|wie ?vielen) (?:{GAMES})|games (?:that )?i\b.*|which games am i\b.*",
    "my_data": r"gespeichert\w*|hinterlegt\w*|dsgvo|gdpr|(?:daten|selbst)auskunft|personal data"
    r"|you (?:hold|store|keep|have) (?:on|about) me",
    "forget": rf"(?:{OWN})\b.* (?:{DELETED})|(?:{DELETED}|loeschung)\b.* (?:{OWN})|datenloeschung|(?:{DELETED}) mich"
    r"|forget (?:about )?me",
    "help": r"hilfe|befehl\w*|kommando\w*|help|commands?|was muss ich (?:\w+ )?(?:schreiben|tun)",
    "join": r"anmeld\w*|angemeldet|mitspiel\w*|mitzuspielen|mitmach\w*|mitzumachen|teilnehm\w*|teilzunehmen|einsteig\w*"
    r"|einzusteigen|melde\b.* an|plaetze|platz|sign (?:me )?up|join|take part|seat|room",
    "resign": r"abmeld\w*|melde\b.* ab|aussteig\w*|auszusteigen|steige\b.* aus|ausscheid\w*|aufhoer\w*|hoere?\b.* auf"
    r"|kuendig\w*|aufgeb\w*|gebe?\b.* auf|resign|quit|drop out|bow out",
    "withdraw": rf"(?:{MOVED})\b.* (?:{UNDONE})|(?:{UNDONE})\b.* (?:{MOVED})",
    "extension": r"verlaenger\w*|fristverlaenger\w*|aufschub\w*|verschieb\w*|verschoben|mehr zeit|nicht rechtzeitig"
    r"|noch (?:\w+ ){0,2}(?:zeit|tage)|extension|more time|more days",
    "vacation": r"urlaub\w*|\w*reise|verreis\w*|abwesen\w*|unterwegs|reha|kur|krankenhaus|klinik|wohnmobil|ferien|weg"
    r"|holidays?|vacation|abroad|away|offline|nicht (?:antworten|erreichbar|da)",
    "standby": r"ersatz\w*|springer\w*|nachrueck\w*|reservespiel\w*|reserveliste|einspring\w*|einzuspringen|standby"
    r"|substitutes?|stand in",
    "watch": r"zuschau\w*|zuzuschauen|zugucken|zuzugucken|zusehen|mitlesen|mitzulesen|beobacht\w*|kiebitz\w*|watch"
    r"|onlooker|spectat\w*",
    "digest": r"digest|newsletter|wochenuebersicht\w*|wochenmail\w*|(?:woechentlich\w*|wochen) ?(?:ueber\w*|mail\w*)"
    r"|ueberblick",
    "archive_name": r"archivs?\b.* (?:name\w*|initial\w*|pseudonym|deckname\w*|abkuerz\w*|kuerzen)"
    r"|(?:name|namen|names?|pseudonym)\b.* (?:archivs?|archive)|archive\b.* (?:name|initials|pseudonym)"
    r"|archivs?\b.* gefuehrt|archiv\b.* initialen",
    "english": r"auf englisch|englischer? (?:sprache|briefe|mails)|in english",
    "german": r"auf deutsch|deutscher? (?:sprache|briefe|mails)|in german",
    "address": r"(?:e-?mail-?|mail-?)?adress\w*|address|post|kuenftig an|from now on",
}  # fmt: skip
"""Kind of wish -> words that are about it, small and without umlauts; between word ends."""

PATTERNS: Final = {kind: re.compile(rf"\b(?:{words})(?!\w)") for kind, words in WORDS.items()}
COVERS: Final[Mapping[str, frozenset[str]]] = {
    "forget": frozenset(["my_data", "address", "withdraw", "archive_name"]),
    "resign": frozenset(["join"]), "withdraw": frozenset(["position"]), "my_games": frozenset(["games", "vacation"]),
    "standby": frozenset(["join"]), "watch": frozenset(["join", "history", "digest"]),
    "rules": frozenset(["help"]), "extension": frozenset(["withdraw"]), "history": frozenset(["position"]),
    "digest": frozenset(["history"]), "archive_name": frozenset(["address"]), "english": frozenset(["address"]),
    "german": frozenset(["address"]), "my_data": frozenset(["address"]), "vacation": frozenset(["address"]),
    "join": frozenset(["games"]), "help": frozenset(["position"]),
}  # fmt: skip
"""Topics whose words another one says by the way."""

THANKS: Final = re.compile(r"\b(?:dank|danke|thanks|thank you) (?:\w+ )?(?:fuer|for)\b")
"""Who thanks for a thing has it."""
DENIED: Final = re.compile(r"\b(?:nicht(?! rechtzeitig)|kein\w*|nie|not|never|no longer|doesn't|don't|didn't)\b")
MAY_BE_DENIED: Final = frozenset(["vacation", "resign", "archive_name", "digest", "help", "rules", "position"])
"""What people ask for by saying what they can't, or don't have."""


def topic_of(lines: Sequence[str], titles: Titles, names: Sequence[str]) -> Wish | None:
    """Find the one topic of a mail, with what it names of `names`, titles, days and addresses; None of several.

    `lines` are the sender's own, clean.
    """
    text = own_text(lines)
    if not text or may_be_move(text):
        return None
    plain, clauses = plain_words(text), list(clauses_of(text, titles))
    days = [clause.days for clause in clauses if clause.days and clause.days.last]
    mails = [clause.mail for clause in clauses if clause.mail]
    kinds = {kind for kind, pattern in PATTERNS.items() if pattern.search(plain)}
    has_what_it_needs = {"vacation": len(days) == 1, "address": len(mails) == 1}
    kinds = {kind for kind in kinds if has_what_it_needs.get(kind, True)}
    kinds -= frozenset[str]().union(*(COVERS.get(kind, frozenset()) for kind in kinds))
    games = [name for name in names if re.search(rf"\b{re.escape(plain_words(name))}\b", plain)]
    title_keys = {clause.title_key for clause in clauses if clause.title_key}
    if len(kinds) != 1 or len(games) > 1 or len(title_keys) > 1:
        return None
    kind = kinds.pop()
    if THANKS.search(plain) or (kind not in MAY_BE_DENIED and DENIED.search(plain)):
        return None
    return Wish(
        kind=kind, language=None, text=text, title_key="".join(title_keys), game="".join(games),
        days=days[0] if kind == "vacation" else None, mail=mails[0] if kind == "address" else "",
    )  # fmt: skip
