"""The closed table in English, as in `phrases`; and the words of both languages that cast doubt on a wish."""

from collections.abc import Mapping
from typing import Final

from games.api import Language
from parsers.commands.prose.phrase_words import Vocabulary, rules
from parsers.commands.prose.phrases import GERMAN

SMALL: Final = frozenset(
    """
    please just kindly really now also very much actually unfortunately sadly so again too then the a an your with of
    at for from to once game round this that these those new thanks thank by well currently still right hereby sorry
    already hi hallo hello hey in on as it there here be up me_please pls plz thx guys folks all_right ok okay yes
    gladly happily today right_now at_the_moment for_now for_the_moment next upcoming coming some any little bit
    afraid i_am_afraid definitely finally simply sincerely honestly certainly oh ah about one more_than_happy again
    moin liebe immediately kind enough possible possibly_ myself everybody everyone all ever quickly somehow anyway
    current present oh_no heya yo dude guys lol haha but dear sir madam team sry everyone messed from_now_on from_now vor yet soon tonight briefly completely entirely fully somewhere probably_not_ forward gm first maybe_not_ regretfully instead
    """.split()  # noqa: SIM905  a list of words reads best as a text
)
WORDS: Final = {
    "i": "i", "we": "we", "me": "me", "my": "my mine our", "you": "you", "it": "it this that things",
    "like": "like love", "want": "prefer would want wish wanna keen happy interested glad fancy hope rather",
    "can": "can could may might able am_allowed", "will": "will shall going gonna would",
    "must": "must have need should ought", "be": "am are be been was_not_ being", "is": "is are",
    "do": "do does did done doing", "have": "have got get has having had_", "no": "not no never", "more": "more extra longer"
    " additional further plus", "longer": "longer any_longer anymore any_more no_longer", "no_longer": "no_longer",
    "what": "what", "which": "which what", "how": "how", "who": "who whose", "where": "where", "when": "when",
    "whether": "if whether", "much": "much many long", "all": "all everything", "number": "#",
    "playin": "hop_into hop_in hop_on jump_into join participate take_part get_into get_in be_part joining join_in taking_part get_on_board",
    "play": "play played playing", "in": "signed_up in aboard on_board", "signup": "sign enter register put add count enrol enroll",
    "signed": "sign_up sign_me_up put_me_down count_me_in count_me add_me enter_me register_me sign_myself_up register"
    " put_my_name_down", "let": "let", "seat": "seat seats spot spots place places room slot slots vacancy opening",
    "free": "free left open available", "late": "late too_late", "try": "try",
    "list": "standby_list reserve_list waiting_list substitute_list substitutes_list standby reserves_list stand_by_list",
    "substitute": "substitute reserve stand_in standin standby replacement sub backup", "put": "put add set",
    "standin": "fill step jump stand fill_in step_in jump_in stand_in help_out cover",
    "drops": "drops leaves quits resigns drops_out missing needed need someone_to out",
    "someone": "someone somebody anyone anybody player players",
    "watch": "watch watching follow following spectate observe read_along look_on watch_along",
    "watcher": "spectator observer onlooker", "quit": "quit resign give_up drop_out dropping_out quitting resigning"
    " giving_up stop stop_playing withdraw withdrawing bow_out pull_out retire retiring drop stepping_down step_down",
    "out": "out", "done": "done finished through", "leave": "leave leaving abandon abandoning", "continue": "continue go_on carry_on go_on_playing continue_playing keep_playing keep_up", "goon": "play continue go_on"
    " take_part keep_up carry_on go_on_playing continue_playing keep_playing manage", "off": "off out",
    "remove": "remove unregister", "take": "take sign remove drop", "time": "time",
    "away": "off away travelling traveling abroad offline unavailable gone out_of_town out_town out_office out_of_office"
    " out_of_the_office out_of_the_country out unreachable off_grid afk",
    "here": "available here there home around online reachable back",
    "net": "internet wifi network connection", "without": "without", "holiday": "camping hiking skiing school_trip class_trip holiday holidays vacation leave trip hospital vacations hols business_trip honeymoon",
    "go": "go going leave leaving take taking having fly flying travelling", "until": "until till",
    "reply": "play move reply answer send submit respond",
    "need": "need request require use ask_for", "extend": "extend postpone delay move push push_back",
    "extension": "extension", "deadline": "due deadline zat due_date cutoff", "give": "give grant allow",
    "deliver": "send submit move hand_in send_in deliver", "late_time": "later", "wait": "wait hold",
    "fine": "fine ok okay early_enough soon_enough all_right alright possible", "chance": "chance way",
    "takeback": "disregard withdraw retract take_back cancel forget ignore undo delete revoke discard scrap", "back": "back",
    "move": "move moves orders", "last": "last latest previous", "send": "send sending mail give show resend email forward"
    " tell get", "read": "read see have get look_at", "rules": "rules rule rulebook", "explain": "explain",
    "manual": "instructions manual", "find": "find know", "counted": "scored counted scoring score",
    "standing": "grid position standing standings score scores status board state ranking table situation",
    "turn": "turn next move", "lead": "lead leading winning ahead first leads leader", "points": "points",
    "stand": "stand stands look standing", "goes": "going go goes", "whose": "whose who", "mail": "mail email message",
    "received": "get got received receive gotten", "arrived": "arrive arrived arrives come_through got_through reached",
    "missing": "missing", "rank": "place rank", 
    "bulletin": "bulletin bulletins report results round_report protocol reports result", "lost": "lost deleted missed"
    " misplaced", "round": "round", "happened": "happened was",
    "games": "games", "there": "are_there there_are there on offer offered available open running",
    "starts": "start starts starting begin beginning", "news": "news", "moved": "moved sent", "offer": "offer run have play running", "lists": "list show send", "other": "other open new",
    "help": "help", "understand": "understand get see follow", "works": "work works go goes working played",
    "lost_i": "lost confused stuck clueless", "idea": "idea clue", "know": "know", "commands": "commands",
    "write": "continue switch change write reply answer speak send", 
    "digest": "digest digests newsletter newsletters overview overviews weekly_mail weekly_mails weekly_email"
    " weekly_emails weekly_overview weekly_overviews summary summaries daily_digest mailing_list weekly_digest"
    " daily_summary weekly_summary", "stop": "stop cancel", "unsubscribe": "unsubscribe",
    "in_english": "in_english english", "in_german": "in_german german", "mails": "mails emails mail email",
    "data": "data information", "stored": "stored saved store hold keep know have_", "personal": "personal",
    "on_me": "about_me on_me", "copy": "copy", "account": "account profile", "delete": "delete erase remove forget",
    "deleted": "deleted forgotten erased removed", "address": "email address email_address mail_address e_mail_address",
    "changed": "new changed changing change is", "use": "update use send write", "if": "if",
    "when_someone": "if_someone if_somebody if_anyone if_anybody when_someone when_somebody whenever_someone"
    " whenever_somebody if_a_player when_a_player if_any_player in_case_someone in_case_somebody if_you_need_me"
    " if_you_need_someone if_needed when_needed whenever_needed whenever_you_need_me whenever_you_need_someone",
    "from_now": "from_now_on from_now", "mind": "mind", "digest_again": "digest_again weekly_digest_again newsletter_again", "archive": "archive archives",
    "name": "name surname last_name first_name real_name full_name nickname", "short": "initial initials abbreviated shortened",
    "pseudonym": "pseudonym anonymous alias anonymously", "full": "full real whole", "show": "hide show appear shown",
}  # fmt: skip

