"""What Germans write who have a plain wish: which meanings make it, in any order.

A game's name and days stand in no rule; `+game` says that one must be there.
"""

from typing import Final

from parsers.commands.prose.german_words import OWN_VERBS, SHORT, SMALL, VERBS, WORDS
from parsers.commands.prose.phrase_words import Vocabulary, rules

POLITE = "i my you can want have get send me so_kind that whether"
"""Meanings of which most requests are made."""

RULES: Final = [
    *rules(
        "join", "i want will have be is me desire seat beginner as whether get need",
        tell="""need seat / want playin / i playin / will playin / desire playin / in i be +game / playin +game / desire seat
        / desire +game / want play +game / want try +game / want seat / have seat / want enter me""",
        ask="want in be / want wouldbe in",
    ),
    *rules("join", "i as is", tell="in wouldbe"),
    *rules(
        "join", "i me you want can list will that is whether seat", tell="me enter / enter +game / put me list -from",
        ask="can enter me / you enter me / how enter me / can put me list -from",
    ),
    *rules(
        "join", "i me can how late is or someone whether must do",
        ask="can playin / how playin / can play +game / what must do playin / late can playin",
    ),
    *rules(
        "join", "i me can have you is seat free bit exist whether",
        ask="seat free / seat have / seat is / seat exist / free +game",
    ),
    *rules("beside join", "is very", tell="sounds +game"),
    *rules(
        "standby", "i me want can will have be as substitute that is ready someone drops if",
        tell="""i standin / standin want / standin can / ready standin / be ready substitute / stand substitute i
        / offer me substitute / put me substitute / enter me substitute / want substitute / ready me substitute
        / ready be substitute / ready stand substitute / can substitute i / travel substitute i / play substitute i
        / be substitute i / put me standby_list -from / want standby_list -from / enter me standby_list / ready standin be""",
        ask="can standin / can standby_list",
    ),
    *rules(
        "standby", "i me can you as substitute someone drops seek if",
        ask="""you standby_list me / can substitute me / offer me drops someone / offer me seek substitute
        / seek substitute you / can enter me substitute / can put me substitute""",
    ),
    *rules(
        "watch", "i me want can will be get desire as how in without play move_verb without_playing watcher playin send bulletin is whether",
        tell="want watch / watch +game / i watch / want watcher / be watcher i / will watch / desire watch / watcher enter",
        ask="can watch / how watch / can watcher",
    ),
    *rules("watch", "i me as want you can", tell="enter watcher me", ask="you enter watcher me"),
    *rules(
        "resign", "i want must will have me is be my seat play from you withoutme",
        tell="""i quit / want quit / must quit / will quit / quit +game / pass must / out be i / out want / out must
        / end me is / withoutme +game / i leave +game / want leave +game / must leave +game / will leave +game / leave seat i
        / want signoff me / must signoff me / signoff me i / signoff me +game / signoff me / unlist me list from / unlist me list +game from""",
    ),
    *rules("resign", "i me you want can as", ask="can signoff me / you signoff me"),
    *rules(
        "resign", "i want will can me have get is manage more playin play be in",
        tell="""want no more playin / can no more playin / will no more playin / i no more playin / no goon want
        / no goon can / no goon will / no goon i / want no more play / can no more play / no more desire +game
        / will no playin / no more manage +game / more no play i / i be no more in / i will no more play""",
    ),
    *rules("resign", "you me on", tell="withoutme goon / withoutme on play / withoutme on travel"),
    *rules(
        "vacation", "i we me my be have will until again note holiday place travel away there as lie in without net goes move mail must",
        tell="""away be +days / away i +days / away we +days / away +days / holiday be +days / holiday +days
        / holiday travel +days / travel +place / i be +place / we +place / holiday my is +days / holiday my goes +days / goaway +days / lie holiday +days / travel place +long / travel away +days
        / be place +long / place we +long / are place +long / are away +long""",
    ),
    *rules(
        "vacation", "i we me my be have will can get until note more are without holiday away net again move mail in as me is place",
        tell="""no can move_verb +days / no here be +days / no here i +days / no here +days / no can reply +days
        / no get move_verb +days / no net have +days / no time have i +days / without net be +days / without net +days
        / no can move_verb we +days / no can get i net +days / no in be +days / no can move_verb travel +days
        / no come move_verb i +days / no will here +days / no be can reply +days""",
    ),
    *rules(
        "vacation", "i me you as be can again is note want",
        tell="signoff me +days / enter me away +days / enter holiday +days / again here erst +back / again erst reply +back",
    ),
    *rules(
        "extension", "i me you want can have get need move more bit later deadline time until by possible is longer becomes"
        " move_verb deliver that much my send erst will again do whether",
        tell="""need time / need more_time / more time / longer time / need more +span / need longer +span / need +days
        / need +span / more +span / longer +span / give time / give me +days / give me +span / give more +span
        / postpone deadline / more_time / have more_time / need later / please still +span / getround erst +days / more_time +span / more_time want
        / i move deliver +days / erst move deliver i +days / manage erst +days / manage i erst +days / bit longer need
        / erst come deliver +days / i erst can deliver +days / later deliver move i / erst can i move_verb +days""",
        ask="""can more time / can longer time / can more_time / more_time get / more_time exist / more_time is
        / later enough / later possible / can postpone deadline / can postpone +span / can time +days / can time +span / can more +span
        / can longer +span / can longer / get more +span / get +span / have more +span / more enough +span
        / longer enough +span / can give +days / can give +span / can give time / can deliver +days / enough +days
        / wouldbe possible +days / can later deliver / can later move_verb / give you time / give you +span / wait can +days / wait you +days
        / can move_verb +days / give you more_time / can you postpone +span / can deadline postpone +days / can deadline postponed
        / deadline later can / more_time is possible / more_time +span possible / time until can +days
        / get time +days / can wait / can until time +days / time have +days / get i +days / get i +span / can manage +days / postpone you deadline""",
    ),
    *rules(
        "withdraw", "i my me you want can last number said_when that mail again must is have get",
        tell="takeback move / takeback +of_move / back move", ask="can takeback move / can takeback +of_move",
    ),
    *rules("withdraw", "my last said_when is i no longer more you", tell="move counts no / counts no +of_move", ask=""),
    *rules(
        "rules", f"{POLITE} need to_read manual all",
        tell="""rules / rules send / rules need / rules want / explain rules / explain +game / manual +game
        / send manual +game / help +game / have rules / rules get""",
    ),
    *rules(
        "rules", f"{POLITE} need what where how which find exist to_read manual know all explain stand is",
        ask="""rules can / rules what / rules where / rules how / rules which / rules exist / rules have you
        / to_read can how works +game / to_read can +game / rules find where / manual exist +game / manual exist where +game / what is rules / where is rules / which is rules / to_read where +game""",
    ),
    *rules("rules", "me someone can i how works", ask="can explain +title", tell="no understand +title"),
    *rules("rules", "i me more have find no get", tell="lost rules / no know rules / no find rules / no have rules / no get rules"),
    *rules(
        "rules", "is becomes you we i play works can someone counted points give exist much",
        ask="""how counted becomes / how works +game / how play +game / how play +title / how works +title
        / how counted +title / how goes counted / which rules play / which rules becomes / how points exist
        / how counted works / what is +title""",
    ),
    *rules(
        "position", f"{POLITE} need standing situation last board",
        tell="standing / send standing / standing want / standing need / send board / standing have / want board get",
        ask="standing can / standing send / board can / standing get",
    ),
    *rules(
        "position", "is i lies be stand_i have we play all how in my round situation bit most move last what can you me send",
        ask="""how stands / how is standing / how is situation / what is standing / what is situation / who turn is
        / i turn be +question / lead who / how looks aus board / how looks board / how looks board send / how looks board last / how looks aus my / how looks aus +game / how runs +game
        / how stand_i / where stand_i / much points have / much points i / which rank stand_i / which rank be
        / which round is / which round run / which round have / who missing / where be i rank / how standing
        / who lies lead / how have points / missing move +question / much move missing / who most points / who points have / exist news +game / news +game / is counted +first / lead be i / lead stand_i +question / how looks situation / how looks aus standing""",
    ),
    *rules(
        "position", "is i we must my have be comes until spaetestens in someone move move_verb time round last deliver moved can me"
        " remains",
        ask="""when deadline / when must move_verb / when must deliver / when can deliver / when can move_verb
        / until when move_verb / until when time / until when can / until when must / until when move
        / how_long have i / how_long i / how_long time / much time have / much time remains / much time i / when goes on / when round finish / when finish
        / must i move_verb +question / must i deliver what +first / must i do what +first / must i deliver +question / how much time / when moved
        / must i turn +question / which deadline / when must i / when bulletin comes""",
    ),
    *rules("position", "when is in my", tell="deadline when is"),
    *rules(
        "position", "my is last have you move moved all received mail there whether i me be lies number",
        ask="""move arrives +first / move arrived is +question / whether move arrived / mail arrived is +question / move have received +question
        / mail have received +question / move there is +question / move there lies +question / moved have i +question
        / all arrived is +question / who no moved / move lies +question""",
    ),
    *rules("position", "who have no is moved", ask="who moved have / who moved"),
    *rules(
        "history", f"{POLITE} need last number bulletin mail round all so_far no more find my bit my",
        tell="""bulletin / bulletin missing me / bulletin send / bulletin need / bulletin want / last round send / bulletin lost have
        / bulletin find no / bulletin lost / all round send / round so_far send / bulletin no received
        / last round need / last round want / bulletin all / round number send / last round lost / mail last round lost""",
        ask="bulletin can / bulletin send / last round can / what was number / what was last round / how was number",
    ),
    *rules(
        "history", "my mail last round is have i mailer me no number program",
        tell="""bulletin no arrived / bulletin no received / mailer lost bulletin / mail last round no arrived
        / last round no received / mail round no received / mail round no arrived / mailer lost round mail""",
    ),
    *rules(
        "games", "games you free other all exist offers run have list send me want need get goes when"
        " seat players seek how starts can other stand",
        tell="i seek games / list games / send games free / send games list / send games run / games want list / send games all",
        ask="""which games / offers games / what play someone / what play you / games stand which / what games / games free / what free is / which games free is / where seat free is / where seat is / games exist free / games other exist / offers what you
        / what run / seek players you / games seek players / where seat / when starts / games exist / what offers
        / games run / exist free seat where / where free / what exist""",
    ),
    *rules(
        "games", "games you free i someone exist play there want desire in which",
        ask="what can play / which games can / where can playin / what can playin / which games can play",
    ),
    *rules(
        "my_games", "i be me send list have all in want get which run",
        tell="my games / my games list / my games send / lost overview have / where playin i / which games have i",
        ask="""where playin i / where in i / much games play i / which games be i / which games playin i / which games in i
        / which games play i / which games have i / much games playin i
        / where be i in / where must i move_verb""",
    ),
    *rules("games", "what bit", ask="exist news playin"),
    *rules("my_games", "which", ask="games my what is"),
    *rules("my_games", "i in all", ask="much games play / much games in / much games playin / what playin i"),
    *rules("my_games", "i me my send list get can want you digest overview", ask="my games can / my games digest send"),
    *rules(
        "help", "someone i me my how works what do must can have no understand move deliver is come all station dont_know beginner"
        " idea mails",
        tell="""no understand / help / help need / no idea / dont_know no do / how works / understand station
        / what do must / no come understand / help send / how deliver move / dont_know no what / help want
        / dont_know no works / dont_know no deliver / i no understand works / understand no all""",
        ask="""where find help / how works / how move deliver / how must do / how must deliver / what must do / what can do
        / what commands / can helps -no / how can deliver / help can -no / how do move / what must i""",
    ),
    *rules(
        "help", "i you can me is someone works play we becomes mails which know you send need list commands have get want exist",
        tell="manual / send manual / commands / send commands / need manual",
        ask="""how play / can helps -no / which commands / what commands / can explain works
        / can explain how / how becomes counted / commands exist / list commands / can manual / how play becomes / explain works how""",
    ),
    *rules(
        "digest", "i me want need send get no more regular my in you is can",
        tell="""no digest / no digest more / cancel digest / digest off / me unlist from_list / me signoff from_list
        / signoff digest me / no more regular mails""",
        ask="can cancel digest / can no digest",
    ),
    *rules(
        "digest_on", "i me my want have send get can you again regular in",
        tell="digest again want / digest again have / digest regular want / digest regular have / digest again send"
        " / digest regular send",
        ask="digest again can / digest regular can",
    ),
    *rules(
        "archive_name", "i my me want can in is no that name have stand stands full short pseudonym enough must becomes remains about_me"
        " get use show how more send goes need manage will what you enter",
        tell="archive name / archive short / archive pseudonym", ask="short enough",
    ),
    *rules(
        "english", "we i me want mails send write you can get have my in_english is will move use understand",
        tell="in_english / in_english write / in_english want", ask="in_english can / in_english write",
    ),
    *rules(
        "german", "we i me want mails send write you can get have my in_german is will use understand",
        tell="in_german / in_german write / in_german want", ask="in_german can / in_german write",
    ),
    *rules(
        "my_data", f"{POLITE} need my data all stored about_me copy disclosure what which stores i is to_read",
        tell="""data send my / data want my / copy data / disclosure / disclosure need / disclosure want / data my need
        / data my get / data stored get / data send stored / data about_me send / disclosure about_me""",
        ask="""data which stored / what stored about_me / what stores about_me / data which about_me / data my can
        / data stores about_me / data my send / disclosure can / what about_me have you""",
    ),
    *rules(
        "forget", "i me my you want can that data all stored account system delete have address i deliver in becomes"
        " get_deleted out about_me i ",
        tell="""delete all about_me / all deleted about_me / delete me system / delete me / delete my data / delete my account / delete data all / delete data my all
        / deleted want get_deleted / want delete my data / delete my address system / delete data stored my
        / signoff me system / data my deleted / account my deleted / delete data about_me / unlist me system""",
        ask="delete can my data / delete can me / delete can account my / delete you my data",
    ),
    *rules(
        "address", "my about_me mail get i is have changed use me in you can want send mails mail write again as will",
        tell="address / my address changed / use address / mail changed / changed +of_address / use +of_address / use me my / use mails / use from_now / from_now / address have / write me from_now / mails me / mails my",
        ask="can address / mails can send / can use me / can write me",
    ),
    # what is no wish and casts no doubt
    *rules("german", "please", tell="all in_german"),
    *rules("english", "please", tell="all in_english"),
    *rules("beside", "i want have ", tell="want / want have"),
    *rules(
        "beside", "copy is me i can you get send possible late or enough goes have want whether so_kind be ",
        ask="enough / possible / can / is possible / late / possible can / can send / can get / works",
    ),
    *rules("beside extension", "i until deadline time move in", tell="manage no / manage deadline no"),
    *rules("beside join", "if is have you ", tell="if possible / if enough / if seat / if free / if seat free"),
    *rules(
        "beside join", "if you have someone players seek drops exist", tell="if someone / if players / if seek",
    ),
    *rules("beside standby", "if you me someone drops need seek i", tell="if someone drops / if drops"),
    *rules("beside watch", "i me want", tell="without_playing / no playin want"),
]  # fmt: skip
"""Which meanings make which wish."""

GERMAN: Final = Vocabulary(
    words=WORDS, small=SMALL, short=SHORT, own_verbs=OWN_VERBS,
    verbs=VERBS, rules=tuple(RULES),
)  # fmt: skip
