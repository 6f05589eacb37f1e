"""What Germans write who have a plain wish: which meanings make it, in any order.

A game's name and days stand in no rule; `+game` says that one must be there.
"""

from typing import Final

from parsers.prose.vocabulary.german_words import OWN_VERBS, SHORT, SMALL, VERBS, WORDS
from parsers.prose.vocabulary.meanings import Vocabulary, rules

RULES: Final = [
    *rules(
        "join",
        "as be beginner desire get have i is me need seat want whether will",
        tell="""need seat / playin want / i playin / playin will / desire playin / be i in +game / playin +game
        / desire seat / desire +game / play want +game / try want +game / seat want / have seat
        / enter me want""",
        ask="be in want / in want wouldbe",
    ),
    *rules(
        "join",
        "as i is",
        tell="in wouldbe",
    ),
    *rules(
        "join",
        "can i is list me seat that want whether will you",
        tell="enter me / enter +game / list me put -from",
        ask="can enter me / enter me you / enter how me / can list me put -from",
    ),
    *rules(
        "join",
        "can do how i is late me must or someone whether",
        ask="can playin / how playin / can play +game / do must playin what / can late playin",
    ),
    *rules(
        "join",
        "bit can exist free have i is me seat whether you",
        ask="free seat / have seat / is seat / exist seat / free +game",
    ),
    *rules(
        "beside join",
        "is very",
        tell="sounds +game",
    ),
    *rules(
        "standby",
        "as be can drops have i if is me ready someone substitute that want will",
        tell="""i standin / standin want / can standin / ready standin / be ready substitute / i stand substitute
        / me offer substitute / me put substitute / enter me substitute / substitute want
        / me ready substitute / ready stand substitute / can i substitute / i substitute travel
        / i play substitute / be i substitute / me put standby_list -from / standby_list want -from
        / enter me standby_list / be ready standin""",
        ask="can standin / can standby_list",
    ),
    *rules(
        "standby",
        "as can drops i if me seek someone substitute you",
        ask="""me standby_list you / can me substitute / drops me offer someone / me offer seek substitute
        / seek substitute you / can enter me substitute / can me put substitute""",
    ),
    *rules(
        "watch",
        "as be bulletin can desire get how i in is me move_verb play playin send want watcher whether"
        " will without without_playing",
        tell="""want watch / watch +game / i watch / want watcher / be i watcher / watch will / desire watch
        / enter watcher""",
        ask="can watch / how watch / can watcher",
    ),
    *rules(
        "watch",
        "as can i me want you",
        tell="enter me watcher",
        ask="enter me watcher you",
    ),
    *rules(
        "resign",
        "be from have i is me must my play seat want will withoutme you",
        tell="""i quit / quit want / must quit / quit will / quit +game / must pass / be i out / out want / must out
        / end is me / withoutme +game / i leave +game / leave want +game / leave must +game
        / leave will +game / i leave seat / me signoff want / me must signoff / i me signoff
        / me signoff +game / me signoff / from list me unlist / from list me unlist +game""",
    ),
    *rules(
        "resign",
        "as can i me want you",
        ask="can me signoff / me signoff you",
    ),
    *rules(
        "resign",
        "be can get have i in is manage me more play playin want will",
        tell="""more no playin want / can more no playin / more no playin will / i more no playin / goon no want
        / can goon no / goon no will / goon i no / more no play want / can more no play
        / desire more no +game / no playin will / manage more no +game / i more no play / be i in more no
        / i more no play will""",
    ),
    *rules(
        "resign",
        "me on you",
        tell="goon withoutme / on play withoutme / on travel withoutme",
    ),
    *rules(
        "vacation",
        "again as away be goes have holiday i in lie mail me move must my net note place there travel"
        " until we will without",
        tell="""away be +days / away i +days / away we +days / away +days / be holiday +days / holiday +days
        / holiday travel +days / travel +place / be i +place / we +place / holiday is my +days
        / goes holiday my +days / goaway +days / holiday lie +days / place travel +long / away travel +days
        / be place +long / place we +long / are place +long / are away +long""",
    ),
    *rules(
        "vacation",
        "again are as away be can get have holiday i in is mail me more move my net note place until we"
        " will without",
        tell="""can move_verb no +days / be here no +days / here i no +days / here no +days / can no reply +days
        / get move_verb no +days / have net no +days / have i no time +days / be net without +days
        / net without +days / can move_verb no we +days / can get i net no +days / be in no +days
        / can move_verb no travel +days / come i move_verb no +days / here no will +days
        / be can no reply +days""",
    ),
    *rules(
        "vacation",
        "again as be can i is me note want you",
        tell="""me signoff +days / away enter me +days / enter holiday +days / again erst here +back
        / again erst reply +back""",
    ),
    *rules(
        "extension",
        "again becomes bit by can deadline deliver do erst get have i is later longer me more move"
        " move_verb much my need possible send that time until want whether will you",
        tell="""need time / more_time need / more time / longer time / more need +span / longer need +span
        / need +days / need +span / more +span / longer +span / give time / give me +days / give me +span
        / give more +span / deadline postpone / more_time / have more_time / later need / please still +span
        / erst getround +days / more_time +span / more_time want / deliver i move +days
        / deliver erst i move +days / erst manage +days / erst i manage +days / bit longer need
        / come deliver erst +days / can deliver erst i +days / deliver i later move
        / can erst i move_verb +days""",
        ask="""can more time / can longer time / can more_time / get more_time / exist more_time / is more_time
        / enough later / later possible / can deadline postpone / can postpone +span / can time +days
        / can time +span / can more +span / can longer +span / can longer / get more +span / get +span
        / have more +span / enough more +span / enough longer +span / can give +days / can give +span
        / can give time / can deliver +days / enough +days / possible wouldbe +days / can deliver later
        / can later move_verb / give time you / give you +span / can wait +days / wait you +days
        / can move_verb +days / give more_time you / can postpone you +span / can deadline postpone +days
        / can deadline postponed / can deadline later / is more_time possible / more_time possible +span
        / can time until +days / get time +days / can wait / have time +days / get i +days / get i +span
        / can manage +days / deadline postpone you""",
    ),
    *rules(
        "withdraw",
        "again can get have i is last mail me must my number said_when that want you",
        tell="move takeback / takeback +of_move / back move",
        ask="can move takeback / can takeback +of_move",
    ),
    *rules(
        "withdraw",
        "i is last longer more must my no said_when you",
        tell="counts move no / counts no +of_move",
    ),
    *rules(
        "rules",
        "all can get have i manual me my need send so_kind that to_read want whether you",
        tell="""rules / rules send / need rules / rules want / explain rules / explain +game / manual +game
        / manual send +game / help +game / have rules / get rules""",
    ),
    *rules(
        "rules",
        "all can exist explain find get have how i is know manual me my need send so_kind stand that"
        " to_read want what where whether which you",
        ask="""can rules / rules what / rules where / how rules / rules which / exist rules / have rules you
        / can how to_read works +game / can to_read +game / find rules where / exist manual +game
        / exist manual where +game / is rules what / is rules where / is rules which / to_read where +game""",
    ),
    *rules(
        "rules",
        "can how i me someone works",
        tell="no understand +title",
        ask="can explain +title",
    ),
    *rules(
        "rules",
        "find get have i me more no",
        tell="lost rules / know no rules / find no rules / have no rules / get no rules",
    ),
    *rules(
        "rules",
        "becomes can counted exist give i is much play points someone we works you",
        ask="""becomes counted how / how works +game / how play +game / how play +title / how works +title
        / counted how +title / counted goes how / play rules which / becomes rules which / exist how points
        / counted how works / is what +title""",
    ),
    *rules(
        "position",
        "board can get have i last me my need send situation so_kind standing that want whether you",
        tell="""standing / send standing / standing want / need standing / board send / have standing
        / board get want""",
        ask="can standing / send standing / board can / get standing",
    ),
    *rules(
        "position",
        "all be bit can have how i in is last lies me most move my play round send situation stand_i we"
        " what you",
        ask="""how stands / how is standing / how is situation / is standing what / is situation what / is turn who
        / be i turn +question / lead who / aus board how looks / board how looks / board how looks send
        / board how last looks / aus how looks my / aus how looks +game / how runs +game / how stand_i
        / stand_i where / have much points / i much points / rank stand_i which / be rank which
        / is round which / round run which / have round which / missing who / be i rank where / how standing
        / lead lies who / have how points / missing move +question / missing move much / most points who
        / have points who / exist news +game / news +game / counted is +first / be i lead
        / lead stand_i +question / how looks situation / aus how looks standing""",
    ),
    *rules(
        "position",
        "be can comes deliver have i in is last me move move_verb moved must my remains round someone"
        " spaetestens time until we",
        ask="""deadline when / move_verb must when / deliver must when / can deliver when / can move_verb when
        / move_verb until when / time until when / can until when / must until when / move until when
        / have how_long i / how_long i / how_long time / have much time / much remains time / i much time
        / goes on when / finish round when / finish when / i move_verb must +question
        / deliver i must what +first / do i must what +first / deliver i must +question / how much time
        / moved when / i must turn +question / deadline which / i must when / bulletin comes when""",
    ),
    *rules(
        "position",
        "in is my when",
        tell="deadline is when",
    ),
    *rules(
        "position",
        "all be have i is last lies mail me move moved my number received there whether you",
        ask="""arrives move +first / arrived is move +question / arrived move whether / arrived is mail +question
        / have move received +question / have mail received +question / is move there +question
        / lies move there +question / have i moved +question / all arrived is +question / moved no who
        / lies move +question""",
    ),
    *rules(
        "position",
        "have is moved no who",
        ask="have moved who / moved who",
    ),
    *rules(
        "history",
        "all bit bulletin can find get have i last mail me more my need no number round send so_far"
        " so_kind that want whether you",
        tell="""bulletin / bulletin me missing / bulletin send / bulletin need / bulletin want / last round send
        / bulletin have lost / bulletin find no / bulletin lost / all round send / round send so_far
        / bulletin no received / last need round / last round want / all bulletin / number round send
        / last lost round / last lost mail round""",
        ask="""bulletin can / bulletin send / can last round / number was what / last round was what
        / how number was""",
    ),
    *rules(
        "history",
        "have i is last mail mailer me my no number program round",
        tell="""arrived bulletin no / bulletin no received / bulletin lost mailer / arrived last mail no round
        / last no received round / mail no received round / arrived mail no round / lost mail mailer round""",
    ),
    *rules(
        "games",
        "all can exist free games get goes have how list me need offers other players run seat seek send"
        " stand starts want when you",
        tell="""games i seek / games list / free games send / games list send / games run send / games list want
        / all games send""",
        ask="""games which / games offers / play someone what / play what you / games stand which / games what
        / free games / free is what / free games is which / free is seat where / is seat where
        / exist free games / exist games other / offers what you / run what / players seek you
        / games players seek / seat where / starts when / exist games / offers what / games run
        / exist free seat where / free where / exist what""",
    ),
    *rules(
        "games",
        "desire exist free games i in play someone there want which you",
        ask="can play what / can games which / can playin where / can playin what / can games play which",
    ),
    *rules(
        "my_games",
        "all be get have i in list me run send want which",
        tell="""games my / games list my / games my send / have lost overview / i playin where / games have i which""",
        ask="""i playin where / i in where / games i much play / be games i which / games i playin which
        / games i in which / games i play which / games have i which / games i much playin / be i in where
        / i move_verb must where / games me run which / i in round which / missing move my where""",
    ),
    *rules(
        "games",
        "bit what",
        ask="exist news playin",
    ),
    *rules(
        "my_games",
        "which",
        ask="games is my what",
    ),
    *rules(
        "my_games",
        "all i in",
        ask="games much play / games in much / games much playin / i playin what",
    ),
    *rules(
        "my_games",
        "can digest get i list me my overview send want you",
        ask="can games my / digest games my send",
    ),
    *rules(
        "help",
        "all beginner can come deliver do dont_know have how i idea is mails me move must my no someone"
        " station understand what works",
        tell="""no understand / help / help need / idea no / do dont_know no / how works / station understand
        / do must what / come no understand / help send / deliver how move / dont_know no what / help want
        / dont_know no works / deliver dont_know no / i no understand works / all no understand""",
        ask="""find help where / how works / deliver how move / do how must / deliver how must / do must what
        / can do what / commands what / can helps -no / can deliver how / can help -no / do how move
        / i must what""",
    ),
    *rules(
        "help",
        "becomes can commands exist get have i is know list mails me need play send someone want we which"
        " works you",
        tell="manual / manual send / commands / commands send / manual need",
        ask="""how play / can helps -no / commands which / commands what / can explain works / can explain how
        / becomes counted how / commands exist / commands list / can manual / becomes how play
        / explain how works""",
    ),
    *rules(
        "digest",
        "can get i in is me more my need no regular send want you",
        tell="""digest no / digest more no / cancel digest / digest off / from_list me unlist / from_list me signoff
        / digest me signoff / mails more no regular""",
        ask="can cancel digest / can digest no",
    ),
    *rules(
        "digest_on",
        "again can get have i in me my regular send want you",
        tell="""again digest want / again digest have / digest regular want / digest have regular
        / again digest send / digest regular send""",
        ask="again can digest / can digest regular",
    ),
    *rules(
        "archive_name",
        "about_me becomes can enough enter full get goes have how i in is manage me more must my name"
        " need no remains send short show stand stands that use want what will you",
        tell="archive name / archive short",
        ask="enough short",
    ),
    *rules(
        "english",
        "can get have i in_english is mails me move my send understand use want we will write you",
        tell="in_english / in_english write / in_english want",
        ask="can in_english / in_english write",
    ),
    *rules(
        "german",
        "can get have i in_german is mails me my send understand use want we will write you",
        tell="in_german / in_german write / in_german want",
        ask="can in_german / in_german write",
    ),
    *rules(
        "my_data",
        "about_me all can copy data disclosure get have i is me my need send so_kind stored stores that"
        " to_read want what whether which you",
        tell="""data my / data my send / data my want / copy data / disclosure / disclosure need / disclosure want
        / data my need / data get my / data get stored / data send stored / about_me data send
        / about_me disclosure""",
        ask="""data stored which / about_me stored what / about_me stores what / about_me data which / can data my
        / about_me data stores / data my send / can disclosure / about_me have what you""",
    ),
    *rules(
        "forget",
        "about_me account address all becomes can data delete deliver get_deleted have i in me my out"
        " stored system that want you",
        tell="""about_me all delete / about_me all deleted / delete me system / delete me / data delete my
        / account delete my / all data delete / all data delete my / deleted get_deleted want
        / data delete my want / address delete my system / data delete my stored / me signoff system
        / data deleted my / account deleted my / about_me data delete / me system unlist""",
        ask="can data delete my / can delete me / account can delete my / data delete my you",
    ),
    *rules(
        "address",
        "about_me again as can changed get have i in is mail mails me my send use want will write you",
        tell="""address / address changed my / address use / changed mail / changed +of_address / use +of_address
        / me my use / mails use / from_now use / from_now / address have / from_now me write / mails me
        / mails my""",
        ask="address can / can mails send / can me use / can me write",
    ),
    *rules(
        "german",
        "please",
        tell="all in_german",
    ),
    *rules(
        "english",
        "please",
        tell="all in_english",
    ),
    *rules(
        "beside",
        "have i want",
        tell="want / have want",
    ),
    *rules(
        "beside",
        "be can copy enough get goes have i is late me or possible send so_kind want whether you",
        ask="enough / possible / can / is possible / late / can possible / can send / can get / works",
    ),
    *rules(
        "beside extension",
        "deadline i in move time until",
        tell="manage no / deadline manage no",
    ),
    *rules(
        "beside join",
        "have if is you",
        tell="if possible / enough if / if seat / free if / free if seat",
    ),
    *rules(
        "beside join",
        "drops exist have if players seek someone you",
        tell="if someone / if players / if seek",
    ),
    *rules(
        "beside standby",
        "drops i if me need seek someone you",
        tell="drops if someone / drops if",
    ),
    *rules(
        "beside watch",
        "i me want",
        tell="without_playing / no playin want",
    ),
]  # fmt: skip
"""Which meanings make which wish."""

GERMAN: Final = Vocabulary(
    words=WORDS, small=SMALL, short=SHORT, own_verbs=OWN_VERBS,
    verbs=VERBS, rules=tuple(RULES),
)  # fmt: skip