POLITE = "my you can will want have i me send is it do be read"

RULES: Final = [
    *rules(
        "join", "i want will can be me is have play seat in let",
        tell="""want playin / want play / will play +game / i play +game / will playin / i playin +game / signed / signed me / want seat / in i be +game
        / let me playin +game / signed want / will signed / want in +game / want try +game / want signed""",
        ask="can playin / can play / how playin / whether playin can / can signed / can you signed / how signed / can try +game",
    ),
    *rules("join", "do how i want can is have", ask="do playin how / do signed how"),
    *rules("join", "more want do you have there is be free me can i it be whether all", ask="seat free / seat there / seat want / seat have / seat is"),
    *rules(
        "standby", "i me want can will be have is list when_someone someone drops put",
        tell="""put list / want list / want substitute / i standin can / i standin will / i standin want / be substitute i
        / put substitute me / signed list / be list i""",
        ask="can put list / can list be / you put list / can list",
    ),
    *rules("standby", "you me ", ask="you signup list"),
    *rules("watch", "i me want will can be have is how", tell="want watch / will watch / i be watch / want watcher"
           " / i watch +game / want watch watcher", ask="can watch / how watch / can watcher / can watch watcher"),
    *rules(
        "resign", "i want will must have be me",
        tell="""i quit / want quit / must quit / will quit / i be out / leave i +game / want leave +game
        / must leave +game / will leave +game / take off me / be leave +game / take me out / want out +game / i be done +game / remove me +game""",
    ),
    *rules(
        "resign", "i want will can be do have no goon",
        tell="""no goon longer / no continue can / no continue will / no_longer goon""",
    ),
    *rules("resign", "you can will me ", ask="can take off me / can take me out"),
    *rules(
        "vacation", "i we my me will be have go holiday away until is do ",
        tell="""away be +days / away i +days / away we +days / away +days / holiday +days / holiday be +days
        / go holiday +days / go away +days / holiday my +days""",
    ),
    *rules(
        "vacation", "i we my will be can do have reply here move net holiday go",
        tell="no reply can +days / no here be +days / no reply be +days / no reply will +days / no here +days / no net +days / without net be +days / without net +days"
        "",
    ),
    *rules(
        "extension", "we back i me you want can will have need more time longer until deadline do be my is chance",
        tell="""need time / more time / extension / need extension / want extension / extend deadline
        / need more +days / need +days / need +span / more +span / more want +span / give me +days / give me +span
        / give more +span / give time / longer need / need more +span""",
        ask="""can more time / can time have / can extension / can extend deadline / can have +days / can have +span
        / can more +span / can longer / can give +days / can give +span / can wait / can give time / can deliver +days
        / can deliver late_time / will extend deadline / chance more time / chance more +span / chance more extension / more time have is / can wait +days""",
    ),
    *rules("extension", "is it be will do ", ask="fine is +days / fine be +days"),
    *rules(
        "withdraw", "i my want can you will last back number is me", tell="takeback move / take move back / takeback +of_move / take back +of_move",
        ask="can takeback move / can take move back",
    ),
    *rules(
        "rules", f"{POLITE} need",
        tell="""rules / rules send / rules want / rules need / rules read / explain +title / explain rules / manual +title
        / send manual +title""",
    ),
    *rules(
        "rules", f"{POLITE} need explain where what find how there is",
        ask="""rules where / rules what / rules have / rules can / rules send / rules there / rules find / how rules
        / what is +title""",
    ),
    *rules("rules", "there do you", ask="rules there / rules have"),
    *rules(
        "rules", "how do you i is it ",
        ask="how works +title / how play +title / how counted / how is play +title / how counted +title",
    ),
    *rules("rules", "i no do know have", tell="no rules know / no rules find / no have rules"),
    *rules(
        "position", f"{POLITE} standing last need what how", tell="send standing / standing want / standing need / standing +game",
        ask="what standing / standing can / standing send / how standing",
    ),
    *rules(
        "position", "is it i my do we have be turn how stand all in moved",
        ask="""who lead / whose turn / turn my +question / how stand / how goes +game / how is +game / much points / where stand i
        / what round / who missing / what rank / news +game / have moved all / have moved who / how be i do +game / how be it +game / how do +game""",
    ),
    *rules(
        "position", "is do i must have be my until you free can in",
        ask="""when deadline / when deadline move / when move / when deliver / much time / when must / what deadline / what is deadline""",
    ),
    *rules("position", "have do you my is be move mail", ask="received move +question / received mail +question / arrived move +question / arrived mail +question"),
    *rules(
        "history", f"{POLITE} need last round number my all lost no find me  ",
        tell="""send bulletin / want bulletin / bulletin / lost bulletin / need bulletin / no received bulletin / no find bulletin
        / last round send""",
        ask="send bulletin / can bulletin / what happened number / what happened round",
    ),
    *rules(
        "games", "games you there do other all be is me offer send free which can someone",
        tell="lists games / lists games all", ask="which games / games there / games offer / games free / games starts / what offer / what there",
    ),
    *rules("games", "games can i you do have must there what which", ask="what can playin / what can play / what offer play / what have play / which games can / which games can playin"),
    *rules("my_games", "i me my be in all can you", tell="my games / my games lists"),
    *rules(
        "my_games", "i be my is do ",
        ask="which games i be / my games which / where i play / which games i play / which games i in / where i be play",
    ),
    *rules(
        "help", "i me no do it how can understand you have is what write help",
        tell="""no understand / help / help me / need help / lost_i be / no know how / no idea / how works
        / send manual / send help / send commands / no know what / no know how do / no know what use / manual / commands""",
        ask="how works",
    ),
    *rules(
        "help", "use there i me do you can must will is be it my have someone what",
        ask="""how works / how play / how deliver / help can / what must do / what can do / what do write
        / which commands can / what commands / how do move / what must write / how is play / what must deliver / what must""",
    ),
    *rules(
        "digest", "i me do no longer more want need my stop have send you all no_longer read",
        tell="no digest / stop digest / unsubscribe / unsubscribe digest / take off digest / no_longer digest", ask="can stop digest",
    ),
    *rules(
        "digest_on", "i me want have send can you ",
        tell="digest_again want / digest_again send / digest want / digest send", ask="digest_again can / digest can send",
    ),
    *rules(
        "archive_name", "i my me want can is do no name show send use have will be full short pseudonym you it what how",
        tell="archive name / archive short / archive pseudonym",
    ),
    *rules(
        "english", "we i me you can write want have mails read will do ",
        tell="in_english", ask="in_english can / in_english write",
    ),
    *rules(
        "german", "we i me you can write want have mails read will do", tell="in_german", ask="in_german can / in_german write",
    ),
    *rules(
        "my_data", "i me my all personal copy want have you can send do which what stored on_me is read ",
        tell="send all on_me / send my data / copy my data / want my data", ask="data which on_me / what stored on_me / can my data / what have on_me",
    ),
    *rules(
        "forget", "i my me all personal you can want be account data will have deleted",
        tell="delete me / delete my data / delete my account / want deleted / delete data all / delete all on_me", ask="can delete my data / can delete my account / can delete me",
    ),
    *rules("address", "my i is have be changed use me you can send mails in mail will write", tell="address / my address / use address / use mails / use from_now / from_now / write me"),
    *rules("beside", "i you can is it be me do want have changed send", tell="want / want have", ask="is late / fine / fine is / can have / can changed it / can send"),
    *rules("beside join", "whether it is you do no mind can i there have free all be fine if", tell="if fine / if mind / if seat / if can / if seat is"),
    *rules("beside standby", "if you need substitute", tell="if need substitute / if need"),
    *rules("beside standby", "someone drops you need i is be out if me", tell="when_someone"),
]  # fmt: skip

