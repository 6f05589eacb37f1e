"""The words of a closed table by which a text is about a kind of wish, also where it is none that we understand."""

import re
from collections.abc import Mapping
from typing import Final

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
    rf"|(?:in|an|bei) (?:welchen|wie ?vielen) (?:{GAMES})|games (?:that )?i\b.*|which games am i\b.*"
    rf"|(?:{GAMES})\b.* (?:an|bei|in) denen ich\b.*"
    r"|wo\b.* (?:fehlt|faellig|dran|ziehen)|where\b.* (?:owe|due|turn)",
    "my_data": r"gespeichert\w*|hinterlegt\w*|dsgvo|gdpr|(?:daten|selbst)auskunft|personal data"
    r"|you (?:hold|store|keep|have) (?:on|about) me",
    "forget": rf"(?:{OWN})\b.* (?:{DELETED})|(?:{DELETED}|loeschung)\b.* (?:{OWN})|datenloeschung|(?:{DELETED}) mich"
    r"|forget (?:about )?me",
    "help": r"hilfe|nicht zurecht|(?:anleitung|instructions)\b.* (?:schreib\w*|write)"
    r"|befehl\w*|kommando\w*|help|commands?|was muss ich (?:\w+ )?(?:schreiben|tun)",
    "join": r"anmeld\w*|angemeldet|mitspiel\w*|mitzuspielen|mitmach\w*|mitzumachen|teilnehm\w*|teilzunehmen|einsteig\w*"
    r"|einzusteigen|melde\b.* an|plaetze|platz|sign (?:me )?up|join|take part|seat|room",
    "resign": r"abmeld\w*|melde\b.* ab|aussteig\w*|auszusteigen|steige\b.* aus|ausscheid\w*|aufhoer\w*|hoere?\b.* auf"
    r"|kuendig\w*|aufgeb\w*|gebe?\b.* auf|platz\b.* (?:zurueck|frei|ab)|resign|quit|drop out|bow out",
    "withdraw": rf"(?:{MOVED})\b.* (?:{UNDONE})|(?:{UNDONE})\b.* (?:{MOVED})"
    rf"|(?:{MOVED})\b.* (?:nicht|not) (?:\w+ )?(?:werten|zaehlen|count)|(?:werten?|count) (?:\w+ )?\w+ (?:{MOVED})",
    "extension": r"verlaenger\w*|fristverlaenger\w*|aufschub\w*|verschieb\w*|verschoben|mehr zeit|nicht rechtzeitig"
    r"|noch (?:\w+ ){0,2}(?:zeit|tage)|extension|more time|(?:more|extra) days",
    "vacation": r"urlaub\w*|\w*reise|verreis\w*|abwesen\w*|unterwegs|reha|kur|krankenhaus|klinik|wohnmobil|ferien|weg"
    r"|holidays?|vacation|abroad|away|offline|nicht (?:antworten|erreichbar|da)",
    "standby": r"ersatz\w*|springer\w*|nachrueck\w*|reservespiel\w*|reserveliste|einspring\w*|einzuspringen|standby"
    r"|substitutes?|stand in",
    "watch": r"zuschau\w*|zuzuschauen|zugucken|zuzugucken|zusehen|mitlesen|mitzulesen|beobacht\w*|kiebitz\w*|watch"
    r"|onlooker|spectat\w*",
    "digest": r"digest|newsletter|wochenuebersicht\w*|wochenmail\w*|(?:woechentlich\w*|wochen) ?(?:ueber\w*|mail\w*)"
    r"|ueberblick",
    "archive_name": r"archivs?\b.* (?:name\w*|initial\w*|abkuerz\w*|kuerzen)"
    r"|(?:name|namen|names?)\b.* (?:archivs?|archive)|archive\b.* (?:name|initials)"
    r"|(?:nenn\w*|call) m(?:ich|e)\b.* (?:archivs?|archive)|\w*namen?\b.* archivs?"
    r"|initials?\b.* website"
    r"|(?:website|webseite|internetseite|homepage)\b.* (?:name\w*|initial\w*)|archivs?\b.* gefuehrt"
    r"|archiv\b.* initialen",
    "english": r"auf englisch|englischer? (?:sprache|briefe|mails)|in english",
    "german": r"auf deutsch|deutscher? (?:sprache|briefe|mails)|in german",
    "address": r"(?:e-?mail-?|mail-?)?adress\w*|address|post|kuenftig an|from now on",
}  # fmt: skip
"""Kind of wish -> words that are about it, small and without umlauts; between word ends."""

PATTERNS: Final = {kind: re.compile(rf"\b(?:{words})(?!\w)") for kind, words in WORDS.items()}
COVERS: Final[Mapping[str, frozenset[str]]] = {
    "forget": frozenset(["my_data", "address", "withdraw", "archive_name"]),
    "resign": frozenset(["join"]), "withdraw": frozenset(["position"]),
    "my_games": frozenset(["games", "vacation", "join"]),
    "standby": frozenset(["join"]), "watch": frozenset(["join", "history", "digest"]),
    "help": frozenset(["position", "rules"]), "extension": frozenset(["withdraw"]), "history": frozenset(["position"]),
    "digest": frozenset(["history"]), "archive_name": frozenset(["address"]), "english": frozenset(["address"]),
    "german": frozenset(["address"]), "my_data": frozenset(["address"]), "vacation": frozenset(["address"]),
    "join": frozenset(["games"]),
}  # fmt: skip
"""Topics whose words another one says by the way."""


def kinds_in(plain: str) -> set[str]:
    """Say which kinds of wishes a text is about; it is small and without umlauts."""
    kinds = {kind for kind, pattern in PATTERNS.items() if pattern.search(plain)}
    return kinds - frozenset[str]().union(*(COVERS.get(kind, frozenset()) for kind in kinds))
