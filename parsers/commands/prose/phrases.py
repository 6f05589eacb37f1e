"""The closed table of phrases in which people say a plain wish, and the words that may stand in them unnoticed.

A phrase is compared with a whole clause: small, without umlauts, without the game's name, days, and `FILLERS`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from parsers.commands.prose.phrase_words import (
    ACCOUNT,
    ARRIVED,
    AWAY,
    AWAY_WHEN,
    BULLETIN,
    CAN_YOU,
    DATA,
    DEADLINE,
    DELETE,
    HAVE,
    IN_WORDS,
    LAST,
    MAY,
    MODAL,
    MOVE,
    MY,
    OVERVIEW,
    PLAY,
    RECEIVE,
    RULES,
    SEND,
    STANDBY_LIST,
    STANDING,
    SUBSTITUTE,
    TAKE_BACK,
    TO_PLAY,
    WANT,
)


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
            r"ich (?:spiele|spiel|mache|mach) mit",
            r"(?:ich (?:haette|nehme|suche|will|moechte)|haette ich|haette) platz",
            rf"(?:ich werde|werde ich) {PLAY}", r"waere ich dabei", r"melde ich mich an",
            r"(?:merk|merkt|merke) mich vor", r"(?:schreib|schreibt|schreibe) mich auf",
            r"(?:setz|setzt|setze) mich auf (?:teilnehmerliste|spielerliste|liste)",
            r"(?:ich (?:haette|habe|hab)|haette ich|haette|habe|hab) (?:lust|interesse|bock)(?: auf| an)?"
            r" (?:platz|teilnahme)",
            rf"(?:ich )?(?:habe|hab) lust bekommen {TO_PLAY}",
            rf"(?:ich (?:haette|habe|hab)|(?:haette|habe|hab) ich|haette|habe|hab) (?:lust|interesse|bock) {TO_PLAY}",
            rf"ich wuerde mich freuen {TO_PLAY}", r"ich waere dabei", r"(?:ich )?wuerde einsteigen",
            r"(?:ich )?(?:steige|steig)(?: ich)? ein",
        ),
        *tell(
            rf"{WANT} spielen", r"ich bin dabei", r"bin dabei", r"bin ich dabei", rf"{PLAY}",
            r"(?:mich )?(?:vormerken|anmelden|eintragen)", r"waere dabei", r"ich waere interessiert",
            r"(?:ich (?:haette|habe|hab)|(?:haette|habe|hab) ich|haette|habe|hab) (?:lust|interesse|bock)(?: auf| an)?",
            needs="game",
        ),
        *ask(
            rf"(?:wie )?{MAY} {PLAY}(?: oder ist zu spaet)?", rf"wie {MAY} mich anmelden",
            rf"(?:ich )?(?:ob )?(?:ich|man) {PLAY} (?:kann|koennte|darf|duerfte)",
            r"wie melde ich mich an", rf"{CAN_YOU} mich (?:aufnehmen|anmelden|eintragen)",
            r"(?:nehmt ihr|nimmst du) mich auf",
            r"(?:habt ihr|hast du|haettet ihr|gibt|ist|sind|waere|waeren) (?:freier |freie |freien )?(?:platz|plaetze)"
            r"(?: fuer mich)?(?: frei| offen| uebrig| zu haben)?",
            r"(?:ich )?(?:ob )?(?:platz|plaetze) frei (?:ist|sind|waere)", r"habt ihr platz frei",
        ),
        *ask(rf"{MAY} spielen", r"ist was frei", r"ist etwas frei", needs="game"),
    ],
    "standby": [
        *tell(
            r"(?:ich )?(?:springe|spring)(?: ich)? ein", rf"{WANT} einspringen", r"ich waere bereit einzuspringen",
            rf"{WANT} mich als {SUBSTITUTE} (?:anbieten|melden|zur verfuegung stellen)",
            rf"(?:ich )?(?:stelle|stell)(?: ich)? mich als {SUBSTITUTE} zur verfuegung",
            rf"als {SUBSTITUTE} (?:stehe|stuende) ich(?: bereit| zur verfuegung)",
            rf"ich (?:kann|koennte) (?:als {SUBSTITUTE} )?einspringen", r"einspringen (?:kann|koennte|wuerde) ich",
            rf"(?:setz|setze|setzt|nimm|nehmt|schreib|schreibt|pack|packt|trag|trage|tragt|tu|stell) mich auf"
            rf" {STANDBY_LIST}(?: ein)?",
            rf"{WANT} auf {STANDBY_LIST}", rf"{WANT} als {SUBSTITUTE}(?: sein| einspringen| bereitstehen| mitspielen)?",
            rf"{WANT} {SUBSTITUTE} (?:sein|werden|spielen)",
            rf"ich (?:stehe|stuende) als {SUBSTITUTE}(?: bereit| zur verfuegung)",
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
            rf"{WANT} (?:zuschauen|zusehen|zugucken|beobachten|mitlesen|verfolgen)",
            r"ich (?:schaue|schau|sehe|gucke|guck) zu",
            rf"{WANT} als (?:zuschauer|zuschauerin|beobachter|beobachterin)(?: dabei sein| dabei| teilnehmen|"
            rf" mitlesen)?",
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
        rf"(?:ich werde|werde ich|werde) nicht (?:mehr |laenger )?(?:{PLAY}|weiterspielen|weitermachen)",
        r"(?:macht|spielt|mach|spiel) ohne mich weiter", r"(?:mit )?ist fuer mich schluss", r"fuer mich ist schluss",
        r"(?:ich )?(?:ziehe|zieh)(?: ich)? mich(?: aus)? zurueck",
        rf"(?:ich kann|kann ich|kann) nicht (?:mehr|laenger) (?:{PLAY}|weiterspielen|spielen|weitermachen)",
        r"(?:ich kann|kann ich) nicht (?:weiterspielen|weitermachen)",
        r"(?:ich muss|muss ich|muss) (?:aufhoeren|aussteigen|ausscheiden|mich abmelden|aufgeben)",
        r"ich (?:spiele|mache|mach|spiel) nicht mehr mit", r"ich (?:spiele|mache) nicht (?:mehr )?weiter",
        r"(?:ich )?(?:melde|melde ich) mich ab", r"ich gebe auf", r"ich scheide aus",
        rf"{WANT} mich(?: aus)? zurueckziehen", r"(?:ich )?kuendige (?:meine |meinen )?(?:teilnahme|platz)",
        r"(?:streich|streicht|streiche) mich", r"(?:melde|meldet) mich ab",
        r"(?:nimm|nehmt|streich|streicht) mich(?: aus)? (?:raus|heraus|aus)", r"ich bin raus", rf"{WANT} aufgeben",
        rf"{WANT} raus",
    )
    + tell(
        r"(?:aufhoeren|aussteigen|ausscheiden|abmelden)", rf"(?:ich verlasse|{WANT} verlassen)",
        r"(?:(?:ich )?(?:habe|hab) )?keine lust mehr(?: auf)?", r"(?:ich muss|muss ich|muss) verlassen", needs="game",
    ),
    "vacation": [
        *tell(
            rf"(?:ich |wir )?(?:bin|waere|sind)(?: ich| wir)?(?: alle)? {AWAY}", r"(?:ich )?(?:verreise|verreise ich)",
            rf"ich werde {AWAY} sein", r"(?:ich )?liege(?: ich)? im krankenhaus",
            r"(?:ich |wir )?(?:fahren|fahre)(?: ich| wir)? (?:in )?(?:urlaub|skiurlaub|ferien)",
            r"(?:ich )?(?:melde|meld)(?: ich)? mich ab",
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
            r"(?:(?:ich )?(?:brauche|brauch|braeuchte|benoetige|moechte)(?: ich)?|ich haette) (?:etwas |bisschen )?"
            r"(?:mehr |laenger )(?:zeit|bedenkzeit)(?: haben)?(?: meinen zug)?", r"(?:etwas |bisschen )?mehr zeit",
            r"(?:ich )?(?:brauche|brauch|braeuchte)(?: ich)? (?:etwas |bisschen )zeit",
            r"(?:gebt|gib|lass|lasst)(?: mir)? (?:etwas |bisschen )?(?:mehr )zeit",
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
        *tell(
            r"(?:ich )?(?:brauche|brauch|braeuchte|benoetige)(?: ich)?(?: mehr| etwas)?(?: zeit| laenger)?",
            r"(?:gebt|gib|lasst|lass)(?: mir)?(?: mehr)? zeit", r"(?:gebt|gib)(?: mir)?",
            r"(?:ich (?:schicke|gebe|mache)|schicke ich|gebe ich) (?:meinen )?zug(?: erst)?(?: ab)?",
            needs="days",
        ),
        *ask(
            rf"(?:{MAY}|bekomme ich|kriege ich|bekaeme ich) (?:etwas |bisschen )?(?:mehr|laenger)(?: zeit| bedenkzeit)"
            r"(?: haben| bekommen| kriegen)?",
            rf"(?:{MAY}|bekomme ich|kriege ich) (?:aufschub|verlaengerung)(?: haben| bekommen)?",
            r"(?:geht|ginge) (?:auch )?(?:etwas |bisschen )?spaeter",
            r"gibt (?:verlaengerung|fristverlaengerung|aufschub|mehr zeit)",
            rf"{CAN_YOU}(?: mir)? (?:etwas |bisschen )?mehr zeit geben",
            r"(?:waere|ist|ginge|geht) (?:verlaengerung|aufschub|fristverlaengerung|mehr zeit)(?: um)?(?: moeglich)?",
            r"(?:kann|koennte) (?:zat|frist|termin|abgabe)(?: um)? (?:verschoben|verlaengert)(?: werden)?",
            rf"{MAY} (?:meinen )?zug(?: etwas| bisschen)? spaeter (?:schicken|abgeben|machen)",
            rf"(?:{CAN_YOU}|koennen wir|kann man) (?:zat|frist|termin|abgabe|abgabetermin)(?: um)?(?: nach hinten)? "
            r"(?:verlaengern|verschieben|hinausschieben|schieben)",
        ),
        *ask(
            rf"(?:{MAY}) (?:mehr|laenger)(?: haben| bekommen)?", r"geht (?:laenger|mehr)",
            r"(?:habe ich|haette ich|bekomme ich|kriege ich) mehr", needs="span",
        ),
        *ask(
            rf"(?:{MAY}|koennte ich)(?: mehr)? zeit (?:haben|bekommen)",
            rf"{CAN_YOU}(?: mir)?(?: mehr)?(?: zeit)? geben",
            rf"{MAY} (?:meinen )?(?:zug )?(?:auch )?(?:erst )?(?:spaeter )?(?:schicken|abgeben|machen"
            rf"|einreichen|ziehen)",
            r"(?:reicht|reicht es|geht|ginge|langt)(?: es)?(?: auch)?(?: erst)?", needs="days",
        ),
    ],
    "withdraw": [
        *tell(
            rf"(?:ich )?(?:ziehe|nehme)(?: ich)? {MY}{LAST}zug zurueck", rf"{WANT} {MY}{LAST}zug {TAKE_BACK}",
            rf"(?:zieh|ziehe|zieht|nimm|nehmt) {MY}{LAST}zug zurueck", rf"{MY}{LAST}zug {TAKE_BACK}",
            rf"(?:vergiss|vergesst|streich|streiche|streicht|loesch|loesche|loescht|storniere|storniert"
            rf"|ignorier|ignoriere"
            rf"|ignoriert) {MY}{LAST}zug",
            rf"{MY}{LAST}zug (?:loeschen|streichen|stornieren|ignorieren|vergessen|rausnehmen|herausnehmen)",
        ),
        *ask(
            rf"{MAY} {MY}{LAST}zug {TAKE_BACK}",
            rf"{CAN_YOU} {MY}{LAST}zug (?:loeschen|streichen|stornieren|ignorieren|vergessen|rausnehmen|herausnehmen)",
        ),
    ],
    "rules": [
        *tell(
            rf"{SEND} {RULES}(?: zu)?", rf"(?:ich )?(?:kenne|kenn|finde|habe|hab)(?: ich)? {RULES} nicht(?: mehr)?",
            rf"{HAVE} {RULES}{RECEIVE}", rf"{RULES}",
            rf"(?:erklaer|erklaere|erklaert)(?: mir)?(?: {RULES})?",
        ),
        *ask(
            rf"(?:{CAN_YOU}|{MAY}|schickst du|hast du|habt ihr)(?: mir)? {RULES}(?: erklaeren)?{RECEIVE}",
            rf"wie (?:sind|lauten|gehen) {RULES}",
            rf"(?:was|welche|wo) (?:sind|stehen|finde ich|gelten) {RULES}",
            rf"(?:gibt|habt ihr|hast du) {RULES}", rf"wo (?:finde ich|{MAY}) {RULES}(?: nachlesen| lesen| finden)?",
            r"wie wird (?:gewertet|gezaehlt|gepunktet)",
            rf"(?:nach )?welchen {RULES} (?:spielt ihr|spielen wir|wird gespielt)",
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
            rf"(?:schickst du|schickt ihr|zeigst du)(?: mir)? (?:aktuellen )?{STANDING}",
            rf"(?:was|wie) ist {STANDING} dinge",
            r"wer (?:fuehrt|gewinnt|liegt vorne?|ist vorne?|ist erster|hat meisten punkte)", r"wie ist tabelle",
            r"(?:wieviele?|wie viele) punkte (?:habe|hab) ich", r"auf welchem platz (?:bin|liege|stehe) ich",
            r"welche runde (?:ist|laeuft|haben wir)",
            r"muss ich (?:(?:was|etwas) )?(?:ziehen|tun|machen|schicken|abgeben)", r"wann geht weiter",
            r"wie sieht (?:gitter|spielfeld|brett|spielplan)(?: aus)?",
        ),
        *ask(
            rf"(?:wann|bis wann) ist {DEADLINE}", r"(?:welchem tag|wann) (?:muss|soll) (?:ich|man)(?: spaetestens)?"
            r" (?:zug )?(?:ziehen|abgeben|schicken|antworten|einschicken|senden)",
            r"(?:bis wann|wie lange) (?:muss|soll|kann|darf|habe|hab) ich(?: zeit)?(?: meinen)?(?: zug)?"
            r"(?: ziehen| abgeben| schicken| einschicken| senden| abgegeben haben| geschickt haben)?",
            r"wie (?:lange|viel zeit) (?:bleibt|habe ich|hab ich)(?: zeit)?",
            r"wann ist (?:runde )?(?:ende|schluss|vorbei)",
            rf"(?:ist|sind) {MY}(?:letzter |letzte )?{MOVE}(?: {ARRIVED}| da)",
            rf"(?:habt ihr|hast du|haben sie) {MY}{LAST}{MOVE}(?: bekommen| erhalten| gekriegt)", rf"liegt {MY}zug vor",
            r"(?:habe|hab) ich (?:gezogen|abgegeben)", r"ist alles angekommen",
            r"(?:wieviel|wie viel) zeit (?:habe ich|hab ich|bleibt)", rf"(?:ob )?{MY}{MOVE} (?:{ARRIVED}|da) ist",
        ),
        *ask(r"wie sieht aus", r"wie laeuft", needs="game"),
    ],
    "history": [
        *tell(
            rf"{SEND} {LAST}{BULLETIN}(?: zu)?", rf"{HAVE} {LAST}{BULLETIN}{RECEIVE}", rf"{LAST}{BULLETIN}",
            rf"(?:ich )?(?:habe|hab) {LAST}{BULLETIN} (?:nicht (?:bekommen|erhalten|gekriegt)|verloren|geloescht"
            rf"|verlegt)",
            rf"(?:ich )?finde (?:mail mit )?{LAST}{BULLETIN} nicht(?: mehr| wieder)?",
            rf"{SEND} (?:letzte|letzten|vorige) runde",
            rf"{LAST}{BULLETIN} ist(?: mir)? nicht (?:angekommen|gekommen)",
            rf"{MY}mailprogramm hat {LAST}{BULLETIN} geloescht",
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
            r"was spielt ihr", r"was laeuft", r"was bietet ihr an", r"sucht ihr (?:mitspieler|spieler|leute)",
            r"wo (?:ist|sind|waere|gibt) (?:platz|plaetze)(?: frei)?",
            rf"wo {MAY} {PLAY}",
        ),
    ],
    "my_games": [
        *tell(
            r"meine (?:spiele|partien)", rf"{SEND} meine (?:spiele|partien)",
            rf"(?:{SEND} )?liste meiner (?:spiele|partien)", r"(?:ich )?(?:habe|hab) ueberblick verloren",
            r"wo ich(?: ueberall)? (?:mitspiele|mitmache|dabei bin|angemeldet bin)",
        ),
        *ask(
            r"(?:welchen|welche) (?:spielen|partien|spiele) (?:bin ich|spiele ich|sitze ich|mache ich|nehme ich teil)"
            r"(?: dabei| mit)?", r"wo (?:spiele|mache) ich(?: ueberall)? mit",
            r"wo bin ich(?: ueberall)? (?:dabei|angemeldet)",
            r"(?:was|welche) sind meine (?:spiele|partien)", r"wie viele partien spiele ich",
            r"welche (?:spiele|partien) (?:habe|hab) ich(?: laufen| offen)?",
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
            r"ich weiss nicht was ich (?:tun|machen|schreiben) (?:soll|muss)", r"(?:ich )?(?:verstehe|versteh) bahnhof",
            r"(?:(?:ich )?weiss nicht )?wie ich (?:meinen )?zug (?:abgeben|schicken|machen|schreiben) (?:soll"
            r"|muss|kann)",
            r"(?:ich )?(?:habe|hab) keine ahnung(?: wie (?:geht|funktioniert))?",
            r"was ich (?:tun|machen|schreiben) (?:soll|muss)",
        ),
        *ask(
            r"wie (?:geht|funktioniert|laeuft) (?:das|hier|alles|es hier)(?: alles)?", r"wie spielt man",
            r"wie spiele ich", r"wie wird gespielt", r"wie (?:muss|soll|kann) ich (?:meinen )?(?:zug"
            r" )?(?:schreiben|schicken|abgeben)",
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
        rf"(?:{WANT} )?keinen {OVERVIEW}(?: mehr)?{RECEIVE}",
        rf"(?:{WANT}|(?:ich )?brauche) (?:woechentliche )?{OVERVIEW} nicht(?: mehr)?{RECEIVE}",
        r"(?:nimm|nehmt) mich aus (?:verteiler|mailverteiler)(?: raus| heraus)?", rf"{MY}{OVERVIEW} (?:aus|ab)",
    ),
    "english": [
        *tell(rf"(?:(?:{IN_WORDS}|{WANT})(?: mir)? )?(?:mails )?(?:auf )?englisch(?: haben| bekommen)?"),
        *ask(rf"(?:{CAN_YOU}|{MAY})(?: mir)?(?: mails)? auf englisch{RECEIVE}(?: schreiben)?"),
    ],
    "german": [
        *tell(rf"(?:(?:{IN_WORDS}|{WANT})(?: mir)? )?(?:mails )?auf deutsch(?: haben| bekommen)?"),
        *ask(rf"(?:{CAN_YOU}|{MAY})(?: mir)?(?: mails)? auf deutsch{RECEIVE}(?: schreiben)?"),
    ],
    "my_data": [
        *tell(
            rf"{SEND} {DATA}(?: zu)?", rf"{WANT} {DATA}{RECEIVE}", rf"(?:{HAVE} )?kopie {DATA}",
            rf"(?:{HAVE} )?(?:um )?(?:auskunft|selbstauskunft|datenauskunft)"
            rf"(?: ueber {DATA}| nach dsgvo| gemaess dsgvo| ueber mich)?",
        ),
        *ask(
            r"(?:welche daten|was) (?:habt ihr|hast du|haben sie|ist|sind)(?: alles)? (?:ueber mich(?: gespeichert)?"
            r"|gespeichert)", r"(?:welche daten|was) (?:speichert ihr|wisst ihr|weisst du)(?: alles)? ueber mich",
            rf"(?:{CAN_YOU}|{MAY})(?: mir)? {DATA}{RECEIVE}",
        ),
    ],
    "forget": [
        *tell(
            rf"{DELETE} {ACCOUNT}(?: aus)?(?: system| datenbank)?(?: ganz| komplett| vollstaendig)?",
            rf"{WANT}(?: ganz)? geloescht werden",
            rf"(?:{WANT} )?dass ihr {ACCOUNT}(?: ganz| komplett| vollstaendig)? (?:loescht|vergesst|entfernt)",
            rf"{DATA} (?:loeschen|entfernen)", rf"{WANT} {ACCOUNT} (?:loeschen|loeschen lassen)",
        ),
        *ask(rf"{CAN_YOU} {ACCOUNT}(?: aus system)? (?:loeschen|entfernen|vergessen)"),
    ],
    "beside": [
        *tell(rf"{WANT}"),
        *ask(
            r"(?:geht|ginge|ist|waere)(?: moeglich| okay| ok| in ordnung| drin)?",
            rf"(?:{CAN_YOU}|{MAY})(?: sie)?(?: mir)?{RECEIVE}", r"oder ist zu spaet",
        ),
    ],
    "beside join": tell(
        r"(?:wenn|falls|sofern) (?:geht|ginge|passt|recht ist|moeglich|moeglich ist|in ordnung ist|ok ist|okay ist)",
        r"(?:wenn|falls|sofern) (?:was|etwas|platz|plaetze|einer)(?: frei| offen| uebrig)? (?:ist|sind|waere|wird)",
        r"(?:wenn|falls) (?:ihr )?(?:platz|jemanden|mitspieler|leute|spieler) (?:habt|gibt|sucht|braucht|fehlt|fehlen)",
    ),
    "beside standby": tell(
        rf"(?:wenn|falls|sobald) {AWAY_WHEN} (?:ausfaellt|fehlt|aussteigt|aufhoert|abspringt|ausscheidet|krank wird)",
        r"(?:wenn|falls) (?:not am mann ist|ihr (?:mich|jemanden|ersatz) braucht|ich gebraucht werde)",
    ),
}  # fmt: skip
