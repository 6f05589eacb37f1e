"""The closed table of phrases in which people say a plain wish, and the words that may stand in them unnoticed.

A phrase is compared with a whole clause: small, without umlauts, without the game's name, days, and `FILLERS`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

MODAL = r"(?:moechte|moecht|will|wuerde|wuerd|mag)"
WANT = rf"(?:(?:ich )?{MODAL}|{MODAL} ich)"
MAY = r"(?:kann|koennte|darf|duerfte) (?:ich|man)"
CAN_YOU = r"(?:kannst du|koenntest du|koennt ihr|koenntet ihr|koennen sie|koennten sie)"
PLAY = r"(?:mitspielen|mitmachen|teilnehmen|einsteigen|dabei sein|dabeisein|mit spielen|mit machen|dazukommen)"
TO_PLAY = r"(?:mitzuspielen|mitzumachen|teilzunehmen|einzusteigen|dabei zu sein|dabeizusein|mit zu spielen)"
SEND = r"(?:schick|schicke|schickt|sende|sendet|mail|maile|mailt|gib|gebt|zeig|zeige|zeigt)(?: mir)?"
HAVE = r"(?:(?:ich )?(?:haette|braeuchte|brauche|moechte|suche|will|wuerde|vermisse)(?: ich)?)"
RECEIVE = r"(?: haben| bekommen| kriegen| sehen| lesen| erhalten| schicken| zuschicken| zusenden| senden| anschauen)?"
MY = r"(?:meinen |meine |mein |my )?"
I_WANT = r"(?:i (?:would like|would love|would|want|wish|wanna|am happy|would be happy|am keen|am interested))"
MAY_I = r"(?:can|could|may|might) i"
EN_SEND = r"(?:send|mail|give|show|resend)(?: me)?"
EN_CAN_SEND = rf"(?:(?:can|could|would|will) you )?{EN_SEND}"

STANDBY_LIST = (
    r"(?:ersatzliste|standbyliste|standby liste|warteliste|ersatzspielerliste|ersatzbank|liste ersatzspieler)"
)
SUBSTITUTE = r"(?:ersatz|ersatzspieler|ersatzspielerin|ersatzmann|ersatzfrau|standby|springer|reserve|reservist)"
AWAY = (
    r"(?:weg|verreist|abwesend|unterwegs|fort|offline|verhindert|nicht(?: da| hier| erreichbar| online| daheim|"
    r" zuhause| zu"
    r" hause| verfuegbar)|im urlaub|urlaub|auf reisen|auf reise|auf dienstreise|ausser landes|im ausland|in ferien"
    r"|im krankenhaus)"
)
EN_AWAY = (
    r"(?:away|travelling|traveling|abroad|offline|unavailable|gone|not (?:available|here|there|home|around)"
    r"|on (?:holidays?|vacation|leave|trip)|out town|out office|out country|out)"
)
OVERVIEW = (
    r"(?:uebersicht|uebersichten|wochenuebersicht|wochenuebersichten|digests?|newsletter|wochenmails?|rundbriefe?)"
)
EN_OVERVIEW = r"(?:digests?|newsletters?|overviews?|weekly mails?|weekly emails?|weekly overviews?|summary|summaries)"
BULLETIN = r"(?:bulletin|protokoll|rundenmail|auswertung)"
LAST = r"(?:letzte |letzten |letztes |vorige |vorigen |last |latest |previous )?"
STANDING = r"(?:stand|stellung|spielstand|position|zwischenstand)"
RULES = r"(?:spielregeln|regeln)"
IN_WORDS = r"(?:schreib|schreibt|schreibe|antworte|antwortet)"
TAKE_BACK = r"(?:zurueckziehen|zuruecknehmen|zurueck ziehen|zurueck nehmen|zurueckzuziehen)"


@dataclass(frozen=True, kw_only=True)
class Phrase:
    """How one wish is said. With `?` behind it nobody is sure, unless it asks."""

    pattern: str
    needs: str = ""
    """What else must stand in the clause: a `game`, the `days`, or a `span`."""
    asks: bool = False
    """It is said as a question."""


def tell(*patterns: str, needs: str = "") -> list[Phrase]:
    """Make phrases that state a wish."""
    return [Phrase(pattern=pattern, needs=needs) for pattern in patterns]


def ask(*patterns: str, needs: str = "") -> list[Phrase]:
    """Make phrases that ask for it."""
    return [Phrase(pattern=pattern, needs=needs, asks=True) for pattern in patterns]


GERMAN: Final[Mapping[str, Sequence[Phrase]]] = {
    "join": [
        *tell(
            rf"{WANT} {PLAY}", rf"{PLAY} (?:{MODAL} ich)", rf"{WANT} mich anmelden", r"ich melde mich an",
            r"(?:meldet|melde) mich an", r"(?:trag|trage|tragt) mich ein", r"(?:nimm|nehmt) mich auf",
            r"ich (?:spiele|spiel|mache|mach) mit", r"(?:ich (?:haette|nehme|suche|will|moechte)|haette ich) platz",
            rf"(?:ich (?:haette|habe|hab)|(?:haette|habe|hab) ich|haette|habe|hab) (?:lust|interesse|bock) {TO_PLAY}",
            rf"ich wuerde mich freuen {TO_PLAY}", r"ich waere dabei", r"(?:ich )?wuerde einsteigen",
            r"(?:ich )?(?:steige|steig)(?: ich)? ein",
        ),
        *tell(
            rf"{WANT} spielen", r"ich bin dabei", r"bin dabei", r"waere dabei", r"ich waere interessiert",
            r"(?:ich (?:haette|habe|hab)|(?:haette|habe|hab) ich|haette|habe|hab) (?:lust|interesse|bock)(?: auf| an)?",
            needs="game",
        ),
        *ask(
            rf"(?:wie )?{MAY} {PLAY}", rf"(?:ich )?(?:ob )?(?:ich|man) {PLAY} (?:kann|koennte|darf|duerfte)",
            r"wie melde ich mich an", rf"{CAN_YOU} mich (?:aufnehmen|anmelden|eintragen)",
            r"(?:habt ihr|hast du|haettet ihr|gibt|ist|sind|waere|waeren) (?:freier |freie |freien )?(?:platz|plaetze)"
            r"(?: fuer mich)?(?: frei| offen| uebrig| zu haben)?",
            r"(?:ich )?(?:ob )?(?:platz|plaetze) frei (?:ist|sind|waere)", r"habt ihr platz frei",
        ),
        *ask(rf"{MAY} spielen", r"ist was frei", r"ist etwas frei", needs="game"),
    ],
    "standby": [
        *tell(
            r"(?:ich )?(?:springe|spring) ein", rf"{WANT} einspringen",
            rf"ich (?:kann|koennte) (?:als {SUBSTITUTE} )?einspringen",
            rf"(?:setz|setze|setzt|nimm|nehmt|schreib|schreibt|pack|packt|trag|trage|tragt|tu|stell) mich auf"
            rf" {STANDBY_LIST}(?: ein)?",
            rf"{WANT} auf {STANDBY_LIST}", rf"{WANT} als {SUBSTITUTE}(?: sein| einspringen| bereitstehen| mitspielen)?",
            rf"{WANT} {SUBSTITUTE} (?:sein|werden|spielen)",
            rf"ich (?:stehe|stuende) als {SUBSTITUTE}(?: bereit| zu verfuegung)",
            rf"ich (?:melde|biete) mich als {SUBSTITUTE}(?: an)?", rf"ich (?:mache|spiele) {SUBSTITUTE}",
            rf"{WANT} {STANDBY_LIST}", rf"(?:trag|trage|tragt|setz|nimm) mich als {SUBSTITUTE}(?: ein| auf)?",
        ),
        *ask(
            rf"{MAY} einspringen", rf"{MAY} auf {STANDBY_LIST}(?: kommen)?",
            rf"{CAN_YOU} mich auf {STANDBY_LIST} (?:setzen|nehmen|schreiben|packen)", r"braucht ihr ersatzspieler",
        ),
    ],
    "watch": [
        *tell(
            rf"{WANT} (?:zuschauen|zusehen|zugucken|beobachten|mitlesen)", r"ich (?:schaue|schau|sehe|gucke|guck) zu",
            rf"{WANT} als (?:zuschauer|zuschauerin|beobachter|beobachterin)(?: dabei sein| teilnehmen| mitlesen)?",
            rf"{WANT} (?:zuschauer|zuschauerin|beobachter|beobachterin) (?:sein|werden)", r"ich lese mit",
            r"(?:ich (?:haette|habe)|haette ich) lust (?:zuzuschauen|zuzusehen)",
        ),
        *ask(rf"(?:wie )?{MAY} (?:zuschauen|zusehen|zugucken|beobachten|mitlesen)"),
    ],
    "resign": tell(
        r"ich (?:hoere|hoer)(?: damit)? auf", r"(?:hoere|hoer) ich(?: damit)? auf", r"(?:hoere|hoer) auf",
        r"(?:ich )?(?:steige|steig)(?: aus)?(?: ich)? aus",
        rf"{WANT} (?:aufhoeren|aussteigen|ausscheiden|mich abmelden)",
        rf"{WANT} nicht (?:mehr|laenger) (?:{PLAY}|spielen|weiterspielen|weitermachen)",
        rf"{WANT} nicht (?:weiterspielen|weitermachen)",
        rf"(?:ich kann|kann ich|kann) nicht (?:mehr|laenger) (?:{PLAY}|weiterspielen|spielen|weitermachen)",
        r"(?:ich kann|kann ich) nicht (?:weiterspielen|weitermachen)",
        r"(?:ich muss|muss ich|muss) (?:aufhoeren|aussteigen|ausscheiden|mich abmelden|aufgeben)",
        r"ich (?:spiele|mache|mach|spiel) nicht mehr mit", r"ich (?:spiele|mache) nicht (?:mehr )?weiter",
        r"(?:ich )?(?:melde|melde ich) mich ab", r"ich gebe auf", r"ich scheide aus", r"(?:melde|meldet) mich ab",
        r"(?:nimm|nehmt|streich|streicht) mich (?:raus|heraus|aus)", r"ich bin raus", rf"{WANT} aufgeben",
        rf"{WANT} raus",
    ),
    "vacation": [
        *tell(
            rf"(?:ich )?(?:bin|waere)(?: ich)? {AWAY}", r"(?:ich )?(?:verreise|verreise ich)",
            rf"ich werde {AWAY} sein",
            r"(?:ich )?(?:fahre|fahr|mache|mach|habe|hab|nehme|gehe|fliege)(?: ich)? (?:im |auf |weg in )?(?:urlaub"
            r"|ferien|weg)",
            rf"{AWAY}", r"(?:trag|trage|tragt) (?:mich als abwesend|urlaub)(?: fuer mich)? ein",
            rf"{MY}urlaub (?:ist|geht|dauert)",
            r"ich komme(?: erst)? (?:wieder|zurueck)",
            needs="days",
        ),
        *tell(
            r"(?:ich )?(?:kann|komme)(?: ich)? nicht (?:spielen|ziehen|mitspielen|schreiben|antworten|mitmachen|zu"
            r" spielen"
            r"|zu ziehen)", r"(?:ich )?habe(?: ich)? (?:kein internet|keine zeit)", needs="days",
        ),
    ],
    "extension": [
        *tell(
            r"(?:ich )?(?:brauche|brauch|braeuchte|benoetige|haette|moechte)(?: ich)? (?:etwas |bisschen )?(?:mehr "
            r"|laenger )"
            r"(?:zeit|bedenkzeit)(?: haben)?", r"(?:etwas |bisschen )?mehr zeit",
            r"(?:(?:ich )?(?:brauche|brauch|braeuchte|benoetige|haette|moechte|beantrage)(?: ich)? )?(?:um )?"
            r"(?:verlaengerung|fristverlaengerung|aufschub)",
            r"(?:ich )?(?:bitte )?um (?:mehr zeit|aufschub|verlaengerung)",
            r"(?:verlaenger|verlaengere|verlaengert|verschieb|verschiebe|verschiebt) (?:zat|frist|termin)(?: um)?",
        ),
        *tell(
            r"(?:ich )?(?:brauche|brauch|braeuchte|benoetige|haette)(?: ich)? (?:mehr|laenger|zeit)",
            r"(?:mehr|plus|laenger)",
            r"(?:ich )?(?:brauche|brauch|braeuchte)(?: ich)? laenger",
            r"(?:ich )?(?:brauche|brauch|braeuchte) (?:mehr )?zeit",
            needs="span",
        ),
        *ask(
            rf"(?:{MAY}|bekomme ich|kriege ich|bekaeme ich) (?:etwas |bisschen )?(?:mehr|laenger)(?: zeit| bedenkzeit)"
            r"(?: haben| bekommen| kriegen)?",
            rf"(?:{MAY}|bekomme ich|kriege ich) (?:aufschub|verlaengerung)(?: haben| bekommen)?",
            rf"(?:{CAN_YOU}|koennen wir|kann man) (?:zat|frist|termin|abgabe|abgabetermin)(?: um)?(?: nach hinten)? "
            r"(?:verlaengern|verschieben|hinausschieben|schieben)",
        ),
        *ask(
            rf"(?:{MAY}) (?:mehr|laenger)(?: haben| bekommen)?", r"geht (?:spaeter|laenger|mehr)",
            r"(?:habe ich|haette ich|bekomme ich|kriege ich) mehr", needs="span",
        ),
    ],
    "withdraw": [
        *tell(
            rf"(?:ich )?(?:ziehe|nehme)(?: ich)? {MY}{LAST}zug zurueck", rf"{WANT} {MY}{LAST}zug {TAKE_BACK}",
            rf"(?:zieh|ziehe|zieht|nimm|nehmt) {MY}{LAST}zug zurueck", rf"{MY}{LAST}zug {TAKE_BACK}",
            rf"(?:vergiss|vergesst|streich|streiche|loesch|loesche|storniere) {MY}{LAST}zug",
        ),
        *ask(rf"{MAY} {MY}{LAST}zug {TAKE_BACK}"),
    ],
    "rules": [
        *tell(
            rf"{SEND} {RULES}(?: zu)?", rf"{HAVE} {RULES}{RECEIVE}", rf"{RULES}",
            rf"(?:erklaer|erklaere|erklaert)(?: mir)?(?: {RULES})?",
        ),
        *ask(
            rf"(?:{CAN_YOU}|{MAY}|schickst du|hast du|habt ihr)(?: mir)? {RULES}(?: erklaeren)?{RECEIVE}",
            rf"wie (?:sind|lauten|gehen) {RULES}",
            rf"(?:was|welche|wo) (?:sind|stehen|finde ich|gelten) {RULES}",
            rf"(?:gibt|habt ihr|hast du) {RULES}", rf"wo finde ich {RULES}",
        ),
    ],
    "position": [
        *tell(
            rf"{SEND} (?:aktuellen |aktuelle |jetzigen )?{STANDING}",
            rf"{HAVE} (?:aktuellen |aktuelle )?{STANDING}{RECEIVE}",
            rf"(?:aktueller |aktuelle )?{STANDING}",
        ),
        *ask(
            r"wie steht", rf"wie ist (?:aktuelle |aktueller )?(?:{STANDING}|lage)",
            r"wer ist (?:dran|am zug|zug|an reihe|reihe|am dran)",
            r"(?:bin ich|ist wer|wer) (?:dran|am zug|an reihe|reihe)",
            rf"(?:{CAN_YOU}|{MAY})(?: mir)? (?:aktuellen )?{STANDING}{RECEIVE}",
            rf"was ist (?:aktuelle |aktueller )?{STANDING}", r"wo stehe ich", r"wie stehe ich", r"wie liege ich",
        ),
        *ask(r"wie sieht aus", r"wie laeuft", needs="game"),
    ],
    "history": [
        *tell(
            rf"{SEND} {LAST}{BULLETIN}(?: zu)?", rf"{HAVE} {LAST}{BULLETIN}{RECEIVE}", rf"{LAST}{BULLETIN}",
            rf"(?:ich )?(?:habe|hab) {LAST}{BULLETIN} (?:nicht (?:bekommen|erhalten|gekriegt)|verloren|geloescht"
            rf"|verlegt)",
            rf"(?:ich )?finde {LAST}{BULLETIN} nicht(?: mehr| wieder)?",
        ),
        *ask(rf"(?:{CAN_YOU}|{MAY}|schickst du)(?: mir)? {LAST}{BULLETIN}{RECEIVE}"),
    ],
    "games": [
        *tell(rf"{SEND} (?:liste )?(?:offene |offenen |laufenden |aktuellen )?(?:spiele|partien)",
        r"liste (?:offenen )?(?:spiele|partien)"),
        *ask(
            r"(?:welche|was) (?:offene |offenen |neue |neuen |andere |laufende |laufenden )?(?:spiele|partien)"
            r"(?: gibt| habt ihr| hast du| sind offen| laufen| bietet ihr an| sind frei| starten| werden"
            r" (?:angeboten|gespielt)"
            r"| kann (?:ich|man) (?:spielen|mitspielen))?", r"was kann (?:ich|man) (?:spielen|mitspielen)",
            r"was (?:gibt|habt ihr|spielt ihr|hast du) (?:spiele|partien|zu spielen)",
            r"(?:gibt|habt ihr|laufen|sind) (?:offene |neue |freie |andere )?(?:spiele|partien)(?: offen| frei)?",
            r"was spielt ihr",
        ),
    ],
    "my_games": [
        *tell(r"meine (?:spiele|partien)", rf"{SEND} meine (?:spiele|partien)",
        rf"{SEND} liste meiner (?:spiele|partien)"),
        *ask(
            r"(?:welchen|welche) (?:spielen|partien|spiele) (?:bin ich|spiele ich|sitze ich|mache ich|nehme ich teil)"
            r"(?: dabei| mit)?", r"wo (?:spiele|mache) ich(?: ueberall)? mit", r"wo bin ich(?: ueberall)? dabei",
            r"(?:was|welche) sind meine (?:spiele|partien)", r"wie viele partien spiele ich",
        ),
    ],
    "help": [
        *tell(
            r"(?:ich )?(?:verstehe|versteh|kapiere|kapier|begreife|blicke)(?: gar| ueberhaupt)? nicht(?: wie (?:geht"
            r"|funktioniert|laeuft))?",
            r"wie (?:das|hier|alles) (?:geht|funktioniert|laeuft)", r"hilfe", r"(?:ich )?brauche hilfe",
            r"(?:ich )?(?:weiss|wuesste) nicht(?: wie (?:geht|funktioniert|laeuft))?",
            r"(?:ich )?(?:komme|komm) nicht (?:klar|zurecht|weiter|mit)",
            rf"{SEND} (?:anleitung|hilfe|hilfetext|befehle)", r"anleitung",
            r"ich weiss nicht was ich (?:tun|machen|schreiben) (?:soll|muss)",
            r"was ich (?:tun|machen|schreiben) (?:soll|muss)",
        ),
        *ask(
            r"wie (?:geht|funktioniert|laeuft) (?:das|hier|alles|es hier)(?: alles)?", r"wie spielt man",
            r"wie spiele ich", r"wie wird gespielt",
            r"(?:kannst du|koenntest du|kann|koennt ihr)(?: mir)?(?: jemand| wer)? helfen",
            r"was (?:kann|muss|soll) ich(?: machen| tun| schreiben)",
            r"wie (?:ziehe|schicke|gebe|mache|schreibe) ich(?: (?:meinen |zuege |zug )?(?:zug|zuege)?)?(?: ab| ein)?",
            r"(?:was|welche) (?:sind|gibt) befehle", r"welche befehle gibt", r"wie (?:ziehe|schicke) ich zug",
        ),
        *ask(r"wie (?:geht|funktioniert)", needs="game"),
    ],
    "digest": tell(
        rf"(?:(?:ich )?(?:moechte|will|brauche|schick|schickt|schicke|sende|wuensche)(?: mir)?(?: ich)? )?keine"
        rf" {OVERVIEW}(?: mehr)?{RECEIVE}",
        rf"(?:{WANT} )?{MY}{OVERVIEW} (?:abbestellen|abstellen|abmelden|kuendigen|ausschalten|nicht mehr(?: bekommen"
        rf"| haben)?)",
        rf"(?:(?:ich )?(?:bestelle|bestell|stell|stelle|schalte|schalt|melde)) {MY}{OVERVIEW} (?:ab|aus)",
        rf"(?:{WANT} )?keinen {OVERVIEW}(?: mehr)?{RECEIVE}", rf"{MY}{OVERVIEW} (?:aus|ab)",
    ),
    "english": [
        *tell(rf"(?:(?:{IN_WORDS}|{WANT})(?: mir)? )?(?:mails )?auf englisch(?: haben| bekommen)?"),
        *ask(rf"(?:{CAN_YOU}|{MAY})(?: mir)?(?: mails)? auf englisch{RECEIVE}(?: schreiben)?"),
    ],
    "german": [
        *tell(rf"(?:(?:{IN_WORDS}|{WANT})(?: mir)? )?(?:mails )?auf deutsch(?: haben| bekommen)?"),
        *ask(rf"(?:{CAN_YOU}|{MAY})(?: mir)?(?: mails)? auf deutsch{RECEIVE}(?: schreiben)?"),
    ],
}  # fmt: skip
