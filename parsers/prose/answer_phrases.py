"""The phrases of a yes, a no and what stands beside them; all in small letters, AE for Ä, for `answers`.

A line is a pattern for the begin of a clause, up to the end of a word. `<...>` stands for one of the `PIECES`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple

from games.api import Language

Topic = Literal["", "seat", "reading"]
"""What a yes is said to: to anything, to a seat, to our reading of a move."""
VETO: Final = re.compile(
    r"\b(?:aber|jedoch|allerdings|nur|bloss|hoechstens|wenn|falls|sofern|soweit|solange|ausser|sobald|erst|zuerst"
    r"|bevor|vorher|nachdem|oder|vielleicht|evtl|eventuell|moeglicherweise|womoeglich|eigentlich|unsicher|unklar|jein"
    r"|nicht|nie|niemals|kein\w*|ohne|statt|stattdessen|sondern|lieber|eher|doch|trotzdem|spaeter|noch|warte\w*|moment"
    r"|ueberleg\w*|abwarten|mal sehen|mal schauen|kommt drauf|abhaengig|vorausgesetzt|bedingung\w*|ab|fruehestens"
    r"|koennte|wuerde|muesste|sollte|frage|zweifel|zurueck\w*|aender\w*|andere[nrs]?|anders|falsch|halt|stopp?|storno"
    r"|hoer\w* auf|januar|februar|maerz|april|mai|juni|juli|august|september|oktober|november|dezember"
    r"|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|naechste\w*|morgen|uebermorgen|sonst|obwohl|es sei denn|bis"
    r"|vorerst|zunaechst|vorbehalt\w*|unverbindlich|probeweise|glaub\w*|wahrscheinlich|vermutlich|theoretisch"
    r"|prinzip\w*|grundsaetzlich|teilweise|fast|weiss"
    r"|quatsch|unsinn|bloedsinn|schwachsinn|scherz\w*|witz\w*|spass|ironie|denkste|nonsense|rubbish|joke|joking|kidding"
    r"|automat\w*|abwesen\w*|buero|out of (?:the )?office|vacation responder|ticket\w*|eingangsbestaetigung"
    r"|but|however|only|if|unless|until|till|provided|depends?|maybe|perhaps|possibly|not|\w+n't|never|except|instead"
    r"|rather|or|wait|before|after|once|later|first|might|would|could|should|without|when|as long|doubt|change|wrong"
    r"|stop|although|though|otherwise|probably|hopefully|guess|depending|assuming|soon)\b"
)
"""Words that may take a yes back or tie it to something: with one of them a sentence is no yes."""
CONDITION: Final = re.compile(
    r"\b(?:wenn|falls|sofern|solange|ausser|es sei denn|hoechstens|nur|vielleicht|evtl|eventuell|oder|doch|sondern"
    r"|^erst|jein|weiss|unsicher|mal sehen|kommt drauf|vorausgesetzt|bedingung\w*"
    r"|if|unless|except|maybe|perhaps|possibly|or|only|depends?|unsure|until|as long)\b"
)
"""Words that tie a no to something."""
ASKS_WHEN: Final = re.compile(
    r"(?:und |and )?(?:wann|wo|wer|wie lange|when|where|who|how long)\b(?!.*\b(?:ja|nein|yes)\b)"
)
"""Begins a question that leaves an answer as it is."""
ASKS_WHEN_DUE: Final = re.compile(
    r"(?:und |and )?(?:ab wann|bis wann|wann|wie lange|when) "
    r"(?:geht|faengt|beginnt|startet|muss|soll|brauchst|kommt|habe? ich|does|do|is|will|must|shall)\b"
)
"""Begins a question that somebody asks who has said yes, or no, in the same breath."""
RECEIPT: Final = re.compile(
    r"(?:ok(?:ay)?|gut|alles klar|in ordnung|yes)[ ,.!:-]+(?:(?:vielen|besten|herzlichen) )?"
    r"(?:dank\w*|thanks?(?: you)?)\b.{0,20}"
    r"\b(?:ihre?n?|your) (?:e-?mail|mail|nachricht|message|anfrage|inquiry|request)\b"
)
"""Begins what a machine answers to each mail."""
SIGN_OFF: Final = re.compile(
    r"(?:(?:viele|liebe|beste|schoene|herzliche|freundliche|sonnige|mit \w+(?: \w+)?|best|kind|many|warm)\s+){0,5}"
    r"(?:gru(?:ss|esse)n?|lg|vg|mfg|bg|glg|hg|tschuess|tschoe|ciao|regards|wishes|cheers|bye)(?:\s+[\w'.-]+){0,4}"
)
GOES_ON: Final = re.compile(
    r"(?:p\.?\s?s|aber|nur|wenn|falls|sofern|allerdings|vorausgesetzt|but|if|unless|only|provided)\b"
)
"""Begins what belongs to the mail although it stands below the farewell."""

ANSWER_FIRST: Final = re.compile(
    r"(?P<answer>(?:ja+|jawohl|nein+|noe+|nee+|yes|nope|auf (?:gar )?keinen fall)(?: danke)?"
    r"|no(?= (?:i|it|that|this|we)\b))"
    r" (?!(?:und|oder|or|and|zu|wie|was|so ?was|als|sage?n?|gesagt|heisst)\b)(?P<rest>.+)"
)
"""A plain answer and more behind it, with no comma between them."""
_FILLERS: Final = """
ich wir du ihr das es den der die dem dies diese diesen dieser dieses ihn mir mich uns dich dir euch mein meine meinen
meinem meiner dein deine deinen deiner neue neuen neuer dazu dafuer damit so also auch selbst bitte dann gern gerne bin
ist is sind war waren kam kommt stammt stammen hab habe haben hatte hatten kannst koennt darfst wird werde von vom mit
bei zu zum aus ein hier hiermit wirklich tatsaechlich natuerlich klar sicher
name gekommen zug block gitter raster angaben daten platz sitz vorschlag zeitraum termin termine partie spiel version
fassung variante korrektur verbesserte verbesserten arbeit buero firma account konto mailadresse uebernahme anmeldung
wunsch urlaub handy tablet rechner adresse
i we you it that this those these the my am is was are were did do have i've i'll i'd i'm we're will can like to really
move block grid dates seat place game vacation
"""
_STATING: Final = """
nehme nehmen uebernehme uebernehmen komme spiele mache machen helfe springe steige stimme stimmt stimmen passt passen
gilt gelten geschickt gesendet abgeschickt geschrieben gemacht gemeint meinte gedacht gewollt will moechte mitspielen
mitmachen spielen teilnehmen richtig korrekt recht eintragen eingetragen notiert notieren
verbuchen werten einreichen abgeben abschicken speichern vermerken dabei bereit
bestaetige lust freude meiner meins
right correct fine me mine sent wrote meant want join play accept confirm accurate true
"""
_OF_A_SEAT: Final = """
mitspielen mitmachen teilnehmen dabei uebernehme uebernehmen helfe springe steige lust freude join play
"""
_OF_A_READING: Final = """
gemeint meinte geschickt gesendet abgeschickt geschrieben verbuchen werten einreichen abgeben abschicken speichern
vermerken meiner meins mine meant sent wrote
"""
_STRONGER: Final = """
alles alle genau exakt ganz voll voellig perfekt total sehr echt gut super prima toll fein bestens gar eben
absolut beide immer sofort gleich jetzt wieder schon ein all both exactly very gladly happily
"""
_TRUE: Final = "stimmt passt richtig korrekt right correct"
_IT_IS: Final = "das es so ist is war mir also ja auch that it this all alles auffallend"
_PLEDGES: Final = "uebernehme bestaetige einverstanden bereit dabei"
_NOT: Final = "nicht nie nichts nix keinen not didn't isn't wasn't aren't"
_AWAY: Final = "weg verreist unterwegs abwesend fort urlaub away travelling abroad vacation"
_THEN: Final = "da dann in im auf zeit over then on at during time"
FILLERS: Final = frozenset(_FILLERS.split())
"""Words that change nothing in a clause which only says an answer again."""
STATING: Final = frozenset(_STATING.split())
TOPICS: Final[Mapping[Topic, frozenset[str]]] = {
    "seat": frozenset(_OF_A_SEAT.split()), "reading": frozenset(_OF_A_READING.split()),
}  # fmt: skip
"""Those that say what is agreed to."""
"""Words of which such a clause has one: they say what our questions ask."""
STRONGER: Final = frozenset(_STRONGER.split())
"""Words that strengthen a yes; with a no they would take only a part."""
TRUE: Final = frozenset(_TRUE.split())
IT_IS: Final = frozenset(_IT_IS.split()) | TRUE | (STRONGER - {"schon", "eben", "immer", "gar", "ein"})
"""Words of a clause that says yes with one of `TRUE`: no more than that it is so."""
PLEDGES: Final = frozenset(_PLEDGES.split())
"""Words that say yes in a clause with fillers, and with no other word of a yes."""
ASKS_FOR: Final = re.compile(
    r"(?:bitte )?(?:schicke?|sende?|sage?|gib|erklaere?|melde?|informiere?|zeige?) (?:mir|mich|uns|dich|euch)\b"
    r"|(?:please )?(?:send|tell|show|give|let) me\b"
)
"""Begins what somebody asks for who has just said yes."""
NOT: Final = frozenset(_NOT.split())
AWAY: Final = frozenset(_AWAY.split())
"""Words of a clause that says yes to dates of a vacation, and to no other question."""
THEN: Final = frozenset(_THEN.split())
BY_ME: Final = re.compile(
    r"\b(?:gehoert(?: zu)? mir|^mein (?:zug|block|raster|gitter|wunsch)$|von (?:mir|uns|mein\w* \w+)"
    r"|(?:from|by) me|ich (?:war|bin) (?:das|es)|(?:das|es) (?:war|bin) ich"
    r"|(?:ist|war|sind|waren|is)(?: (?:das|wirklich|auch|so))* mein(?:e|er|s)?"
    r"|(?:is|was|are|were|it's|that's)(?: really)? my|(?<=not )my|(?<=sn't )my)\b"
)
"""Says that something is the writer's own."""
MINE_IS_RIGHT: Final = re.compile(
    r"\bmeine?n? (?:\w+ )?(?:zug|block|raster|gitter|version|fassung|variante)\b.*\b(?:richtig|korrekt|stimmt|passt)\b"
)
"""Says of one's own move that it is right, and so perhaps that our reading of it isn't."""
TO_YOU: Final = re.compile(r"\b(?:du|ihr|you)\b(?<!kannst du)(?<!darfst du)(?<!koennt ihr)")
"""Speaks of what somebody else is to do."""
IN_NO_CASE: Final = re.compile(r"auf (?:gar )?keinen fall|keinesfalls|niemals")
ASKS: Final = re.compile(
    r"(?:was (?:ist|sind|war|waren|soll|stimmt|passt)"
    r"|(?:ist|sind|war|waren|stimm(?:t|en)|pass(?:t|en)|kam|kommt|stammt) (?:das|es|der|die|dies\w*|mein\w* \w+)"
    r"|(?:habe?|haben) (?:ich|wir) (?:das|es|den|ihn|die)"
    r"|(?:is|was|were|did|do|have|are)(?:n't)? (?:i|we|it|that|this|those|these|the|my))\b"
)
"""Begins like a question, although its sign may be missing."""
ASKS_BACK: Final = re.compile(
    r"(?:habe? ich|haben wir|did i|didn't i) (?:das|es|den|ihn|die|that|this|it)\b|(?:hast du|habt ihr)\b"
)
"""The same for clauses that a phrase of the tables would take for an answer."""

