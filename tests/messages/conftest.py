"""Plays two whole games in German and in English and keeps every kind of mail they send, by name.

One game is Crossword, where rounds close. The other is a word chain from another distribution, where a move takes
effect at once.
"""

import pickle
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import cache, cached_property
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import seating
from sqlmodel import col, select

import games
from games.api import LANGUAGES, Language
from games.api import Seat as SeatNumber
from games.crossword import suggest as crossword_suggest
from games.dice import Dice
from games.shared import patterns, wordfinder
from games.wort_yahtzee import suggest as yahtzee_suggest
from gm.archive.issue.order import first_order
from gm.archive.issue.send import send
from gm.demo.in_memory_zine import NESTED, PLAYERS, Story, address_of, write_mail
from gm.game import word_judge
from gm.game.position import position
from gm.messages import gm_list
from gm.messages.questions import About
from gm.requests.desk import actions
from gm.store.queries import game_queries, player_queries, turn_queries, zine_queries
from gm.store.tables import Address, AdvanceMove, MailIn, MailOut, Press, Vacation

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
GERDA, HANS = "Gerda Hahn", "Hans Igel"
GM = "cici@postspiel.example"
SEED = "0123456789abcdef0123456789abcdef"
WORDS = """
    AALE ALTE ARG ASS ATEM BAND BERG BIER BROT DANK DIENST DREI EBENE EINE EINS ENDE ENTE ERDE ERNST ESEL FEIN FEST
    GERADE GERN HASE HEIDE HEUTE IGEL INSEL KAHN KERN LAND LAUT LEER LIED LISTE MEISE MIETE NABE NADEL NEBEL NEST
    NIET NOTE ODER OSTEN RADIO RASEN RATEN REDE REGEN REIS RENTE RIESE ROST SAAL SALON SAND SEIL SENDEN SIEDER SOLI
    STEIN STERN STROH TAL TANNE TASTE TEER TIER TINTE TON TRAINER TREND TURNEN UNRAT -DNT -TND
""".split()  # noqa: SIM905  easier to read than ninety quoted words
SAID: dict[Language, dict[str, str]] = {
    "de": {
        "join": "Anmeldung", "yes": "Ja", "status": "Stand", "withdraw": "Zurückziehen", "help": "Hilfe",
        "advance": "Vorab", "games": "Spiele", "wait": "Warten", "appeal": "Einspruch",
        "plea": "steht im Duden, 28. Auflage;\ndort als Nebenform.", "why": "zu wenige Mitspieler", "note": "Eigenname",
        "text": "Ist am 24.12. wirklich ZAT? Da bin ich verreist, meine Schwester auch, und Anna hat Dienst.\nOder?",
        "thanks": "Viele Grüße", "press": "Wer wünscht sich hier eigentlich dauernd E?\nIch nicht.",
        "new": "Neu", "address": "Adresse", "watch": "Beobachten", "digest": "Digest monatlich", "typo": "Sprahce en",
        "daily": "Digest täglich",
        "publish": "Presse", "end": "Ende", "history": "Protokoll",
        "away": "Bin vom 20.12. bis 3.1. verreist :-)",
    },
    "en": {
        "join": "Join", "yes": "Yes", "status": "Status", "withdraw": "Withdraw", "help": "Help", "advance": "Advance",
        "games": "Games", "wait": "Wait", "appeal": "Appeal",
        "plea": "it is in the Duden, 28th edition;\nas a variant.", "why": "too few players", "note": "a proper name",
        "text": "Is the deadline really on 24 December? I'll be away, so will my sister, and Anna is on duty.\nIs it?",
        "thanks": "Best wishes", "press": "Who keeps wishing for an E here?\nNot me.",
        "new": "New", "address": "Address", "watch": "Watch", "digest": "Digest monthly", "typo": "Langauge de",
        "daily": "Digest daily",
        "publish": "Press", "end": "End", "history": "History",
        "away": "I am away from 20 Dec to 3 Jan :-)",
    },
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Posted:
    """A mail as it went out."""

    recipient: str
    raw: bytes

    @cached_property
    def message(self) -> EmailMessage:
        """The mail as a mail program understands it."""
        message = message_from_bytes(self.raw, policy=default)
        assert isinstance(message, EmailMessage)
        return message

    @property
    def subject(self) -> str:
        """The subject, decoded, with the code of a question made the same in every run."""
        return re.sub(r"(Frage|Question) [A-Z0-9]{8}\]", r"\1 CODE]", str(self.message["Subject"]))

    @cached_property
    def text(self) -> str:
        """The text part, decoded."""
        return re.sub(r"--done(\s+)[A-Z0-9]{8}", r"--done\1CODE", self._part(0))

    @cached_property
    def html(self) -> str:
        """The HTML part, decoded."""
        page = re.sub(r"(Frage|Question)( |%20)[A-Z0-9]{8}(\]|%5D)", r"\1\2CODE\3", self._part(1))
        return re.sub(r"--done( |%20)[A-Z0-9]{8}", r"--done\1CODE", page)

    @cached_property
    def page(self) -> ET.Element:
        """The HTML part, read as strictly as XML, where every tag is closed and every attribute quoted."""
        return ET.fromstring(re.sub(r"<(br|meta)\b([^>]*)>", r"<\1\2/>", self.html.replace("&nbsp;", "&#160;")))

    @cached_property
    def shapes(self) -> list[tuple[str, ...]]:
        """Each element with the one that it stands in, by tag and style, but for where a line may end in it."""
        pairs = ((outer, inner) for outer in self.page.iter() for inner in outer)
        wraps = re.compile(";?(white-space:nowrap|word-break:break-word)")
        return [tuple(f"{part.tag} {wraps.sub('', part.get('style', ''))}" for part in pair) for pair in pairs]

    def _part(self, number: int) -> str:
        parts = list(self.message.iter_parts())
        if parts[0].is_multipart():  # a file goes along
            parts = list(parts[0].iter_parts())  # type: ignore[attr-defined]
        part = parts[number]
        assert isinstance(part, EmailMessage)
        return str(part.get_content()).replace("\r\n", "\n")


class MailCollector:
    """Tells the story and keeps its mails under names."""

    def __init__(self, story: Story, language: Language, secret: str = "the secret of this story") -> None:
        self.story = story
        self.language = language
        self.said = SAID[language]
        self.kept: dict[str, Posted] = {}
        self._read = 0
        with story.app.database.write() as session:
            zine = zine_queries.zine(session)
            zine.secret, zine.incarnation = secret, ""

    def tick(self, **names: str) -> list[Posted]:
        """Let the service do a pass and keep mails: `confirmation=ANNA` keeps the one new mail to Anna."""
        self.story.tick()
        new = [Posted(recipient=letter.recipient, raw=letter.raw) for letter in self.story.outbox.letters[self._read :]]
        self._read = len(self.story.outbox.letters)
        for name, who in names.items():
            address = who if "@" in who else address_of(who)
            found = [mail for mail in new if mail.recipient == address]
            assert len(found) == 1, f"{name}: {who} got {[mail.subject for mail in found]}"
            assert name.replace("_", "-") not in self.kept, f"{name} is told twice"
            self.kept[name.replace("_", "-")] = found[0]
        return new

    def last(self, who: str) -> Posted:
        """Return the last mail to somebody."""
        address = who if "@" in who else address_of(who)
        letter = [letter for letter in self.story.outbox.letters if letter.recipient == address][-1]
        return Posted(recipient=letter.recipient, raw=letter.raw)

    def block(self, *lines: str, title: str = "Crossword Eriwan") -> str:
        """A move block with something below it."""
        return "\n".join([title, *lines, "", self.said["thanks"], ""])

    def new_game(self, name: str, autostart: bool, kind: str = "crossword") -> None:
        """Open a game whose seed is known."""
        actions.new_game(self.story.app, kind, name, autostart=autostart)
        with self.story.app.database.write() as session:
            game = game_queries.named(session, name)
            game.seed = SEED
            session.add(game)

    def asks(self, name: str, text: str) -> Posted:
        """Let somebody unknown write; returns the question."""
        self.story.writes(name, text)
        return self.tick(**{f"{'standby' if 'Standby' in text else 'join'}_of_{name.split()[0]}": name})[-1]

    def confirms(self, name: str, question: Posted, **names: str) -> list[Posted]:
        """Let somebody say yes to the question."""
        self.story.writes(name, self.said["yes"], subject=f"Re: {question.message['Subject']}")
        return self.tick(**names)

    def appeals(self, name: str, word: str, plea: bool, kept: str) -> None:
        """Let somebody appeal about a word, and keep what the GM gets."""
        reason = f": {self.said['plea']}" if plea else ""
        self.story.writes(name, f"{self.said['appeal']} Eriwan {word}{reason}\n")
        self.tick(**{kept: GM})

    def suggestion(self, seat: int, name: str = "Eriwan") -> tuple[str, ...]:
        """Think of a sensible move."""
        with self.story.app.database.read() as session:
            game = game_queries.named(session, name)
            at = position(self.story.app, game)
            words = word_judge.judge(self.story.app, game)
            return at.engine.suggest(at.state, SeatNumber(seat), Dice(f"story/{seat}", at.turn.number), words)

    def all_move(self, cast: Sequence[str], but: str = "") -> None:
        """Everybody sends what comes to mind."""
        for seat, name in enumerate(cast, 1):
            if name != but:
                self.story.writes(name, self.block(*self.suggestion(seat)))
        self.tick()

    def close(self, **names: str) -> list[Posted]:
        """The GM closes the round."""
        actions.close(self.story.app, "Eriwan", self.story.app.now())
        return self.tick(**names)


CHAIN = Path(__file__).parents[1] / "stories" / "chain"


@contextmanager
def only(*folders: str) -> Iterator[None]:
    """Let there be no other games than these, whatever else is installed: mails name the kinds of games."""
    known = games.__path__
    games.engines.cache_clear()
    sys.path.insert(0, str(CHAIN))
    with pytest.MonkeyPatch.context() as patch:
        found = [module for module in games.pkgutil.iter_modules(known) if module.name in folders]
        patch.setattr(games.pkgutil, "iter_modules", lambda _path: found)
        if "chain" not in folders:
            patch.setattr(games, "entry_points", lambda **_: [])
        games.engines()
    try:
        yield
    finally:
        sys.path.remove(str(CHAIN))
        sys.modules.pop("chain_game", None)
        games.engines.cache_clear()


def tell(folder: Path, language: Language) -> dict[str, Posted]:
    """Play both stories; returns their mails by name."""
    with only("crossword", "chain"):
        clock = tell_clock(folder / "clock", language)
    with only("crossword"):
        mails = {**clock, **tell_crossword(folder / "crossword", language)}
        mails.update(tell_digests(folder / "digests", language))
        mails.update(tell_desk(folder / "desk", language))
        mails.update(tell_people(folder / "people", language))
        mails.update(tell_own_data(folder / "own-data", language))
        mails.update(tell_senders(folder / "senders", language))
        mails.update(tell_gm_who_plays(folder / "playing", language))
    with only("crossword", "typ_dom", "chain"):
        mails.update(tell_advance(folder / "advance", language))
    with only("crossword", "chain"):
        mails.update(tell_desk_at_once(folder / "desk-at-once", language))
        mails.update(tell_daily_digest(folder / "daily", language))
        mails.update(tell_reminders(folder / "reminders", language))
        return {**mails, **tell_chain(folder / "chain", language)}


def tell_crossword(folder: Path, language: Language) -> dict[str, Posted]:
    """Play the game of Crossword."""
    story = Story(folder, words=WORDS, more={"service": {"language": language}})
    try:
        collector = MailCollector(story, language)
        _sign_up(collector)
        _round_one(collector)
        _end_of_round_one(collector)
        _middle(collector)
        _last_round(collector)
        _troubles(collector)
        story.writes("Yvonne Fremd", "Guten Tag!\n")
        collector.tick(stranger="Yvonne Fremd")
        said = collector.said
        for name in ("Sofia", "Porto"):
            collector.new_game(name, autostart=False)
        wishes = f"{said['join']} Sofia\n{said['join']} Eriwan\nStandby\n{said['watch']} Porto\n"
        story.writes("Yvonne Fremd", f"{wishes}\nSpielt ihr auch Doppelkopf?\n")
        collector.tick(question_several="Yvonne Fremd")
        story.writes(ANNA, said["away"])
        collector.tick(wish=ANNA)
        return {name: mail for name, mail in collector.kept.items() if "-of-" not in name}
    finally:
        story.close()


def _sign_up(collector: MailCollector) -> None:
    story, said = collector.story, collector.said
    story.writes("Xaver Zorn", said["help"], subject=said["help"])
    collector.tick(help="Xaver Zorn")
    collector.new_game("Eriwan", autostart=True)
    collector.new_game("Havanna", autostart=False)
    story.writes(ANNA, f"{said['join']} Crossword Eriwan\nNeu: D\n")
    question = collector.tick(question=ANNA)[-1]
    collector.confirms(ANNA, question, joined=ANNA)
    story.writes(GERDA, "Standby\n")
    question = collector.tick(question_standby=GERDA)[-1]
    collector.confirms(GERDA, question, notice=GERDA)
    question = collector.asks(BERND, f"{said['join']} Eriwan\n")
    collector.confirms(BERND, question, joined_wish_missing=BERND)
    actions.join(story.app, "Eriwan", CARLA, address_of(CARLA), "A")
    collector.tick(joined_by_gm=CARLA)
    actions.join(story.app, "Eriwan", CARLA, address_of(CARLA), "T")
    collector.tick(joined_changed=CARLA)
    actions.take_off(story.app, "Eriwan", CARLA)
    collector.tick(removed_open=CARLA)
    seating.join(story.app, "Eriwan", CARLA, address_of(CARLA), "T")
    actions.join(story.app, "Eriwan", DORA, address_of(DORA), None)
    collector.tick(joined_by_gm_wish_missing=DORA)
    actions.join(story.app, "Eriwan", DORA, address_of(DORA), "I")
    for name, letter in zip((EMIL, FRIDA), "RO", strict=True):
        seating.join(story.app, "Eriwan", name, address_of(name), letter)
    story.writes(ANNA, f"{said['join']} Havanna\nNeu: A\n")
    story.writes(BERND, collector.block("Neu: N"))
    sent = collector.tick(start=CARLA)
    collector.kept["joined-started"] = next(m for m in sent if m.recipient == address_of(BERND))
    story.writes(ANNA, said["games"])
    collector.tick(games=ANNA)
    actions.join(story.app, "Havanna", "Karl Klein", "", None)
    collector.tick(joined_by_post=GM)


BLANK = ("......",) * 6


def _round_one(collector: MailCollector) -> None:
    story, said = collector.story, collector.said
    story.writes(EMIL, f"{said['status']} Eriwan")
    collector.tick(status=EMIL)
    story.writes(ANNA, collector.block("Neu: E", "DNTIRO", *BLANK[1:]))
    collector.tick(confirmation=ANNA)
    story.writes(ANNA, collector.block("Neu: S", "DIN...", "..TOR.", *BLANK[2:]))
    collector.tick(confirmation_replacing=ANNA)
    story.writes(BERND, "\n".join(["Neu: A", "TOr...", "......", "..I...", *BLANK[3:]]), subject="Re: [Eriwan] Zug")
    collector.tick(confirmation_remarks=BERND)
    story.writes(CARLA, collector.block("R.....", "O.....", "T.....", *BLANK[3:]))
    collector.tick(confirmation_wish_missing=CARLA)
    story.writes(DORA, collector.block("Neu: EN", "DNTIROX", "XD....", "D...Ä.", *BLANK[3:]))
    collector.tick(rejection=DORA)
    story.writes(ANNA, collector.block("Neu: E", "DNTIRQ", *BLANK[1:]))
    collector.tick(rejection_on_file=ANNA)
    story.writes(ANNA, f"{said['status']} Eriwan")
    collector.tick(status_on_file=ANNA)
    story.writes(ANNA, f"{said['help']} Crossword")
    collector.tick(rules=ANNA)
    story.writes(ANNA, f"{said['help']} Schach")
    collector.tick(help_unknown=ANNA)
    story.writes(EMIL, collector.block("Neu:", *BLANK))
    collector.tick(nothing=EMIL)
    story.writes(ANNA, f"{said['withdraw']} Eriwan")
    collector.tick(withdrawn=ANNA)
    story.writes(ANNA, collector.block("Neu: E", "DNTIRO", *BLANK[1:]))
    collector.tick()
    story.writes(CARLA, f"{said['wait']} Eriwan\n\nGM: {said['text']}\n", subject="ZAT")
    sent = collector.tick(several_answers=CARLA)
    collector.kept["trouble"] = next(mail for mail in sent if mail.recipient == GM)


def _end_of_round_one(collector: MailCollector) -> None:
    story = collector.story
    actions.move_zat(story.app, "Eriwan", "+7d")
    collector.tick(zat=ANNA)
    story.at("2026-11-22T20:00:00+01:00")
    actions.standby(story.app, "Eriwan", EMIL, None, None)
    sent = collector.tick(zat_reason=ANNA)
    to_emil = [mail for mail in sent if mail.recipient == address_of(EMIL)]
    collector.kept["replaced"] = to_emil[-1]
    collector.kept["welcome"] = next(mail for mail in sent if mail.recipient == address_of(GERDA))
    story.at("2026-11-25T20:05:00+01:00")
    story.writes(DORA, collector.block("Neu: E", "DNTIRO", *BLANK[1:]))
    story.outbox.is_down = True  # the bulletin waits, so that nobody has seen round 2 yet
    collector.tick()
    story.writes(GERDA, collector.block("Neu: E", "DNTIRO", *BLANK[1:]))
    story.outbox.is_down = False
    sent = collector.tick()
    for name, player in (("late", DORA), ("late-next-round", GERDA)):
        answers = [mail for mail in sent if mail.recipient == address_of(player)]
        collector.kept[name] = next(mail for mail in answers if mail.message["In-Reply-To"])
    collector.kept["trouble-late"] = next(mail for mail in sent if mail.recipient == GM)
    raw = write_mail(address_of(BERND), collector.block("Neu: E", "DNTIRO", *BLANK[1:]), name=BERND)
    story.server.deliver(raw, datetime.fromisoformat("2026-11-25T19:58:00+01:00"))
    sent = collector.tick(in_time=BERND)
    collector.kept["trouble-in-time"] = next(mail for mail in sent if mail.recipient == GM)


def _middle(collector: MailCollector) -> None:
    story = collector.story
    cast = [ANNA, BERND, CARLA, DORA, GERDA, FRIDA]
    collector.all_move(cast)
    actions.standby(story.app, "Eriwan", FRIDA, HANS, address_of(HANS))
    collector.tick(welcome_on_file=HANS)
    cast[5] = HANS
    collector.close()
    collector.all_move(cast, but=DORA)
    collector.close(bulletin=ANNA, bulletin_nmr=DORA)
    collector.all_move(cast)
    collector.close(bulletin_all_there=ANNA)
    collector.all_move(cast)
    collector.close(bulletin_last=ANNA)


def _last_round(collector: MailCollector) -> None:
    story = collector.story
    cast = [ANNA, BERND, CARLA, DORA, GERDA, HANS]
    for seat, name in enumerate(cast[:5], 1):
        lines = collector.suggestion(seat)
        story.writes(name, collector.block(*(_with_claims(lines) if name in (BERND, GERDA) else lines)))
        if name in (ANNA, BERND):
            collector.tick(**{"confirmation_list" if name == ANNA else "confirmation_list_remarks": name})
    collector.tick()
    collector.appeals(BERND, "TORI", False, "appeal_running")
    sent = collector.close(final_provisional=ANNA)
    collector.kept["words"] = next(mail for mail in sent if mail.recipient == GM)
    doubtful = _doubtful(collector)
    assert len(doubtful) > 1, doubtful
    collector.appeals(BERND, doubtful[0], True, "appeal_provisional")
    actions.rule(story.app, "Eriwan", doubtful[:1], False, collector.said["note"], False)
    assert len(collector.tick(ruled=BERND)) == 1
    story.passes(days=2)
    actions.rule(story.app, "Eriwan", doubtful[1:], True, "", False)
    collector.tick(final=ANNA)
    story.passes(days=1)
    collector.appeals(BERND, doubtful[1], True, "appeal")
    actions.rule(story.app, "Eriwan", doubtful[1:2], False, collector.said["note"], False)
    collector.tick(final_second=ANNA)


def _doubtful(collector: MailCollector) -> tuple[str, ...]:
    with collector.story.app.database.read() as session:
        at = position(collector.story.app, game_queries.named(session, "Eriwan"))
        outcome = at.engine.outcome(at.state)
        assert outcome
        return outcome.doubtful


def _with_claims(lines: Sequence[str]) -> list[str]:
    """Claim three letters of each row that stand together: no list knows them."""
    rows = [line for line in lines if re.fullmatch("[A-Za-z.]{6}", line)][:6]
    threes = [(number, re.search("[a-z]{3}", row.lower())) for number, row in enumerate(rows, 1)]
    return [*rows, *(f"Z{number}: {three[0]} 7" for number, three in threes if three), "Summe 99"]


def _troubles(collector: MailCollector) -> None:
    story = collector.story
    story.outbox.refuse(address_of(BERND))
    actions.abort(story.app, "Havanna", collector.said["why"])
    collector.tick(aborted=ANNA)
    story.writes(BERND, collector.said["games"], subject=collector.said["games"])
    collector.tick(trouble_undelivered=GM)
    story.arrives(b"From: Anna Berg <anna@spieler.example>\r\nSubject: Zug\r\n" + NESTED)
    collector.tick(trouble_quarantine=GM)
    server = story.server
    server.broken.add(
        server.deliver(write_mail(address_of(ANNA), "Zug", message_id="<broken@spieler.example>"), story.now)
    )
    collector.tick(trouble_unfetched=GM)
    server.folders["INBOX"].clear()
    story.tick()
    with story.app.database.write() as session:
        game = game_queries.named(session, "Eriwan")
        gm_list.tell(story.app, session, "held", "Its rules are not installed here.", About(game=game))
    collector.tick(trouble_held=GM)
    _too_many(collector)


def _too_many(collector: MailCollector) -> None:
    story = collector.story
    for number in range(20):
        story.writes(CARLA, collector.said["games"], subject=f"{number}")
    story.writes(CARLA, "Crossword Kuba\nNeu: A\n")
    story.writes(CARLA, collector.said["games"])
    with story.app.database.write() as session:
        for number in range(22):
            gm_list.tell(story.app, session, "held", f"{number}", About(cause=f"held:{number}"))
    story.tick()
    story.passes(hours=1)
    collector.tick()
    collector.kept["summary"], collector.kept["more"] = collector.last(CARLA), collector.last(GM)
    with story.app.database.write() as session:
        gm_list.tell(story.app, session, "strangers", "xaver@spieler.example: Zug")
    collector.tick(trouble_strangers=GM)
    with story.app.database.write() as session:
        text = "2026-11-02 12:00 - 2026-11-02 18:30\n550 5.4.5 Daily sending limit exceeded"
        gm_list.tell(story.app, session, "unsent", text)
    collector.tick(trouble_unsent=GM)


def tell_chain(folder: Path, language: Language) -> dict[str, Posted]:
    """Play the word chain: moves with effect at once, a word that waits for the GM, an NMR, the end."""
    story = Story(folder, words=WORDS, more={"service": {"language": language}})
    try:
        collector = MailCollector(story, language, "the secret of the other story")
        collector.new_game("Kette", autostart=False, kind="word-chain")
        for name in (ANNA, BERND):
            seating.join(story.app, "Kette", name, address_of(name), None)
        actions.start(story.app, "Kette")
        collector.tick(chain_start=ANNA, chain_start_waiting=BERND)
        _first_turns(collector)
        _held_turn(collector)
        _last_turns(collector)
        return collector.kept
    finally:
        story.close()


def _says(collector: MailCollector, name: str, *lines: str, title: str = "Wortkette Kette") -> None:
    collector.story.writes(name, collector.block(*lines, title=title))


def _first_turns(collector: MailCollector) -> None:
    story, said = collector.story, collector.said
    for name, command, who in (
        ("chain_games", said["games"], ANNA),
        ("chain_status", f"{said['status']} Kette", ANNA),
        ("chain_status_waiting", f"{said['status']} Kette", BERND),
        ("help_on_turn", said["help"], ANNA),
        ("help_without_rules", f"{said['help']} Wortkette", BERND),
        ("rules_without_seat", f"{said['help']} Crossword", BERND),
        ("chain_no_effect", f"{said['wait']} Kette", ANNA),
    ):
        story.writes(who, command)
        collector.tick(**{name: who})
    _says(collector, BERND, "sagen rot")
    collector.tick(chain_not_on_turn=BERND)
    _says(collector, ANNA, "Stand: 10", "singen rot")
    collector.tick(chain_rejection=ANNA)
    _says(collector, ANNA, "Stand: 10", "würfeln")
    collector.tick(acted_still_on_turn=ANNA)
    _says(collector, ANNA, "Stand: 10", "sagen rot")
    collector.tick(chain_stale=ANNA)
    before = story.now
    _says(collector, ANNA, "Stand: 11", "sagen rot")
    collector.tick(acted=ANNA, turn=BERND)
    story.server.deliver(write_mail(address_of(BERND), "Wortkette Kette\nsagen tanne\n"), before)
    collector.tick(chain_crossed=BERND)


def _held_turn(collector: MailCollector) -> None:
    story = collector.story
    _says(collector, BERND, "Stand: 20", "sagen tqx")
    sent = collector.tick(chain_held=BERND, held=ANNA)
    collector.kept["chain-words"] = next(mail for mail in sent if mail.recipient == GM)
    story.passes(hours=3)
    actions.rule(story.app, "Kette", ["TQX"], False, "", False)
    collector.tick(chain_rejection_after_ruling=BERND, chain_ruled=ANNA)
    _says(collector, BERND, "Stand: 20", "sagen txr")
    collector.tick()
    actions.rule(story.app, "Kette", ["TXR"], True, "", False)
    collector.tick(turn_after_ruling=ANNA, turn_own=BERND)


def _last_turns(collector: MailCollector) -> None:
    story = collector.story
    actions.move_zat(story.app, "Kette", "+2d")
    collector.tick(chain_zat=ANNA)
    actions.standby(story.app, "Kette", ANNA, GERDA, address_of(GERDA))
    collector.tick(chain_welcome=GERDA)
    with story.app.database.read() as session:
        zat = game_queries.named(session, "Kette").zat
    assert zat
    story.at(zat.isoformat())
    story.passes(minutes=5)
    _says(collector, GERDA, "Stand: 30", "sagen rasen")
    sent = collector.tick(turn_nmr=BERND)
    collector.kept["chain-late"] = next(
        m for m in sent if m.recipient == address_of(GERDA) and m.message["In-Reply-To"]
    )
    for name, *lines in ((BERND, "Stand: 40", "sagen rente"), (GERDA, "Stand: 50", "sagen ernst")):
        _says(collector, name, *lines)
        collector.tick()
    _says(collector, BERND, "Stand: 60", "sagen tor")
    sent = collector.tick(chain_final=GERDA)
    answer, final = [mail for mail in sent if mail.recipient == address_of(BERND)]
    collector.kept["acted-over"] = next(
        mail for mail in (answer, final) if "Auto-Submitted: auto-replied" in str(mail.message)
    )


def tell_daily_digest(folder: Path, language: Language) -> dict[str, Posted]:
    """Play two word chains; Carla watches both, and she and Anna want a daily digest."""
    story = Story(folder, words=WORDS, more={"service": {"language": language}})
    try:
        collector = MailCollector(story, language, "the secret of the story of the daily digest")
        said = collector.said
        for game in ("Kette", "Perlen"):
            collector.new_game(game, autostart=False, kind="word-chain")
            for name in (ANNA, BERND):
                seating.join(story.app, game, name, address_of(name), None)
            actions.start(story.app, game)
        actions.add_standby(story.app, CARLA, address_of(CARLA), None)
        collector.tick()
        story.writes(CARLA, f"{said['watch']} Kette\n{said['watch']} Perlen\n{said['daily']} 18:00\n")
        story.writes(ANNA, f"{said['daily']} 18:00\n")
        collector.tick(notice_daily_digest=ANNA)
        story.writes(BERND, f"{said['publish']} Kette\n{said['press']}\n{said['end']}\n")
        for name, line in ((ANNA, "Stand: 10\nsagen rot"), (BERND, "Stand: 20\nsagen tanzen")):
            _says(collector, name, *line.splitlines())
            collector.tick()
        _says(collector, ANNA, "Stand: 10", "sagen nord", title="Wortkette Perlen")
        collector.tick()
        actions.close(story.app, "Kette", story.app.now())  # Anna misses her turn
        collector.tick()
        _says(collector, BERND, "Stand: 40", "sagen nein")
        collector.tick(turn_at_once=ANNA)
        story.at("2026-11-02T18:00:30+01:00")
        collector.tick(daily=CARLA, daily_game=ANNA)
        return collector.kept
    finally:
        story.close()


def tell_digests(folder: Path, language: Language) -> dict[str, Posted]:
    """Play a week of several games, up to the digests of its Sunday."""
    more = {"service": {"language": language}, "digest": {"weekday": "sunday"}, "deadlines": {"close_early": False}}
    story = Story(folder, words=WORDS, more=more, now="2026-10-27T12:00:00+01:00")
    try:
        collector = MailCollector(story, language, "the secret of the third story")
        for name in ("Eriwan", "Genua", "Dakar", "Calais", "Havanna"):
            collector.new_game(name, autostart=False)
            for player, letter in zip(_cast(name), "DNTIRO", strict=False):
                seating.join(story.app, name, player, address_of(player), letter)
        actions.start(story.app, "Calais")
        for number in range(6):
            _all_enter(collector, "Calais")
            story.at("2026-10-28T12:00:00+01:00" if number < 5 else "2026-11-03T12:00:00+01:00")
            actions.close(story.app, "Calais", story.app.now())
        for name in ("Eriwan", "Genua", "Dakar"):
            actions.start(story.app, name)
        _all_enter(collector, "Genua", but=FRIDA)
        _all_enter(collector, "Dakar", but=DORA)
        actions.close(story.app, "Dakar", story.app.now())
        _all_enter(collector, "Dakar")
        for name in (BERND, CARLA):
            actions.enter_move(story.app, "Eriwan", name, collector.block("Neu: E", "DNTIRO", *BLANK[1:]))
        story.writes(EMIL, f"GM: {collector.said['text']}\n")
        collector.tick()
        _publish_all(collector)
        story.at("2026-11-08T18:00:00+01:00")
        collector.tick(digest=ANNA, digest_missing=HANS, heartbeat=GM)
        _stop_all(collector)
        story.at("2026-12-06T18:00:00+01:00")
        collector.tick(digest_monthly=BERND, heartbeat_troubles=GM)
        return collector.kept
    finally:
        story.close()


def _cast(game: str) -> tuple[str, ...]:
    return {"Eriwan": (*PLAYERS[:5], HANS), "Havanna": (CARLA, DORA, GERDA, HANS)}.get(game, PLAYERS)


def _all_enter(collector: MailCollector, game: str, but: str = "") -> None:
    """The GM types in what comes to everybody's mind."""
    for seat, name in enumerate(PLAYERS, 1):
        if name != but:
            lines = collector.suggestion(seat, game)
            actions.enter_move(collector.story.app, game, name, collector.block(*lines, title=f"Crossword {game}"))


def _publish_all(collector: MailCollector) -> None:
    """Put press that was printed, preferences and a vacation into the database."""
    now = collector.story.now
    with collector.story.app.database.write() as session:
        players = {name: player_queries.player_named(session, name) for name in PLAYERS}
        players[BERND].digest = "monthly"
        players[FRIDA].digest = "off"
        eriwan = game_queries.named(session, "Eriwan")
        start = turn_queries.turns(session, eriwan)[-1]
        for name, anonymous in ((FRIDA, False), (EMIL, True)):
            session.add(Press(game_id=eriwan.id, player_id=players[name].id, anonymous=anonymous, received_at=now,
                              text=collector.said["press"], turn_id=start.id))  # fmt: skip
        for name in (ANNA, CARLA):
            session.add(Vacation(player_id=players[name].id, first=date(2026, 11, 18), last=date(2026, 11, 24), at=now))


def _stop_all(collector: MailCollector) -> None:
    """Let the clocks of all games stand still, each for another reason; and let Carla write from Bernd's address."""
    with collector.story.app.database.write() as session:
        eriwan, genua, dakar = (game_queries.named(session, name) for name in ("Eriwan", "Genua", "Dakar"))
        eriwan.paused_until = collector.story.now + timedelta(days=40)
        genua.held = "its rules are not installed here"
        turn_queries.current_turn(dakar).released_at = None
        dakar.zat = collector.story.now + timedelta(days=40)
        eriwan.zat = collector.story.now + timedelta(days=50)
        carla = player_queries.player_named(session, CARLA)
        session.add(Address(player_id=carla.id, address=address_of(BERND)))
        session.add(MailOut(cause="", kind="", recipient="", address="x@y.example", message_id="<1@y.example>",
                            subject="", status="refused", next_try=carla.created_at,
                            created_at=carla.created_at))  # fmt: skip
        session.add(MailIn(folder="INBOX", uidvalidity=1, uid=99, raw=b"", size=0, content="", status="quarantined",
                           received_at=carla.created_at))  # fmt: skip


# -- the clock: reminders, pauses, standbys ----------------------------------------------------------------------------


def tell_clock(folder: Path, language: Language) -> dict[str, Posted]:
    """Play deadlines, and seats whose players have resigned or send nothing."""
    more = {
        "service": {"language": language},
        "deadlines": {"vacation": "extend", "close_early": False, "outage": "30d"},
    }  # fmt: skip
    story = Story(folder, words=WORDS, more=more, now="2026-11-02T12:00:00+01:00")
    try:
        collector = MailCollector(story, language, "the secret of the clock")
        collector.new_game("Eriwan", autostart=False)
        for name, letter in zip(PLAYERS, "DNTIRO", strict=True):
            seating.join(story.app, "Eriwan", name, address_of(name), letter)
        actions.start(story.app, "Eriwan")
        collector.tick()
        _clock_moves(collector)
        _silence(collector)
        _seats_change(collector)
        _after_an_outage(collector)
        _reasons(collector)
        return collector.kept
    finally:
        story.close()


def _reasons(collector: MailCollector) -> None:
    """A new ZAT and a pause have reasons."""
    app, why = collector.story.app, collector.said["why"]
    collector.new_game("Genua", autostart=False)
    for name, letter in zip(PLAYERS, "DNTIRO", strict=True):
        seating.join(app, "Genua", name, address_of(name), letter)
    actions.start(app, "Genua")
    collector.tick()
    actions.move_zat(app, "Genua", "+3d", why)
    collector.tick(zat_why=BERND)
    actions.pause(app, "Genua", "3d", why)
    collector.tick(paused_why=BERND)


def _clock_moves(collector: MailCollector) -> None:
    """More time is asked for, somebody is away, the game pauses; the ZAT comes near."""
    story, german = collector.story, collector.language == "de"
    actions.pause(story.app, "Eriwan", "5d")
    collector.tick(paused=ANNA)
    story.passes(days=2)
    actions.resume(story.app, "Eriwan")
    collector.tick(resumed=ANNA)
    story.writes(FRIDA, "Verlängerung Eriwan 3 Tage\n" if german else "Extension Eriwan 3 days\n")
    collector.tick(trouble_extension=GM)
    story.writes(FRIDA, f"{'Urlaub' if german else 'Vacation'} 17.11.2026-20.11.2026\n")
    collector.tick(zat_vacation=ANNA, trouble_vacation=GM)
    story.writes(BERND, collector.block("DIN...", *BLANK[1:]))
    collector.tick()
    story.at("2026-11-18T20:00:00+01:00")
    collector.tick(reminder=ANNA, reminder_incomplete=BERND)
    story.at("2026-11-21T20:00:01+01:00")
    collector.tick()


def _silence(collector: MailCollector) -> None:
    """Dora misses a second round, Emil as well; two standbys are asked."""
    story = collector.story
    for name in (GERDA, HANS):
        actions.add_standby(story.app, name, address_of(name), None)
    for seat, name in enumerate(PLAYERS, 1):
        if name not in (DORA, EMIL):
            story.writes(name, collector.block(*collector.suggestion(seat)))
    collector.tick()
    story.passes(days=1)
    actions.close(story.app, "Eriwan", story.app.now())
    sent = collector.tick()
    _keep(collector, sent, bulletin_missed=ANNA, ask_seat=GERDA)


def _keep(collector: MailCollector, sent: Sequence[Posted], **names: str) -> None:
    """Keep the last mails to these."""
    for name, who in names.items():
        address = who if "@" in who else address_of(who)
        collector.kept[name.replace("_", "-")] = [mail for mail in sent if mail.recipient == address][-1]


def _seats_change(collector: MailCollector) -> None:
    """Dora comes back, Emil is played on without; Frida resigns, and Hans has the seat sooner than Gerda."""
    story = collector.story
    story.writes(DORA, collector.block(*collector.suggestion(4)))
    _keep(collector, collector.tick(), not_needed_back=GERDA)
    actions.play_on_without(story.app, "Eriwan", EMIL)
    _keep(collector, collector.tick(), removed=EMIL, without=ANNA, not_needed_without=HANS)
    resign = "Abmeldung" if collector.language == "de" else "Resign"
    story.writes(FRIDA, f"{resign} Eriwan\n\n{collector.said['text']}\n")
    _keep(collector, collector.tick(), left=ANNA, trouble_resigned=GM)
    story.passes(days=2, minutes=1)
    question = next(mail for mail in collector.tick() if mail.recipient == address_of(HANS))
    sent = collector.confirms(HANS, question)
    to_hans = [mail for mail in sent if mail.recipient == address_of(HANS)]
    collector.kept["welcome-resigned"] = next(m for m in to_hans if m.message["Auto-Submitted"] == "auto-generated")
    _keep(collector, sent, not_needed=GERDA)
    story.writes(CARLA, f"{resign} Eriwan\n")
    collector.tick()
    story.passes(days=2, minutes=1)
    sent = collector.tick()
    _keep(collector, sent, trouble_vacancy=GM)
    for _ in range(4):
        actions.close(story.app, "Eriwan", story.app.now())
        story.passes(minutes=1)
    _keep(collector, collector.tick(), not_needed_over=GERDA)


def _after_an_outage(collector: MailCollector) -> None:
    """A game in turns, where who is on turn is reminded; then no mail can be fetched for too long."""
    story = collector.story
    collector.new_game("Kette", autostart=False, kind="word-chain")
    for name in (ANNA, BERND):
        seating.join(story.app, "Kette", name, address_of(name), None)
    actions.start(story.app, "Kette")
    collector.tick()
    story.passes(days=3, hours=20)
    _keep(collector, collector.tick(), reminder_turn=ANNA)
    story.passes(days=40)
    collector.tick(trouble_outage=GM)


# -- the desk: what the GM is asked and does ---------------------------------------------------------------------------


DESK_SAID: dict[Language, dict[str, str]] = {
    "de": {
        "signed": "Presse Eriwan\nWer wünscht sich hier dauernd E?\n\nIch nicht.\nEnde\n",
        "unsigned": "Presse anonym Eriwan\nDoch, du.\nEnde\n",
        "foreword": "Hallo zusammen,\n\nschöne Feiertage! Ab Januar geht es weiter.",
        "extension": "Verlängerung Eriwan 3 Tage\n", "vacation": "Urlaub 24.12.2026-06.01.2027\n",
        "resign": "Abmeldung Eriwan\n\nLeider keine Zeit mehr.\n",
    },
    "en": {
        "signed": "Press Eriwan\nWho keeps wishing for an E here?\n\nNot me.\nEnd\n",
        "unsigned": "Press anonymous Eriwan\nYes, you.\nEnd\n",
        "foreword": "Hello everybody,\n\nmerry Christmas! We go on in January.",
        "extension": "Extension Eriwan 3 days\n", "vacation": "Vacation 24.12.2026-06.01.2027\n",
        "resign": "Resign Eriwan\n\nNo time any more, alas.\n",
    },
}  # fmt: skip


def tell_desk(folder: Path, language: Language) -> dict[str, Posted]:
    """Play closings that are released or undone, and questions to the GM."""
    more = {"service": {"language": language}, "deadlines": {"release": "gm", "outage": "24h"}}
    story = Story(folder, words=WORDS, more=more)
    try:
        collector = MailCollector(story, language, "the secret of the fourth story")
        collector.said = {**collector.said, **DESK_SAID[language]}
        collector.new_game("Eriwan", autostart=False)
        for name, letter in zip(PLAYERS, "DNTIRO", strict=True):
            seating.join(story.app, "Eriwan", name, address_of(name), letter)
        actions.start(story.app, "Eriwan")
        collector.tick()
        _released(collector)
        _asked(collector)
        _taken_back(collector)
        _stood_still(collector)
        _with_the_gm(collector)
        return collector.kept
    finally:
        story.close()


def _released(collector: MailCollector) -> None:
    story, said = collector.story, collector.said
    with story.app.database.write() as session:
        game = game_queries.named(session, "Eriwan")
        game.anonymous_press = True
        session.add(game)
    collector.all_move(PLAYERS, but=FRIDA)
    story.writes(BERND, said["signed"])
    story.writes(CARLA, said["unsigned"])
    collector.tick()
    release = collector.close(release=GM)[-1]
    line = f"gm release Eriwan\n{said['foreword']}\nEnde\n"
    story.writes("Cici Beilken", line, sender=GM, subject=f"Re: {release.message['Subject']}")
    collector.tick(bulletin_foreword=ANNA, notice_gm_done=GM)


def _asked(collector: MailCollector) -> None:
    story, said = collector.story, collector.said
    story.writes(ANNA, said["extension"])
    extension = next(mail for mail in collector.tick(trouble_extension=GM) if mail.recipient == GM)
    story.writes("Cici Beilken", "gm close Eriwan\n", sender=GM, subject=f"Re: {extension.message['Subject']}")
    collector.tick(notice_not_offered=GM)
    story.writes(BERND, said["vacation"])
    collector.tick(trouble_vacation=GM)
    forward = f"-------- Forwarded Message --------\nSubject: Zug\nFrom: {DORA} <{address_of(DORA)}>\n\n"
    move = collector.block("Neu: E", "DNTIRO", *BLANK[1:])
    story.writes("Cici Beilken", forward + move, sender=GM, subject="Fwd: Zug")
    collector.tick(trouble_forwarded=GM)
    story.writes(FRIDA, said["resign"])
    mails = [mail for mail in collector.tick() if mail.recipient == GM]
    for mail in mails:
        kind = "vacancy" if "--none" in mail.text else "resigned"
        collector.kept[f"trouble-{kind}"] = mail


def _taken_back(collector: MailCollector) -> None:
    story = collector.story
    actions.undo(story.app, "Eriwan")
    collector.tick(undone=ANNA)
    collector.close()
    actions.undo(story.app, "Eriwan")
    assert not collector.tick()
    story.writes(BERND, f"{collector.said['withdraw']} Eriwan\n")
    collector.all_move([DORA])
    collector.close()
    actions.release(story.app, "Eriwan", "")
    collector.tick(bulletin_corrected=ANNA)
    actions.play_on_without(story.app, "Eriwan", FRIDA)
    collector.tick()
    actions.undo(story.app, "Eriwan")
    collector.tick(returned_free=ANNA)
    actions.standby(story.app, "Eriwan", FRIDA, FRIDA, None)
    collector.tick(returned=ANNA, welcome_back=FRIDA)


def _stood_still(collector: MailCollector) -> None:
    story = collector.story
    actions.move_zat(story.app, "Eriwan", "+1d")
    collector.tick()
    story.passes(days=30)
    collector.tick(trouble_outage=GM)


def _with_the_gm(collector: MailCollector) -> None:
    """Play a game in which the GM has a seat; there is no second one."""
    story = collector.story
    collector.new_game("Havanna", autostart=False)
    for name, letter in zip(PLAYERS[:5], "DNTIR", strict=True):
        seating.join(story.app, "Havanna", name, address_of(name), letter)
    seating.join(story.app, "Havanna", "Cici Beilken", GM, "O")
    actions.start(story.app, "Havanna")
    collector.tick(start_gm_plays=ANNA)
    actions.close(story.app, "Havanna", story.app.now())
    collector.tick()
    story.writes(BERND, collector.block(*collector.suggestion(2, "Havanna"), title="Crossword Havanna"))
    collector.tick(trouble_late_hidden=GM)
    actions.release(story.app, "Havanna", "")
    collector.tick(bulletin_gm_plays=ANNA)


def tell_desk_at_once(folder: Path, language: Language) -> dict[str, Posted]:
    """Undo a move that took effect at once."""
    story = Story(folder, words=WORDS, more={"service": {"language": language}})
    try:
        collector = MailCollector(story, language, "the secret of the fifth story")
        collector.new_game("Kette", autostart=False, kind="word-chain")
        for name in (ANNA, BERND):
            seating.join(story.app, "Kette", name, address_of(name), None)
        actions.start(story.app, "Kette")
        collector.tick()
        _says(collector, ANNA, "sagen rot")
        collector.tick()
        actions.undo(story.app, "Kette")
        collector.tick(undone_act=BERND)
        actions.move_zat(story.app, "Kette", "+7d")
        collector.tick()
        _says(collector, ANNA, "sagen nest")
        collector.tick(turn_corrected=BERND)
        _close_and_undo(collector)
        return collector.kept
    finally:
        story.close()


def tell_advance(folder: Path, language: Language) -> dict[str, Posted]:
    """Moves that are sent before the turn: kept, played, failed, taken back and taken over."""
    story = Story(folder, words=WORDS, more={"service": {"language": language}})
    try:
        collector = MailCollector(story, language, "the secret of the tenth story")
        for game, kind in (("Kette", "word-chain"), ("Fiume", "typ-dom")):
            collector.new_game(game, autostart=False, kind=kind)
            for name in (ANNA, BERND):
                seating.join(story.app, game, name, address_of(name), None)
            actions.start(story.app, game)
        collector.tick()
        _advance_moves(collector)
        return collector.kept
    finally:
        story.close()


def _advance_moves(collector: MailCollector) -> None:
    story, said = collector.story, collector.said
    for name, text in (
        ("advance_unread", f"{said['advance']} Fiume\nZ26 waagerecht: TIER?!\n"),
        ("advance", f"{said['advance']} Kette\nsagen nord\n\nsagen tanzen\n"),
        ("status_advance", f"{said['status']} Kette"),
    ):
        story.writes(BERND, text)
        collector.tick(**{name: BERND})
    _says(collector, ANNA, "sagen rot")
    _keep(collector, collector.tick(), turn_advance_played=BERND, turn_others_advance=ANNA)
    story.writes(BERND, f"{said['advance']} Kette\nsagen tanzen\n")
    collector.tick(advance_one=BERND)
    _says(collector, ANNA, "sagen nord")
    collector.tick(turn_advance_failed=BERND)
    actions.undo(story.app, "Kette")
    collector.tick(undone_advance=BERND)
    actions.standby(story.app, "Kette", BERND, GERDA, address_of(GERDA))
    collector.tick(advance_taken_over=GERDA)
    with story.app.database.write() as session:  # as if the turn before had been taken back as well
        row = session.exec(select(AdvanceMove).where(col(AdvanceMove.ended_at).is_(None))).one()
        row.seat = 1
        session.add(row)
    actions.move_zat(story.app, "Kette", "+7d")
    _keep(collector, collector.tick(), advance_failed=ANNA)


def _close_and_undo(collector: MailCollector) -> None:
    """Take a closing back before its bulletins have gone out."""
    story = collector.story
    collector.new_game("Eriwan", autostart=False)
    for name, letter in zip(PLAYERS, "DNTIRO", strict=True):
        seating.join(story.app, "Eriwan", name, address_of(name), letter)
    actions.start(story.app, "Eriwan")
    collector.tick()
    actions.close(story.app, "Eriwan", story.app.now())
    actions.undo(story.app, "Eriwan")
    collector.tick(undone_unsent=ANNA)


# -- the people: questions, press, watching, preferences ---------------------------------------------------------------


SHARED = "berge@spieler.example"


def tell_people(folder: Path, language: Language) -> dict[str, Posted]:
    """Send mails of players with one address, of strangers, about new addresses and preferences."""
    story = Story(folder, words=WORDS, more={"service": {"language": language, "chat": True}})
    try:
        collector = MailCollector(story, language, "the secret of the fourth story")
        collector.new_game("Eriwan", autostart=False)
        for name, letter in zip(PLAYERS, "DNTIRO", strict=True):
            seating.join(story.app, "Eriwan", name, SHARED if name in (ANNA, BERND) else address_of(name), letter)
        actions.start(story.app, "Eriwan")
        sent = collector.tick()
        collector.kept["start-shared"] = next(mail for mail in sent if mail.recipient == SHARED)
        _unclear_moves(collector)
        _new_address(collector)
        _much_at_once(collector)
        line = {"de": "An alle Eriwan: Wer kommt\nzum Treffen?", "en": "To all Eriwan: Who comes\nto Bonn?"}[language]
        story.writes(CARLA, line)
        collector.tick(chat=EMIL)
        return {name: mail for name, mail in collector.kept.items() if "-of-" not in name}
    finally:
        story.close()


def _unclear_moves(collector: MailCollector) -> None:
    """A couple forgets the name; Carla writes from her office."""
    story, said = collector.story, collector.said
    story.writes(ANNA, collector.block(said["new"] + ": E", "DNTIRO", *BLANK[1:]), sender=SHARED)
    collector.tick(ask_who=SHARED)
    story.writes(ANNA, "Name: Anna\n", sender=SHARED)
    collector.tick()
    move = collector.block("Name: Carla", said["new"] + ": S", "DIN...", *BLANK[1:])
    story.writes(CARLA, move, sender="c.dietz@firma.example")
    collector.tick(ask_stranger=CARLA)


def _new_address(collector: MailCollector) -> None:
    story, said = collector.story, collector.said
    story.writes(DORA, f"{said['address']} dora@neu.example\n")
    collector.tick(ask_address_new="dora@neu.example", ask_address=DORA)
    question = collector.kept["ask-address"]
    story.writes(DORA, said["yes"], subject=f"Re: {question.message['Subject']}")
    collector.tick(notice_address_half=DORA)


def _much_at_once(collector: MailCollector) -> None:
    """Somebody unknown wants to watch; Emil says in one mail all that came to his mind in a week."""
    story, said = collector.story, collector.said
    story.writes("Xaver Zorn", f"{said['watch']} Eriwan\n")
    question = collector.tick(question_watch="Xaver Zorn")[-1]
    collector.confirms("Xaver Zorn", question, notice_watching="Xaver Zorn")
    story.writes(EMIL, "\n".join([
        *("Hallo Cici,", "", "Crossword Eriwan", said["new"] + ": E", "DNTIRO", *BLANK[1:], ""),
        f"{said['wait']} Eriwan", f"{said['status']} Tiflis", said["digest"], said["typo"], "",
        f"{said['publish']} Eriwan", said["press"], said["end"], "", said["thanks"], "Emil", "",
    ]))  # fmt: skip
    collector.tick(answered=EMIL)
    story.writes(FRIDA, f"{said['status']} Erivan\n")
    collector.tick(notice_nearest=FRIDA)
    collector.close(bulletin_watching="Xaver Zorn")
    story.writes(FRIDA, f"{said['history']} Eriwan 1\n")
    collector.tick(bulletin_again=FRIDA)


OWN_DATA = {
    "de": ("Meine Partien", "Vergiss mich", "Urlaub"),
    "en": ("My games", "Forget me", "Vacation"),
}


def tell_own_data(folder: Path, language: Language) -> dict[str, Posted]:
    """Anna looks at her games, and wants to be forgotten at last."""
    story = Story(folder, words=WORDS, more={"service": {"language": language}})
    games, forget, vacation = OWN_DATA[language]
    try:
        collector = MailCollector(story, language, "the secret of the story of own data")
        said = collector.said
        for name, seats in (("Eriwan", 6), ("Havanna", 2), ("Porto", 1), ("Riga", 1), ("Sofia", 6)):
            collector.new_game(name, autostart=False)
            for player, letter in zip(PLAYERS[:seats], "DNTIRO", strict=False):
                seating.join(story.app, name, player, address_of(player), letter)
        actions.start(story.app, "Eriwan")
        actions.start(story.app, "Sofia")
        actions.abort(story.app, "Riga", said["why"])
        actions.add_standby(story.app, GERDA, address_of(GERDA), None)
        collector.new_game("Tiflis", autostart=False)
        story.writes(ANNA, f"Standby\n{said['watch']} Tiflis\n{vacation} 24.12.2026-06.01.2027\n")
        story.writes(ANNA, collector.block("Neu: E", "DNTIRO", *BLANK[1:], title="Crossword Sofia"))
        collector.tick()
        story.writes(ANNA, games)
        collector.tick(my_games=ANNA)
        story.writes(GERDA, games)
        collector.tick(my_games_none=GERDA)
        send_issue(story)
        collector.tick(issue=ANNA)
        story.writes(ANNA, forget)
        collector.tick()
        collector.kept["trouble-own-data"] = collector.last(GM)
        return collector.kept
    finally:
        story.close()


def tell_reminders(folder: Path, language: Language) -> dict[str, Posted]:
    """Remind a couple of three moves in two games."""
    story = Story(folder, words=WORDS, more={"service": {"language": language}})
    try:
        collector = MailCollector(story, language, "the secret of the story of reminders")
        for game, players in (("Eriwan", PLAYERS), ("Genua", (ANNA, *PLAYERS[2:], GERDA))):
            collector.new_game(game, autostart=False)
            for name, letter in zip(players, "DNTIRO", strict=True):
                actions.join(story.app, game, name, SHARED if name in (ANNA, BERND) else address_of(name), letter)
            actions.start(story.app, game)
        collector.tick()
        story.at("2026-11-14T12:00:00+01:00")
        collector.tick(reminders=SHARED)
        return collector.kept
    finally:
        story.close()


def send_issue(story: Story) -> None:
    """Send an issue whose pages are of no matter here."""
    folder = story.config.parent / "issues" / "1"
    folder.mkdir(parents=True)
    (folder / "issue.toml").write_text(first_order(1), encoding="utf-8")
    (folder / "issue.pdf").write_bytes(b"%PDF-1.7")
    send(story.app)


def tell_senders(folder: Path, language: Language) -> dict[str, Posted]:
    """Send mails without authentication: Anna is asked, denies one, and gets many more; a mail of Bernd's is forged."""
    security = {"sender": "authenticated", "trusted_authserv": ["mx.example.org"]}
    story = Story(folder, words=WORDS, more={"service": {"language": language}, "security": security})
    try:
        collector = MailCollector(story, language, "the secret of the fifth story")
        collector.new_game("Eriwan", autostart=False)
        for name, letter in zip(PLAYERS, "DNTIRO", strict=True):
            seating.join(story.app, "Eriwan", name, address_of(name), letter)
        actions.start(story.app, "Eriwan")
        collector.tick()
        story.writes(ANNA, collector.block(collector.said["new"] + ": E", "DNTIRO", *BLANK[1:]))
        question = collector.tick(ask_sender=ANNA)[-1]
        no = {"de": "Nein\n", "en": "No\n"}[language]
        story.writes(ANNA, no, subject=f"Re: {question.message['Subject']}")
        collector.tick(trouble_disowned=GM, notice_disowned=ANNA)
        for _ in range(6):
            story.writes(ANNA, f"{collector.said['wait']} Eriwan\n")
        collector.tick(trouble_unproven=GM)
        found = b"Authentication-Results: mx.example.org; dmarc=fail\r\nReceived: from x by mx.example.org; now\r\n"
        story.arrives(found + write_mail(address_of(BERND), f"{collector.said['status']} Eriwan\n"))
        collector.tick(forged=BERND)
        _gm_writes(collector, language)
        return collector.kept
    finally:
        story.close()


def tell_gm_who_plays(folder: Path, language: Language) -> dict[str, Posted]:
    """Send mails that can't be read to a GM who plays: first alone, then with a second GM."""
    kept: dict[str, Posted] = {}
    for second in ("", "gerda@spieler.example"):
        service = {"language": language, "second_gm": second and f"Gerda Hahn <{second}>"}
        story = Story(folder / (second or "alone"), words=WORDS, more={"service": service})
        try:
            collector = MailCollector(story, language, "the secret of the story of a GM who plays")
            for game, players in (("Eriwan", PLAYERS[:5]), ("Havanna", PLAYERS[1:])):
                collector.new_game(game, autostart=False)
                for name, letter in zip(players, "DNTIR", strict=True):
                    seating.join(story.app, game, name, address_of(name), letter)
                seating.join(story.app, game, "Cici Beilken", GM, "O")
                actions.start(story.app, game)
            collector.tick()
            _unreadable_mails(collector, second)
            kept |= collector.kept
        finally:
            story.close()
    return kept


def _unreadable_mails(collector: MailCollector, second: str) -> None:
    """Anna plays in one game of the GM's, Bernd in both."""
    story, text = collector.story, collector.block(collector.said["new"] + ": E", "DNTIRO", *BLANK[1:])
    for name in (ANNA, BERND):
        head = f"From: {name} <{address_of(name)}>\r\nSubject: Zug\r\n".encode()
        head += b"Content-Type: multipart/mixed; boundary=x\r\n" * 50
        raw = head + b"\r\n" + text.replace("\n", "\r\n").encode()
        story.arrives(raw)
        if second:
            collector.tick(**({"trouble_quarantine_second": second} if name == ANNA else {}))
        else:
            named = {ANNA: {"again": ANNA, "trouble_quarantine_hidden": GM}, BERND: {"again_games": BERND}}
            collector.tick(**named[name])
    if second:
        story.writes("Gerda Hahn", "gm mail show 1\n", sender=second)
        collector.tick(mail_shown=second)


def _gm_writes(collector: MailCollector, language: Language) -> None:
    """The GM writes without a thread, to all of a game, and answers what Anna has denied."""
    story, disowned = collector.story, collector.kept["trouble-disowned"]
    texts = {
        "de": ("Wie geht das hier?\n", "An alle Eriwan: Frohe Weihnachten!\n\nDer nächste ZAT ist im Januar.\n", "Ja\n",
               "Liebe Anna,\n\ndanke! Wer das wohl war?\n\nGruß, Cici\n"),
        "en": ("How does this work?\n", "To all Eriwan: Merry Christmas!\n\nThe next round ends in January.\n", "Yes\n",
               "Dear Anna,\n\nthank you! Who may that have been?\n\nCici\n"),
    }  # fmt: skip
    help_wanted, to_all, yes, reply = texts[language]
    story.writes("Cici Beilken", help_wanted, sender=GM, subject="Hallo")
    collector.tick(gm_help=GM)
    story.writes("Cici Beilken", to_all, sender=GM, subject="Hallo")
    question = next(mail for mail in collector.tick(ask_letter=GM) if mail.recipient == GM)
    story.writes("Cici Beilken", yes, sender=GM, subject=f"Re: {question.message['Subject']}")
    collector.tick(letter_all=ANNA, notice_letters_sent=GM)
    story.writes("Cici Beilken", reply, sender=GM, subject=f"Re: {disowned.message['Subject']}")
    collector.tick(letter=ANNA, notice_letter_sent=GM)
    story.writes("Cici Beilken", "gm todo\n", sender=GM, subject="Hallo")
    collector.tick(gm_today=GM)


# -- the end -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def told(made_once: Callable[..., Path]) -> Callable[[Language], dict[str, Posted]]:
    """Return the mails of the story by name; each language is told once."""

    @cache
    def of(language: Language) -> dict[str, Posted]:
        def build(folder: Path) -> None:
            # What is suggested may come from the index of another test's list, where that differs by a few rulings.
            for cached in (wordfinder._index, patterns._index, crossword_suggest._hopes, yahtzee_suggest._index):
                cached.cache_clear()
            kept = {name: (mail.recipient, mail.raw) for name, mail in tell(folder / "told", language).items()}
            (folder / "mails").write_bytes(pickle.dumps(kept))

        kept = pickle.loads(made_once(f"mails-{language}", build).joinpath("mails").read_bytes())
        return {name: Posted(recipient=recipient, raw=raw) for name, (recipient, raw) in kept.items()}

    return of


@pytest.fixture(params=LANGUAGES)
def mails(request: pytest.FixtureRequest, told: Callable[[Language], dict[str, Posted]]) -> dict[str, Posted]:
    """All mails of the story in one language."""
    return told(request.param)


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    """A zine of one test, with a known secret."""
    story = Story(tmp_path, words=WORDS)
    yield story
    story.close()
