"""The closed table of phrases in English, as in `phrases`; and which words stand in a clause unnoticed."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from games.api import Language
from parsers.commands.prose.phrase_words import BULLETIN, EN_AWAY, EN_CAN_SEND, EN_OVERVIEW, I_WANT, LAST, MAY_I, MY
from parsers.commands.prose.phrases import GERMAN, Phrase, ask, tell

JOIN_IN = (
    r"(?:join|get into|get in|play|play along|take part|participate|join in|joining|playing|be part)(?: as player)?"
)
WATCHING = r"(?:watch|watching|follow|following|spectate|observe)(?: along)?"
REPORT = rf"(?:{BULLETIN}|report|results|round report)"
NOW = r"(?:current |latest |present )?"
POSITION = rf"{NOW}(?:position|standings?|score|scores|status|board)"
MOVE = rf"{MY}(?:last |latest )?move"
LIST = r"(?:standby|reserve|waiting|substitutes?) ?list"
LONGER = r"(?:any more|anymore|any longer)"

ENGLISH: Final[Mapping[str, Sequence[Phrase]]] = {
    "join": [
        *tell(rf"{I_WANT} {JOIN_IN}", r"sign me up", r"put me down", r"i (?:will|shall) (?:join|play)",
        rf"{I_WANT} seat"),
        *tell(r"count me in?", r"i am in", r"i join", r"let me (?:join|play)", needs="game"),
        *ask(
            rf"(?:how )?{MAY_I} {JOIN_IN}", r"how do i (?:join|sign up|take part)",
            r"(?:do you have|have you got|have you|is there|are there) (?:any |still |free |open )*(?:seats?|spots?"
            r"|places?|room)"
            r"(?: free| left| open| available| for me)*",
            rf"(?:i )?(?:if |whether )i (?:can|could|may|might) {JOIN_IN}",
        ),
    ],
    "standby": [
        *tell(
            rf"(?:put|add|set)(?: me)? (?:on|down) {LIST}", rf"{I_WANT}(?: be)? on (?:standby|{LIST})",
            rf"{I_WANT} be (?:standby|substitute|reserve|stand in|standin)",
            r"i (?:can|could|would|will) (?:fill|step|jump|stand)(?: in)?",
            r"i would be (?:happy |glad )?(?:step|fill|jump) in",
            rf"add me {LIST}", rf"{I_WANT} (?:join |on )?{LIST}", rf"{I_WANT} (?:fill|step|jump|stand) in",
        ),
        *ask(rf"(?:can|could|would) you (?:put|add) me (?:on )?{LIST}", rf"{MAY_I} (?:be|go) on {LIST}"),
    ],
    "watch": [
        *tell(rf"{I_WANT} {WATCHING}", r"i (?:will|shall) watch", rf"{I_WANT} be spectator",
        r"i am (?:happy )?watching"),
        *ask(rf"(?:how )?{MAY_I} {WATCHING}"),
    ],
    "resign": tell(
        r"i (?:quit|resign|give up|drop out|am out|am quitting|am dropping out|am resigning|am giving up)",
        rf"(?:{I_WANT}|i have|i need|i must|i will have|i am going) (?:stop|quit|resign|stop playing|drop out|give up"
        rf"|withdraw)",
        rf"i (?:cannot|can not|do not want|will not) (?:play|continue|go on|take part) {LONGER}",
        r"i (?:cannot|can not) (?:continue|go on)",
        r"i can no longer (?:play|continue|take part)", r"i (?:have|must|need) stop", r"(?:sign|take) me (?:off|out)",
    ) + tell(r"i (?:leave|am leaving|withdraw|am withdrawing)", rf"(?:{I_WANT}|i have|i must|i need) leave",
    needs="game"),
    "vacation": tell(
        rf"(?:i )?(?:am|will be|shall be)(?: be)?(?: going)? {EN_AWAY}", rf"{EN_AWAY}",
        r"i (?:have|take|am taking|am having) (?:holidays?|vacation)",
        r"i (?:go|am going|will go|leave|am leaving) (?:on )?(?:holidays?|vacation|away)",
        rf"{MY}(?:vacation|holidays?)(?: is| are)?",
        r"i (?:cannot|can not|will not|am not able|will not be able) (?:play|move|reply|answer|send moves?|send any"
        r" moves?)",
        r"i will be (?:on )?(?:holidays?|vacation)", needs="days",
    ),
    "extension": [
        *tell(
            r"i (?:need|would need|would like|want|could use) (?:some |bit |little )?(?:more|extra) time", r"more time",
            r"extension",
            r"i (?:need|would like|want|request)(?: have)? extension", r"(?:extend|postpone|move) deadline",
        ),
        *tell(r"i (?:need|would need|would like|want)(?: have)? (?:more|extra|longer)", r"(?:more|extra|plus)",
        needs="span"),
        *ask(
            rf"{MAY_I} (?:have|get) (?:some |bit |little )?(?:more time|extra time|longer|extension)",
            r"(?:can|could|would) you (?:extend|postpone|move|delay) deadline(?: by)?",
            r"is there any chance more time", r"is (?:it )?possible (?:have|get) more time",
        ),
        *ask(
            rf"{MAY_I} (?:have|get|take|send (?:my )?move)(?: more| extra| later)?",
            r"is (?:ok|okay|fine|early enough|soon enough)", needs="days",
        ),
        *tell(r"i (?:need|would need)(?: time)?", r"give me(?: time)?", needs="days"),
        *ask(rf"{MAY_I} (?:have|get) (?:more|extra|longer)", needs="span"),
    ],
    "withdraw": [
        *tell(
            rf"(?:i )?(?:withdraw|retract|take back|cancel) {MOVE}", rf"(?:i )?take {MOVE} back",
            rf"{I_WANT} (?:withdraw|retract|take back|cancel) {MOVE}",
            rf"{I_WANT} take {MOVE} back", rf"(?:forget|ignore|cancel) {MOVE}",
        ),
        *ask(rf"{MAY_I} (?:withdraw|retract|take back|cancel) {MOVE}", rf"{MAY_I} take {MOVE} back"),
    ],
    "rules": [
        *tell(rf"{EN_CAN_SEND} rules", rf"{I_WANT} (?:have |see |read |get )?rules", r"rules", r"i need rules"),
        *ask(
            rf"{EN_CAN_SEND} rules", rf"{MAY_I} (?:have|see|get) rules", r"(?:what|where) are rules",
            r"where (?:can|do) i find rules",
            r"(?:can|could) you explain rules", r"(?:do you have|are there) rules",
        ),
    ],
    "position": [
        *tell(rf"{EN_CAN_SEND} {POSITION}", rf"{I_WANT} (?:have |see |get )?{POSITION}"),
        *ask(
            r"when is (?:next )?(?:deadline|zat)", r"(?:when|by when) (?:do i have|must i|should i|do i need)(?: to)?"
            r" (?:move|send|reply)(?: my move)?", r"how (?:long|much time) (?:do|have) i (?:have|got)(?: left)?",
            r"(?:did|have) you (?:get|got|received|receive) my (?:move|mail|email)",
            r"(?:has|did) my (?:move|mail|email)"
            r" arrived?", r"who is (?:leading|winning|ahead|first)", r"who leads",
            r"how many points (?:do|have) i(?: have)?",
            rf"what is {POSITION}", r"how (?:does|do) game stand", r"whose turn is it", r"who is next",
            r"is it my turn", r"how do we stand",
            r"who is move", rf"{EN_CAN_SEND} {POSITION}", rf"{MAY_I} (?:have|see|get) {POSITION}",
            r"whose (?:move|turn)(?: is it| is)?", r"how do i stand",
            r"where do i stand",
        ),
        *ask(r"how (?:does|do) (?:it )?stand", r"how is (?:it )?(?:going|standing)", r"how are things", needs="game"),
    ],
    "history": [
        *tell(
            rf"{EN_CAN_SEND} {LAST}{REPORT}", rf"{I_WANT} (?:have |see |get )?{LAST}{REPORT}",
            rf"i (?:have )?(?:lost|deleted|missed|did not get|never got) {LAST}{REPORT}", rf"{LAST}{BULLETIN}",
            rf"i need {LAST}{REPORT}",
        ),
        *ask(rf"{EN_CAN_SEND} {LAST}{REPORT}", rf"{MAY_I} (?:have|see|get) {LAST}{REPORT}"),
    ],
    "games": [
        *tell(r"(?:list|show|send)(?: me)? (?:all |open |running |list )*games"),
        *ask(
            r"(?:what|which) (?:open |other |running |kind )?games (?:are there|do you have|are open|are running|do"
            r" you offer|can i play"
            r"|can i join|are available|are on|are you running|do you run|do you play)", r"what can i play",
            r"are there (?:any |open |other )*games",
            r"(?:what|which) games",
        ),
    ],
    "my_games": [
        *tell(r"my games", r"(?:list|show|send)(?: me)? my games"),
        *ask(r"(?:what|which) games am i (?:in|playing|playing in)", r"(?:what|which) are my games",
        r"where am i playing"),
    ],
    "help": [
        *tell(
            r"(?:i )?(?:do not|cannot) (?:understand|get)(?: how)?(?: it)?(?: works?| goes)?", r"help",
            r"(?:i )?need help", r"help me",
            r"i am (?:lost|confused|stuck)", r"(?:send|give|show)(?: me)? (?:instructions|help|commands|manual)",
            r"i do not know how(?: it)?(?: works?)?",
            r"i have no idea how works?",
            r"how it works",
        ),
        *ask(
            r"how (?:does|do|did)(?: it| i)?(?: work| play| move| send (?:my |in )?moves?| go)",
            r"can (?:you|somebody|anyone|anybody) help(?: me)?",
            r"could you help(?: me)?", r"what (?:can|do|must|should) i (?:have )?(?:do|write|send)",
            r"what are commands",
            r"how is (?:it )?played",
            r"how do you play", r"how it works",
        ),
    ],
    "digest": tell(
        rf"no (?:more )?{EN_OVERVIEW}(?: {LONGER})?", rf"unsubscribe(?: me)?(?: {EN_OVERVIEW})?",
        rf"stop (?:sending )?(?:me )?{EN_OVERVIEW}",
        rf"i (?:do not (?:want|need)) {EN_OVERVIEW}(?: {LONGER})?",
        rf"{I_WANT} (?:no more|unsubscribe|stop) {EN_OVERVIEW}", rf"cancel {MY}{EN_OVERVIEW}",
        rf"do not send(?: me)? {EN_OVERVIEW}(?: {LONGER})?",
    ),
    "english": [
        *tell(rf"(?:(?:write|reply|answer|{I_WANT}|mails|speak)(?: me)?(?: have)? )?(?:mails |emails )?(?:in"
        rf" )?english"),
        *ask(
            r"(?:can|could|would) you (?:write|answer|reply)(?: me)?(?: mails)? in english",
            rf"{MAY_I} (?:have|get)(?: mails| emails| them)? in english",
        ),
    ],
    "german": [
        *tell(rf"(?:(?:write|reply|answer|{I_WANT}|mails)(?: me)?(?: have)? )?(?:mails |emails )?in german"),
        *ask(r"(?:can|could|would) you (?:write|answer|reply)(?: me)?(?: mails)? in german"),
    ],
    "my_data": [
        *tell(
            r"(?:send|show|give)(?: me)?(?: all)? my (?:personal )?data", r"copy my (?:personal )?data",
            rf"{I_WANT}(?: have| see)?(?: all| copy)? my (?:personal )?data",
        ),
        *ask(
            r"(?:what|which)(?: personal)?(?: data)? (?:do you|have you) (?:have|store|hold|keep|stored|saved|know)"
            r"(?: about| on) me", r"(?:can|could) (?:i have|you send(?: me)?)(?: all| copy)? my (?:personal )?data",
        ),
    ],
    "forget": [
        *tell(
            r"(?:delete|erase|remove|forget) (?:me|(?:all )?my (?:personal )?(?:data|account|profile))"
            r"(?: completely| entirely)?", rf"{I_WANT} (?:be )?(?:deleted|forgotten)",
            rf"{I_WANT} (?:delete|erase)(?: all)? my (?:data|account)",
        ),
        *ask(r"(?:can|could|would) you (?:delete|erase|remove) (?:all )?my (?:personal )?(?:data|account)"),
    ],
    "beside": ask(r"is (?:it )?(?:possible|ok|okay)", r"is (?:it )?too late"),
    "beside join": tell(
        r"if (?:it is |is |it )?(?:possible|ok|okay|all right|works)", r"if you do not mind", r"if i may",
        r"if (?:there is |you have |there are )?(?:any |free )*(?:seats?|spots?|places?|room)(?: free| left| open)*",
    ),
    "beside standby": tell(
        r"(?:if|when|whenever) (?:someone|somebody|anyone|anybody|player) (?:drops|leaves|quits|resigns|is"
        r" missing)(?: out)?",
        r"(?:if|when|whenever) (?:needed|you need (?:me|someone))",
    ),
}  # fmt: skip

PHRASES: Final[Mapping[Language, Mapping[str, Sequence[Phrase]]]] = {"de": GERMAN, "en": ENGLISH}

FILLERS: Final = frozenset(
    """
    bitte gern gerne sehr doch mal einfach leider jetzt nun also auch wohl eigentlich nur kurz schon hiermit lieber
    dann so noch hier total unbedingt wirklich endlich wieder eben halt uebrigens sofort zusammen euch euer eure
    eurem eurer eures deinem deiner deinen dein dir ihnen uns es das der die dem den des ein eine einem einen einer
    eines bei beim zu zum zur von vom fuer an am partie spiel runde in im ins denn gerade aktuell momentan derzeit
    danke dank vielen nochmal nochmals erneut einmal naechsten neuen neue neuer demnaechst weiterhin gleich diesmal
    daran davon dafuer kurzfristig heute jederzeit selbst selber allerdings wahnsinnig furchtbar hoffentlich tut
    mir leid ab sogar irgendwie natuerlich nen ne ueber grade kuenftig please just kindly really now also very"
    r" much actually
    unfortunately
    sadly so again too then the a an your with of at for from to once game there this that these new thanks thank
    by well currently still right hereby sorry already hi hallo hello hey moin servus wollte fragen wissen wanted
    ask know
    """.split()  # noqa: SIM905  a list of words reads best as a text
)
"""Small words, plain, that change nothing in a wish."""

UNSURE: Final = frozenset(
    """
    wenn falls sobald sofern solange bevor vielleicht eventuell evtl evt moeglicherweise ggf gegebenenfalls oder
    aber jedoch nein schrieb schreibt schrieben sagt sagte sagten meint meinte fragt fragte dachte denke glaube
    glaubte ueberlege ueberlegt ueberlegen hiess heisst witz scherz ironie angeblich ungewiss unsicher
    irgendwann hypothetisch dass if unless maybe perhaps whether when or but however wrote writes said says told
    tells asked asks thinks thought think considering presse press joke joking kidding possibly
    """.split()  # noqa: SIM905  a list of words reads best as a text
)
"""Words beside a wish with which it isn't plain: conditions, doubts, what others say."""


def literal_words() -> frozenset[str]:
    """List all words that stand in the phrases, or are fillers: none of them is a game's name."""
    patterns = (phrase.pattern for table in PHRASES.values() for kind in table.values() for phrase in kind)
    found = (word for pattern in patterns for word in _words(pattern))
    return FILLERS | UNSURE | {"i", "a", *found}


def _words(pattern: str) -> Iterator[str]:
    """Yield the words of a pattern, with and without a last letter that may be missing."""
    for word in re.finditer(r"(?P<begin>[a-z']+)(?P<last>[a-z])(?P<may_lack>\??)", pattern):
        yield word["begin"] + word["last"]
        if word["may_lack"]:
            yield word["begin"]