PIECES: Final[dict[str, str]] = {
    "more": rf"(?:\s(?!{VETO.pattern})[\w'-]+){{0,12}}",
    "gladly": r"(?: (?:gern|gerne|auch|wieder|natuerlich|sehr|jetzt|dann|mal|da|hier|das|es|mir|klar|bestimmt|sofort"
    r"|gleich|doch))",
    "it": r"(?:(?:das|so|es|alles|er|(?:der|mein) zug|der block|das raster|die mail|(?:der|dein) vorschlag) )",
    "sadly": r"(?:leider|gottes|lieber|diesmal|dieses mal|momentan|im moment|zurzeit|zur zeit|derzeit|ge?rade?|echt"
    r"|wirklich|einfach|gar|da|auch|das|mir|bei mir|doch|heute|dafuer|ich|aktuell|jetzt|so|viel|aber)",
    "play": r"(?:mitspielen|mitmachen|dabei sein|einspringen|zuschauen|zusehen|uebernehmen|teilnehmen|spielen|machen"
    r"|den platz(?: \w+)? (?:nehmen|uebernehmen))",
    "rightly": r" (?:(?:ganz |genau |voellig |absolut )?(?:richtig|korrekt|genau|gut|perfekt))",
    "understood": r"(?:gelesen|verstanden|gesehen|erkannt|gedeutet|erfasst|erraten|aufgefasst|interpretiert)",
    "file": r"(?:lassen|stehen ?lassen|nehmen|uebernehmen|eintragen|verbuchen|werten|annehmen|buchen|machen"
    r"|einreichen|abgeben|abschicken|speichern|notieren|vermerken|gelten lassen)",
    "version": r"(?:den|die|das|deine?n?) (?:verbesserten? |neuen? |korrigierten? )?"
    r"(?:block|vorschlag|version|fassung|variante|zug|korrektur)",
    "object": r"(?:den|die|das|meinen?|alle|diese[ns]?)"
    r" (?:zug|block|anmeldung|angaben|daten|termine?|urlaub|zeitraum|wunsch)",
    "as_is": r"(?: das| es| bitte| gern| gerne| genau| so| ein| auf| rein)",
    "leisure": r"(?:zeit|lust|interesse|bedarf|platz|nerven|kapazitaet)",
    "busy": r"(?:ausgelastet|ausgebucht|verplant|beschaeftigt|verhindert|ueberlastet|eingespannt)",
    "mail": r"(?:(?:die|der|das|diese|dieser)(?: mail| nachricht| zug| anmeldung| wunsch)? |mail |zug )",
    "sent": r" (?:(?:ab)?geschickt|geschrieben|gesendet)",
    "meant": r" (?:gemeint|gedacht|gewollt)",
    "here": r"(?: (?:in|bei|fuer|mit|auf|an) (?:(?:der|die|das|den|dem|einer|euch) )?(?:partie |runde )?"
    rf"(?!{VETO.pattern})[a-z-]{{3,30}})?",
    "dear": r"(?:hallo|hallihallo|hi|hey|hello|moin(?: moin)?|servus|guten (?:tag|morgen|abend)"
    r"|gruess (?:gott|dich|euch)|liebe[rs]?|dear|huhu|tach)",
    "name": rf"(?!{VETO.pattern})[a-z.'-]+",
    "join": r"(?:play|join(?: in)?|take over|take (?:it|(?:the|this|that) (?:seat|place))|step in"
    r"|help(?: out)?|watch|do (?:it|so|that))",
}
"""`here` is `bei Eriwan`, where the question was about it; `more` goes on without any word that takes back."""

