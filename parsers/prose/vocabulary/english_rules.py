"""The closed table in English, as in `german_rules`; and the words of both languages that cast doubt on a wish."""

from collections.abc import Mapping
from typing import Final

from games.api import Language
from parsers.prose.vocabulary.english_words import SHORT, SMALL, WORDS
from parsers.prose.vocabulary.german_rules import GERMAN
from parsers.prose.vocabulary.meanings import Vocabulary, rules

RULES: Final = [
    *rules(
        "join",
        "be can have i in is let me play seat want will",
        tell="""playin want / play want / play will +game / i play +game / playin will / i playin +game / signed
        / me signed / seat want / be i in +game / let me playin +game / signed want / signed will
        / in want +game / try want +game""",
        ask="""can playin / can play / how playin / can playin whether / can signed / can signed you / how signed
        / can try +game""",
    ),
    *rules(
        "join",
        "can do have how i is want",
        ask="do how playin / do how signed",
    ),
    *rules(
        "join",
        "all be can do free have i is it me more there want whether you",
        ask="free seat / seat there / seat want / have seat / is seat",
    ),
    *rules(
        "standby",
        "be can drops have i is list me put someone want when_someone will",
        tell="""list put / list want / substitute want / can i standin / i standin will / i standin want
        / be i substitute / me put substitute / list signed / be i list""",
        ask="can list put / be can list / list put you / can list",
    ),
    *rules(
        "standby",
        "me you",
        ask="list signup you",
    ),
    *rules(
        "watch",
        "be can have how i is me want will",
        tell="want watch / watch will / be i watch / want watcher / i watch +game / want watch watcher",
        ask="can watch / how watch / can watcher / can watch watcher",
    ),
    *rules(
        "resign",
        "be have i me must want will",
        tell="""i quit / quit want / must quit / quit will / be i out / i leave +game / leave want +game
        / leave must +game / leave will +game / me off take / be leave +game / me out take / out want +game
        / be done i +game / me remove +game""",
    ),
    *rules(
        "resign",
        "be can do goon have i no want will",
        tell="goon longer no / can continue no / continue no will / goon no_longer",
    ),
    *rules(
        "resign",
        "can me will you",
        ask="can me off take / can me out take",
    ),
    *rules(
        "vacation",
        "away be do go have holiday i is me my until we will",
        tell="""away be +days / away i +days / away we +days / away +days / holiday +days / be holiday +days
        / go holiday +days / away go +days / holiday my +days""",
    ),
    *rules(
        "vacation",
        "be can do go have here holiday i move my net reply we will",
        tell="""can no reply +days / be here no +days / be no reply +days / no reply will +days / here no +days
        / net no +days / be net without +days / net without +days""",
    ),
    *rules(
        "extension",
        "back be can chance deadline do have i is longer me more my need time until want we will you",
        tell="""need time / more time / extension / extension need / extension want / deadline extend
        / more need +days / need +days / need +span / more +span / more want +span / give me +days
        / give me +span / give more +span / give time / longer need / more need +span""",
        ask="""can more time / can have time / can extension / can deadline extend / can have +days
        / can have +span / can more +span / can longer / can give +days / can give +span / can wait
        / can give time / can deliver +days / can deliver late_time / deadline extend will
        / chance more time / chance more +span / chance extension more / have is more time / can wait +days""",
    ),
    *rules(
        "extension",
        "be do is it will",
        ask="fine is +days / be fine +days",
    ),
    *rules(
        "withdraw",
        "back can i is last me my number want will you",
        tell="""move takeback / back move take / back move want
        / takeback +of_move / back take +of_move""",
        ask="can move takeback / back can move take",
    ),
    *rules(
        "withdraw",
        "can do i is last moved my no you",
        tell="counts move no",
        ask="can counts move no",
    ),
    *rules(
        "rules",
        "be can do have i is it me my need read send want will you",
        tell="""rules / rules send / rules want / need rules / read rules / explain +title / explain rules
        / manual +title / manual send +title""",
    ),
    *rules(
        "rules",
        "be can do explain find have how i is it me my need read send there want what where will you",
        ask="""rules where / rules what / have rules / can rules / rules send / rules there / find rules
        / how rules / is what +title""",
    ),
    *rules(
        "rules",
        "do there you",
        ask="rules there / have rules",
    ),
    *rules(
        "rules",
        "do how i is it you",
        ask="how works +title / how play +title / counted how / how is play +title / counted how +title",
    ),
    *rules(
        "rules",
        "do have i know no",
        tell="know no rules / find no rules / have no rules",
    ),
    *rules(
        "position",
        "be can do have how i is it last me my need read send standing want what will you",
        tell="send standing / standing want / need standing / standing +game",
        ask="standing what / can standing / send standing / how standing",
    ),
    *rules(
        "position",
        "all be do have how i in is it moved my stand turn we",
        ask="""lead who / turn whose / my turn +question / how stand / goes how +game / how is +game / much points
        / i stand where / round what / missing who / rank what / news +game / all have moved
        / have moved who / be do how i +game / be how it +game / do how +game""",
    ),
    *rules(
        "position",
        "be can do free have i in is must my until you",
        ask="""deadline when / deadline move when / move when / deliver when / much time / must when
        / deadline what / deadline is what""",
    ),
    *rules(
        "position",
        "be do have is mail move my you",
        ask="""move received +question / mail received +question / arrived move +question / arrived mail +question""",
    ),
    *rules(
        "history",
        "all be can do find have i is it last lost me my need no number read round send want will you",
        tell="""bulletin send / bulletin want / bulletin / bulletin lost / bulletin need / bulletin no received
        / bulletin find no / last round send""",
        ask="bulletin send / bulletin can / happened number what / happened round what",
    ),
    *rules(
        "games",
        "all be can do free games is me offer other send someone there which you",
        tell="games lists / all games lists",
        ask="games which / games there / games offer / free games / games starts / offer what / there what",
    ),
    *rules(
        "games",
        "can do games have i must there what which you",
        ask="""can playin what / can play what / offer play what / have play what / can games which
        / can games playin which""",
    ),
    *rules(
        "my_games",
        "all be can i in me my you",
        tell="games my / games lists my",
    ),
    *rules(
        "my_games",
        "be do i is my",
        ask="""be games i which / games my which / i play where / games i play which
        / be games how i much play / games i in which
        / be i play where""",
    ),
    *rules(
        "help",
        "can do have help how i is it me no understand what write you",
        tell="""no understand / help / help me / help need / be lost_i / how know no / idea no / how works
        / manual send / help send / commands send / know no what / do how know no / know no use what
        / manual / commands""",
        ask="how works",
    ),
    *rules(
        "help",
        "be can do have i is it me must my someone there use what will you",
        ask="""how works / how play / deliver how / can help / do must what / can do what / do what write
        / can commands which / commands what / do how move / must what write / how is play
        / deliver must what / must what / how i use / can what write""",
    ),
    *rules(
        "digest",
        "all do have i longer me more my need no no_longer read send stop want you",
        tell="""digest no / digest stop / unsubscribe / digest unsubscribe / digest off take / digest no_longer""",
        ask="can digest stop",
    ),
    *rules(
        "digest_on",
        "can have i me send want you",
        tell="digest_again want / digest_again send / digest want / digest send",
        ask="can digest_again / can digest send",
    ),
    *rules(
        "archive_name",
        "be can do full have how i is it me my name no send short show use want what will you",
        tell="archive name / archive short",
    ),
    *rules(
        "english",
        "can do have i mails me read want we will write you",
        tell="in_english",
        ask="can in_english / in_english write",
    ),
    *rules(
        "german",
        "can do have i mails me read want we will write you",
        tell="in_german",
        ask="can in_german / in_german write",
    ),
    *rules(
        "my_data",
        "all can copy do have i is me my on_me personal read send stored want what which you",
        tell="data my / all on_me send / data my send / copy data my / data my want",
        ask="data on_me which / on_me stored what / can data my / have on_me what",
    ),
    *rules(
        "forget",
        "account all be can data deleted have i me my personal want will you",
        tell="""delete me / data delete my / account delete my / deleted want / all data delete / all delete on_me""",
        ask="can data delete my / account can delete my / can delete me",
    ),
    *rules(
        "address",
        "be can changed have i in is mail mails me my send use will write you",
        tell="address / address my / address use / mails use / from_now use / from_now / me write",
    ),
    *rules(
        "beside",
        "be can changed do have i is it me send want you",
        tell="want / have want",
        ask="is late / fine / fine is / can have / can changed it / can send",
    ),
    *rules(
        "beside join",
        "all be can do fine free have i if is it mind no there whether you",
        tell="fine if / if mind / if seat / can if / if is seat",
    ),
    *rules(
        "beside standby",
        "if need substitute you",
        tell="if need substitute / if need",
    ),
    *rules(
        "beside standby",
        "be drops i if is me need out someone you",
        tell="when_someone",
    ),
]  # fmt: skip
"""Which meanings make which wish."""

ENGLISH: Final = Vocabulary(words=WORDS, small=SMALL, short=SHORT, own_verbs={}, verbs={}, rules=tuple(RULES))
VOCABULARIES: Final[Mapping[Language, Vocabulary]] = {"de": GERMAN, "en": ENGLISH}

UNSURE: Final = frozenset(
    """
    wenn falls sobald sofern solange bevor vielleicht eventuell evtl evt moeglicherweise ggf gegebenenfalls oder
    nein schrieb schreibt schrieben sagt sagte sagten meint meinte fragt fragte dachte denke glaube
    glaubte ueberlege ueberlegt ueberlegen hiess heisst witz scherz ironie angeblich ungewiss unsicher
    irgendwann hypothetisch dass if unless maybe perhaps whether when or wrote writes said says told
    tells asked asks thinks thought think considering presse press joke joking kidding possibly
    """.split()  # noqa: SIM905  a list of words reads best as a text
)
"""Words beside a wish with which it isn't plain: conditions, doubts, what others say."""
TURNS: Final = frozenset("aber jedoch but however".split())  # noqa: SIM905
"""Words that take something of a wish back, behind it; before it they lead up to it."""
