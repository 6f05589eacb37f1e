"""Groups of words of which phrases are built: ways to say `I want`, `send me`, `away`, `the last bulletin`."""

MODAL = r"(?:moechte|moecht|will|wuerde|wuerd|mag)"
WANT = rf"(?:(?:ich )?{MODAL}|{MODAL} ich)"
MAY = r"(?:kann|koennte|darf|duerfte) (?:ich|man)"
CAN_YOU = r"(?:kannst du|koenntest du|koennt ihr|koenntet ihr|koennen sie|koennten sie)"
PLAY = (
    r"(?:mitspielen|mitmachen|teilnehmen|einsteigen|dabei sein|dabeisein|mit spielen|mit machen|dazukommen"
    r"|dazustossen|mit dabei sein|beitreten|mit einsteigen)"
)
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
    r" zuhause| zu hause| verfuegbar| zu erreichen| im lande?)|im urlaub|urlaub|im skiurlaub|auf kur|in kur|auf"
    r" montage|auf reisen|auf reise|auf"
    r" dienstreise|ausser landes|im ausland|in ferien"
    r"|im krankenhaus|ohne (?:internet|netz|rechner|laptop|computer|mail|mails))"
)
EN_AWAY = (
    r"(?:away|travelling|traveling|abroad|offline|unavailable|gone|not (?:available|here|there|home|around)"
    r"|on (?:holidays?|vacation|leave|trip)|out town|out office|out country|out)"
)
OVERVIEW = (
    r"(?:uebersicht|uebersichten|wochenuebersicht|wochenuebersichten|digests?|newsletter|wochenmails?|rundbriefe?"
    r"|zusammenfassung|tageszusammenfassung|sammelmails?)"
)
EN_OVERVIEW = r"(?:digests?|newsletters?|overviews?|weekly mails?|weekly emails?|weekly overviews?|summary|summaries)"
BULLETIN = r"(?:bulletin|protokoll|rundenmail|auswertung|rundenauswertung|rundenbericht|ergebnisse|ergebnismail)"
LAST = r"(?:letzte |letzten |letztes |vorige |vorigen |last |latest |previous )?"
STANDING = r"(?:stand|stellung|spielstand|position|zwischenstand|punktestand)"
DEADLINE = (
    r"(?:naechste |naechster )?(?:zat|abgabe|abgabetermin|abgabeschluss|einsendeschluss|deadline|stichtag|frist"
    r"|rundenende)"
)
MOVE = r"(?:zug|zuege|mail|mails|email|nachricht)"
ARRIVED = (
    r"(?:angekommen|eingetroffen|eingegangen|durchgekommen|registriert|gespeichert|gut angekommen|richtig angekommen)"
)
DATA = r"(?:alle )?(?:meine |meiner )?(?:gespeicherten |persoenlichen )?daten"
ACCOUNT = rf"(?:mich|{DATA}|meinen account|mein konto|mein profil)"
DELETE = r"(?:loesch|loesche|loescht|loeschen sie|entfern|entferne|entfernt|vergiss|vergesst|vergessen sie)"
AWAY_WHEN = r"(?:jemand|einer|eine|mal wer|wer|mitspieler|spieler)"
RULES = r"(?:spielregeln|regeln)"
IN_WORDS = r"(?:schreib|schreibt|schreibe|antworte|antwortet)"
TAKE_BACK = r"(?:zurueckziehen|zuruecknehmen|zurueck ziehen|zurueck nehmen|zurueckzuziehen)"