YES_GERMAN: Final = r"""
(?:aber )?ja+(?: doch| bitte| freilich)?|freilich
jawohl|jawoll|jo+a?h?|j[aeu]p+
(?:na |aber )?klar(?: doch)?|klaro|(?:na )?logo|logisch
(?:aber |ja )?natuerlich|(?:aber )?selbstverstaendlich|(?:na |aber |ganz )?sicher(?: doch)?|(?:na |aber )?gewiss
(?:sehr |aber |liebend |wirklich |auch |total |ja |nur |herzlich )?gerne?(?: doch)?
mit (?:vergnuegen|freuden?|vielem vergnuegen)|jederzeit(?: gerne?)?|immer (?:gerne?|doch)|ich will
alles klar|geht klar|wird gemacht|abgemacht|gebongt|geritzt|meinetwegen|von mir aus|in ordnung|okidoki|top
unbedingt|auf jeden fall|auf alle faelle|definitiv|absolut
(?:ich bin |bin )?(?:damit |ganz |voll )*einverstanden
(?:das |es |alles |so )*(?:geht|ist) (?:fuer mich |von mir aus |so |alles )*(?:klar|in ordnung|ok|okay|gut so)(?: so)?
(?:das |es |alles |so )*ist (?:fuer mich |so |alles |voellig |ganz |absolut |genau )*(?:richtig|recht|korrekt)(?: so)?
<it>*(?:passt|stimmt)(?:'s)?(?: so| genau| mir| gut| alles| fuer mich| das| es)*|gut so
(?:das )?passt schon?|(?:das |es )?haut(?: so)? hin|alles (?:bestens|prima|super|paletti)|exakt|haargenau
so ist(?:'s| es)(?: richtig| gut| recht| korrekt)?|so machen wir(?:'s| es| das)?|akzeptiert|genehmigt
genau(?: so| das| richtig)*|so (?:richtig|korrekt)
(?:genau |ganz |alles )?(?:richtig|korrekt)(?: so| gelesen| verstanden| erkannt)?
da (?:sag|sage|kann) ich(?: doch| ja)? nicht nein(?: sagen)?
(?:dem |ich )*stimme?(?: ich)?(?: dem| da| gerne?| voll)* zu
(?:hiermit )?(?:ich )?bestaetige?(?: ich)?(?: hiermit| gerne?| das| es| <object>| die mail)*|bestaetigt
"""
YES_TO_SEAT_GERMAN: Final = r"""
an mir soll(?:'s| es) nicht liegen
(?:ich )?(?:helfe?|stehe?)(?: ich)?<gladly>* (?:aus|bereit)
(?:ihr koennt |du kannst )?auf mich (?:zaehlen|rechnen)|(?:zaehlt?|rechnet?) (?:auf mich|mit mir)
(?:ich )?(?:mach|tu)e?'s(?: gerne?)?
(?:das |es )?(?:ist|waere) mir (?:eine? )?(?:freude|ehre|vergnuegen|fest)
(?:ich )?nehme?(?: ich)?<gladly>* (?:den platz|die (?:partie|aufgabe)|das angebot|den vorschlag)(?: gerne?)? an
(?:bitte )?(?:trag|tragt|tragen sie|schreib|schreibt) (?:mich|uns)(?: bitte| gerne?| dann)* ein
(?:gern|gerne|auch|wieder|natuerlich|sehr gerne?) dabei
(?:da )?(?:bin ich|ich bin|bin|waere ich|ich waere)<gladly>*(?: mit)? (?:dabei(?: sein)?<here>|von der partie)
(?:ich |da |dann )?mach(?:e|'|en)?(?: ich| wir)?<gladly>*(?: mit)?<here>
(?:ich )?spiele?(?: ich)?<gladly>*<here><gladly>* mit
(?:ich )?nehme?(?: ich)?<gladly>* (?:an der partie |am spiel |daran )?teil
(?:ich )?springe?(?: ich)?<gladly>*<here><gladly>* ein
(?:ich )?(?:uebernehme?|nehme?)(?: ich)?(?:<gladly>| den platz| ihn)+<here>|uebernehme? ich
ich (?:moechte|will|wuerde|mag|kann|komme)<gladly>*<here><gladly>* <play>
(?:ich |wir )?sag(?:e|en)?(?: ich)?(?: gerne?)? zu|zusage|zugesagt
"""
YES_TO_READING_GERMAN: Final = r"""
(?:das )?trifft(?: so)? zu
das bin ich(?: gewesen)?
(?:perfekt|genau|gut|super|voll)<gladly>* (?:getroffen|erfasst)|(?:perfekt|genau|gut) <understood>
(?:genau )?(?:so|das) (?:war|ist|hab(?:en?)?|hatten?)(?: ich| wir)?(?:'s| es| das| ihn)?(?: auch)?<meant>
(?:genau )?(?:so|das) meint?e ich(?: es|'s| das)?(?: auch)?
(?:das |die mail )(?:hab|habe) ich(?: selbst| so| wirklich)*<sent>
(?:das |er |es )ist (?:auch |genau |wirklich )?mein(?:er|e|s| zug| wunsch)?
(?:das |so |genauso )?seh(?:e|')? ich (?:auch so|genauso)
so (?:soll|kann|darf) (?:es|das|er)(?: auch)? (?:sein|bleiben|gelten)
(?:(?:das |so |alles |den zug )hast du|du hast)(?: das| es| mich| den zug| alles| so)*<rightly> <understood>
(?:das |es |den zug |ihn |so |alles )+(?:kannst|koennt|koennen)(?: du| ihr| sie| so| alles| gern| gerne| ruhig)* <file>
(?:kannst|koennt)(?: du| ihr| gern| gerne| ruhig)* so <file>
(?:bitte )?so <file>(?: bitte)?|bitte <file>
(?:bitte )?(?:nimm|nehmt|werte|uebernimm)(?: bitte| gern| einfach| ruhig)* <version>
(?:bitte )?(?:nimm|nehmt|nehmen sie|werte|trag)(?: ihn| den(?: zug)?|<as_is>)*
(?:bitte )?(?:mache?|schreibe?|notiere?|buche?|uebernimm)(?: ihn| den(?: zug)?|<as_is>)+
(?:das |die mail |der zug )?(?:war|bin) ich(?: selbst| selber| wirklich| tatsaechlich)?
ich (?:bin|war)(?:'s| es)(?: selbst| wirklich| gewesen)*
<mail>?(?:ist|war|kam|kommt|stammt)(?: wirklich| tatsaechlich| auch)? von mir|von mir
"""
YES: Final = r"ok(?:ay|ey|i|e|ee)?|o\.k"
YES_ENGLISH: Final = r"""
yes(?: please| indeed| of course| sure)?|yeah|yea|yep|yup|sure(?: thing)?|of course|by all means
fine(?: with me| by me)?|sounds (?:good|great|fine|right|ok|okay)(?: to me)?|correct|right
exactly(?: right)?|agreed|confirmed|accepted
absolutely|definitely|certainly|gladly|with pleasure|please do|go ahead|take it|will do|you bet|indeed|deal
i (?:confirm|agree|accept)(?: it| that)?
(?:that )?works(?: for me)?|do (?:it|so|that)
(?:i'm|i am) fine with (?:it|that)|(?:that|it)(?:'s| is) (?:fine|right|correct|ok|okay|good)(?: with me| by me)?
(?:all|looks|that looks|it looks) (?:good|right|fine|correct)(?: to me)?
"""
YES_TO_SEAT_ENGLISH: Final = r"""
(?:i am |i'm |i'd be |i would be )?(?:very )?(?:happy|glad) to(?: <join>)?
(?:i am|i'm|im|count me) in
i(?:'ll| will| can)(?: gladly| happily)? <join>(?: gladly)?
(?:i(?:'d| would) )?(?:really )?(?:love|like) to(?: <join>)?
(?:please )?(?:sign me up|put me (?:in|down)|enter me)|you can count on me
"""
YES_TO_READING_ENGLISH: Final = r"""
that(?:'s| is) (?:me|mine|my move|my mail|it)
(?:please )?(?:file|keep|let) it(?: stand)?(?: like)?(?: that| this)?
(?:please )?(?:enter it|use (?:it|that|your version))
(?:it|that) was me|it(?:'s| is) (?:mine|me|from me)
(?:(?:that|this|it)(?:'s| is| was)? )?(?:exactly |just )?(?:what|how) i (?:had )?(?:meant|sent|wrote|wanted)(?: it)?
you (?:have |'ve )?(?:got|read|understood) (?:it|that|me|my move) (?:right|correctly|perfectly)
i (?:sent|wrote|meant|did send|did write) (?:it|that|this)|i did
"""
NO_GERMAN: Final = r"""
(?:aber |ach )?nein+(?: danke)?|bedau(?:re|ere)(?: nein)?
noe+|nee+|ne|danke nein|absage|ohne mich|falsch|das ist falsch|so nicht
nix da|nicht (?:in )?(?:diese[mnrs]?) (?:jahr|mal|runde|monat|woche|saison)
(?:da |hier |du )*hast(?: du)? (?:mich|das|es|den zug)(?: wohl| leider| aber)* (?:falsch <understood>|missverstanden)
nicht (?:mehr )?(?:noetig|fuer mich|mit mir|von mir|meiner|meine|meins|dabei|jetzt|heute)
(?:lieber|besser|bitte|leider|bloss|heute|jetzt|momentan|zurzeit|derzeit|im moment) nicht
(?:(?:ganz|sehr|ziemlich) )?(?:sicher|bestimmt|gewiss|definitiv|absolut)(?: <sadly>)* nicht
(?:das |da |daraus )?wird(?: das| da| daraus| es)?(?: <sadly>)* nichts
(?:damit |mit dem zug )(?:habe? ich|ich habe?)(?: <sadly>| ueberhaupt)* (?:nichts|nix) zu (?:tun|schaffen)
(?:das |die mail |den zug )?kenne? ich(?: <sadly>| ueberhaupt)* nicht
(?:das )?(?:war|ist|muss)(?: wohl)? (?:jemand|wer) anders?(?: gewesen(?: sein)?)?
(?:davon|darueber|von dem zug|von einem zug) weiss ich(?: <sadly>| gar)* nichts
(?:ich )?bin(?: ich)?(?: <sadly>| schon| voll| bereits| zu| total| komplett)* <busy>
(?:lieber |leider )?doch nicht|leider (?:nein|nee)
(?:<sadly> )*(?:leider(?: gottes)?|diesmal|dieses mal)(?: <sadly>)* (?:nein|nicht|nee)
(?:ich )?(?:<sadly> )*passe?(?: ich)?(?: <sadly>)*
(?:da |diesmal )?(?:muss ich|ich muss|muss)(?: <sadly>)* (?:nein sagen|passen|absagen|ablehnen|verzichten)
(?:ich )?(?:<sadly> )*(?:hab |habe |haette )?(?:<sadly> )*keinen? <leisure>(?: <sadly>| mehr| dazu)*
(?:das )?kommt(?: fuer mich| das| <sadly>)* nicht in(?: die)? frage
(?:kein (?:interesse|bedarf)|keine (?:zeit|lust))(?: (?:mehr|dafuer|dazu|zum spielen))*
auf (?:gar )?keinen fall|keinesfalls|niemals|nie im leben
(?:das |die mail |der zug )?(?:war|bin) ich(?: aber| leider| gar| ganz sicher| bestimmt)* nicht(?: gewesen)?
<mail>?(?:ist|war|kam|kommt|stammt)(?: aber| gar| ganz sicher)* nicht von mir
(?:das |die mail |den zug )?(?:ich )?habe?(?: ich)?(?: das| es| so| den zug| ihn| aber)* nicht(?:<sent>|<meant>)
(?:das |die mail |den zug )?habe? ich(?: so| aber)* nie(?:<sent>|<meant>)
ich (?:war|bin)(?:'s| es)(?: aber)? nicht(?: gewesen)?|trifft(?: so)? nicht zu|ausgeschlossen|negativ|keine chance
(?:ich )?(?:bin|waere)(?: ich)?(?: <sadly>)* nicht da
(?:das |mir )?(?:ist|wird)(?: das| mir)+(?: <sadly>| alles)* zu ?(?:viel|stressig|schwer|anstrengend|knapp|aufwendig)
keine (?:zeit|lust|nerven) (?:fuer|zu|auf|um)<more>
(?:das )?(?:kriege?|bekomme?) ich(?: zeitlich| <sadly>)* nicht hin|zeitlich (?:geht|passt) (?:es|das)(?: <sadly>)* nicht
(?:so |das )(?:war|ist)(?: es| das| aber| so)* nicht gemeint|(?:das|so) meint?e ich(?: das| es| so| aber)* nicht
(?:das ist |ist )?nicht (?:richtig|korrekt|mein zug|mein ding|mein fall)
(?:bitte )?(?:lass|lasst)(?: es| das| mal| lieber| bitte| gut| besser)+(?: sein| bleiben)?
(?:leider )?passt (?:es|das)(?: <sadly>)* nicht
(?:das |so |es )*(?:stimmt|passt)(?: so| leider| mir| aber| gar| das| es)* nicht(?: so)?
(?:das |es |bei mir )*geht(?: <sadly>)* nicht
(?:das )?(?:ich )?(?:kann|moechte|will|mag|schaffe?)(?: ich)?(?: <sadly>)* nicht(?: <play>)?
(?:ich )?(?:moechte|will)(?: <sadly>)* (?:absagen|ablehnen|verzichten)
(?:ich )?sage?(?: <sadly>)* ab|(?:ich )?lehne?(?: ich)?(?: das| leider| dankend)* ab
(?:ich )?verzichte?(?: ich)?(?: lieber| dankend| diesmal)*
(?:ich )?(?:bin|waere)(?: ich)?(?: diesmal| leider)* (?:raus|nicht dabei)
"""
NO_ENGLISH: Final = r"""
(?:definitely|absolutely|certainly|surely) not
no way|no(?: thanks| thank you| sorry)?|nope|nah|(?:please )?(?:don't|do not)|never|wrong|declined|count me out
not (?:this time|now|right now|me|for me|mine|today|really|interested|at the moment)
(?:i(?:'d| would) )?rather not|unfortunately (?:not|no)|afraid not
(?:i(?:'m| am) )?too (?:busy|much|hard|stressful)(?: for me)?
i(?:'m| am) (?:out|not interested|afraid not|sorry no)|i (?:decline|refuse)
(?:i(?:'m| am) afraid )?(?:i )?can(?:'t| ?not)(?: make it| play| do it| do that| right now| at the moment| this time)*
(?:i(?:'ll| will|'ll have to| have to)? )?pass(?: this time)?
(?:i )?(?:have |got )?no time(?: right now| at the moment| for it)*
that(?:'s| is) (?:wrong|not (?:right|mine|me|correct|from me|my \w+))
(?:it |that )?(?:wasn't|was not|isn't|is not) (?:me|mine|from me)
(?:i )?(?:don't|do not) (?:want to|have (?:the |any )?time)(?: play| join)?
i (?:didn't|did not)|negative|i (?:have to|must) decline
i won't|no can do|(?:i )?(?:i'll |will )?have to say no|not from me
(?:i )?(?:don't|do not) (?:recogni[sz]e|know) (?:it|that|this)(?: mail| message| move)?
(?:i )?(?:didn't|did not|never) (?:send|sent|write|wrote|mean|meant) (?:it|that|this|anything)(?: mail| message| move)?
"""
ANOTHER_TIME: Final = (
    r"na ja+\b|(?:aber |vielleicht |gerne? |dann |ja )*"
    r"(?:ein (?:andermal|anderes mal|andernmal)|beim naechsten(?: mal)?"
    r"|(?:das |ein )?naechstes? mal|spaeter(?: mal)?|naechstes jahr|next time|another time|some other time|later)"
    r"(?: vielleicht| wieder| gerne?| dann| bin ich| dabei| bestimmt| sicher| ja| then| maybe)*"
)
COURTESIES: Final = r"""
<dear>(?: zusammen| alle| allerseits| ihr lieben| there| all| again)?
<dear> <name>
<dear> <name> <name>
<dear> <name> (?:und )?<name> <name>
sehr geehrter?(?: \w+){1,3}
(?:aber |trotzdem |und )?(?:ich |wir )?(?:danke|bedanke mich)(?: dir| euch| ihnen| schoen| sehr| vielmals| nochmals?)*
(?:aber |trotzdem |und )?(?:danke|bedanke mich)(?: dir| euch| schoen| sehr)* (?:fuers?|der|zurueck|im voraus)<more>
(?:aber |trotzdem |und )?(?:vielen|herzlichen|besten|schoenen|lieben|tausend)(?: lieben| herzlichen)? dank
(?:aber |trotzdem |und )?(?:vielen|herzlichen|besten|schoenen|lieben) dank (?:fuers?|im voraus)<more>
dank(?:e|end)?|merci|(?:but |and )?(?:many thanks|thanks?(?: you)?|thx)(?: a lot| very much| so much| anyway)*
(?:many )?thank(?:s| you) for<more>
bitte(?: schoen| sehr)?|please|(?:i(?:'m| am) )?sorry(?: for<more>)?
entschuldig(?:ung|e|t)(?: bitte| die<more>| fuers?<more>)?|(?:es )?tut mir leid (?:wegen|fuers?)<more>
(?:ich )?(?:hab|habe)(?: ich)? mich(?: da| wohl| nur| leider)* (?:vertippt|vertan|verschrieben)
(?:den zug |ihn )?(?:ich )?habe?(?: ich)?(?: den zug| ihn| es| das| selbst| so)*<sent>|warum nicht|why not
freut mich(?: sehr| riesig)?|(?:das )?hoert sich gut an
(?:es )?tut mir (?:sehr |echt |wirklich |ja )*leid|schade|leider|unfortunately|gern geschehen
(?:und )?(?:ich |wir |da )?freu(?:e|en)?(?: ich| wir)?(?: mich| uns| schon| sehr| auch| riesig| total)*
(?:und )?(?:ich |wir )?freu(?:e|en)?(?: mich| uns| schon| sehr| auch)* (?:auf|darauf|drauf|dass|ueber)<more>
super(?: idee| sache)?|prima|klasse|toll|fein|schoen|cool|great|perfekt|perfect|nice|wunderbar|spitze|juhu+|hurra|yay
ich bin (?:mir )?(?:da )?(?:ganz |absolut |voellig )?sicher|i(?:'m| am) (?:quite |very |absolutely )?sure
wow|haha|hihi|endlich|gut|na gut|nun gut|also|so|nun|na|na dann|dann(?: mal)?|und|and|&|well
but(?= (?:no|yes)\b)|alles gut
(?:dann )?(?:los|auf) geht(?:'s|s| es)|viel (?:spass|glueck|erfolg|vergnuegen)<more>|have fun|alles gute
bis (?:bald|dann|demnaechst|zum naechsten mal)|see you(?: soon)?|vg|lg|cheers
(?:einen? )?schoene[nsr]? (?:tag|woche|abend|sonntag|wochenende|gruesse?|zeit|feiertage)(?: noch)?
ach|och|oh|ah|tja|aeh+m?|puh|uff|ups|naja|ich (?:be)?fuerchte|i fear
(?:das ist )?(?:gar |ueberhaupt )?kein (?:problem|thema|ding)|no problem|ich auch|wie (?:immer|gewohnt)
(?:i(?:'m| am) )?(?:really )?look(?:ing)? forward(?: to<more>)?
(?:das )?klingt gut|gute idee|wie nett|(?:das ist |wie )?lieb von (?:dir|euch)
(?:die )?antwort(?: ist)?|(?:my |the )?answer(?: is)?
"""