SHORT: Final = {
    "i'd": "i would",
    "i'm": "i am",
    "i'll": "i will",
    "i've": "i have",
    "can't": "can not",
    "cant": "can not",
    "cannot": "can not",
    "don't": "do not",
    "dont": "do not",
    "won't": "will not",
    "wont": "will not",
    "what's": "what is",
    "whats": "what is",
    "how's": "how is",
    "hows": "how is",
    "it's": "it is",
    "its": "it is",
    "doesn't": "do not",
    "doesnt": "do not",
    "haven't": "have not",
    "havent": "have not",
    "there's": "there is",
    "theres": "there is",
    "we're": "we are",
    "we'll": "we will",
    "im": "i am",
    "id": "i would",
    "ive": "i have",
    "ill": "i will",
    "couldn't": "can not",
    "couldnt": "can not",
    "who's": "who is",
    "whos": "who is",
    "didn't": "do not",
    "didnt": "do not",
    "where's": "where is",
    "wheres": "where is",
    "when's": "when is",
    "whens": "when is",
    "u": "you",
    "ur": "your",
    "r": "are",
    "gimme": "give me",
    "wanna": "want to",
    "gonna": "going to",
    "gotta": "got to",
    "lemme": "let me",
    "isn't": "is not",
    "isnt": "is not",
    "n": "and",
    "i'ma": "i will",
    "aint": "am not",
    "ain't": "am not",
    "&": "and",
    "we've": "we have",
    "you've": "you have",
}
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