class Phrase(NamedTuple):
    """What is left of a clause may begin with it."""

    kind: str
    language: Language | None
    topic: Topic
    pattern: re.Pattern[str]


def _rows(kind: str, language: Language | None, lines: str, topic: Topic = "") -> Iterator[Phrase]:
    for line in lines.strip().splitlines():
        pattern = re.sub(r"<(\w+)>", lambda found: PIECES[found[1]], line)
        yield Phrase(kind, language, topic, re.compile(rf"(?:{pattern})(?:\s+|$)"))


TABLE: Final[tuple[Phrase, ...]] = (
    *_rows("no", "de", NO_GERMAN), *_rows("no", "en", NO_ENGLISH), *_rows("later", None, ANOTHER_TIME),
    *_rows("yes", "de", YES_GERMAN), *_rows("yes", "de", YES_TO_SEAT_GERMAN, "seat"),
    *_rows("yes", "de", YES_TO_READING_GERMAN, "reading"), *_rows("yes", None, YES), *_rows("yes", "en", YES_ENGLISH),
    *_rows("yes", "en", YES_TO_SEAT_ENGLISH, "seat"), *_rows("yes", "en", YES_TO_READING_ENGLISH, "reading"),
    *_rows("polite", None, COURTESIES),
)  # fmt: skip

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
