"""The checks of the promises themselves: each finds what it is there for, and what was broken once is not."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from language import foreign_word
from promises import CHECKS, BrokenPromise, PromiseChecker
from sqlmodel import col, select

from gm.app.pass_report import Report
from gm.demo.in_memory_zine import NESTED, PLAYERS, Story, address_of, observed, observers, write_mail
from gm.messages.sentences import SENTENCES
from gm.requests.desk import actions
from gm.service.tick import tick
from gm.store.tables import Duty, Game, MailIn, MailOut, Question, Sheet, Turn

ANNA, BERND = PLAYERS[:2]
GM = "cici@postspiel.example"
LANGUAGE = "7: the GM's mails are in one language"
MOVE = "Crossword Eriwan\nNeu: E\nROTDNI" + "\n......" * 5 + "\n"


@pytest.fixture
def story(running: Callable[..., Story]) -> Iterator[Story]:
    """Eriwan in round 1, which nobody watches yet."""
    told = running()
    kept, observers[:] = list(observers), []
    yield told
    observers[:] = kept
    for observer in kept:
        observer.log.take()


def found(story: Story, tamper: Callable[[Any], None] | None = None, *, also: Callable[[], None] = int) -> set[str]:
    """Do a pass, spoil what it did, and name the promises that the checks then find broken."""
    checker = PromiseChecker()
    checker.start()
    before = checker.begins(story.app)
    report = tick(story.app, archive=False)
    also()
    if tamper:
        with story.app.database.write() as session:
            tamper(session)
    with story.app.database.read() as session:
        zine = checker.observe(story.app, session, before, report)
        broken = {check.promise for check in CHECKS if list(check.faults(zine))}
    checker.stop()
    return broken


def test_an_honest_pass_breaks_nothing(story: Story) -> None:
    """Moves, a free text and a stranger's mail: no check complains."""
    story.writes(ANNA, MOVE)
    story.writes(BERND, "Hallo Cici, wie geht's?\n")
    story.writes("Xaver Unbekannt", "Hilfe\n")
    assert found(story) == set()
    story.passes(days=20)
    assert found(story) == set()


def last(session: Any, table: Any) -> Any:
    """Return the newest row of a table."""
    return session.exec(select(table).order_by(col(table.id).desc())).first()


def _unhandled(session: Any) -> None:
    last(session, MailIn).status = "new"


def _unanswered(session: Any) -> None:
    session.delete(next(row for row in session.exec(select(MailOut)) if row.cause.startswith("mail:")))


def _ignored(session: Any) -> None:
    last(session, MailIn).status, last(session, MailIn).reason = "ignored", "automatic: Precedence"


def _ignored_for_nothing(session: Any) -> None:
    last(session, MailIn).status, last(session, MailIn).reason = "ignored", "no time for it"


def _put_off(session: Any) -> None:
    last(session, MailIn).status = "put off"


def _filed_twice(session: Any) -> None:
    sheet = last(session, Sheet)
    session.add(Sheet(**{**sheet.model_dump(), "id": None}))


def _a_strangers_move(session: Any) -> None:
    last(session, Sheet).player_id = 2


def _another_answer(session: Any) -> None:
    mail = next(row for row in session.exec(select(MailOut)) if row.cause.startswith("mail:"))
    session.add(MailOut(**{**mail.model_dump(), "id": None, "kind": "help", "message_id": "<other@x>"}))


def _answered_elsewhere(session: Any) -> None:
    mail = next(row for row in session.exec(select(MailOut)) if row.cause.startswith("mail:"))
    mail.address, mail.player_id = address_of(BERND), 2


def _flood(kind: str) -> Callable[[Any], None]:
    def flood(session: Any) -> None:
        mail = next(row for row in session.exec(select(MailOut)) if row.cause.startswith("mail:"))
        for at in range(25):
            more = {"id": None, "kind": kind, "message_id": f"<{at}@x>", "cause": f"some:{at}", "opens_round": None}
            session.add(MailOut(**{**mail.model_dump(), **more}))

    return flood


def _asks_two(kind: str) -> Callable[[Any], None]:
    def ask(session: Any) -> None:
        row, mail = last(session, MailIn), last(session, MailOut)
        for at in range(2):
            question = Question(code=f"{at}", kind="text", mail_id=row.id, created_at=row.received_at)
            session.add(question)
            session.flush()
            more = {"id": None, "kind": kind, "message_id": f"<{at}@x>", "cause": f"question:{question.id}"}
            session.add(MailOut(**{**mail.model_dump(), **more}))

    return ask


def _told_twice(session: Any) -> None:
    mail = session.exec(select(MailOut).where(col(MailOut.cause).startswith("turn:"))).first()
    for number in range(2):
        more = {"id": None, "message_id": f"<{number}@x>", "recipient": mail.recipient, "kind": f"bulletin{number}"}
        session.add(MailOut(**{**mail.model_dump(), **more, "cause": "turn:999"}))
    session.flush()
    for row in session.exec(select(MailOut).where(MailOut.cause == "turn:999")):
        row.kind, row.recipient = "bulletin", f"{mail.recipient} " * (row.id % 2)


def _says(words: str) -> Callable[[Any], None]:
    def say(session: Any) -> None:
        mail = next(row for row in session.exec(select(MailOut)) if row.cause.startswith("mail:"))
        more = {
            "id": None, "message_id": "<say@x>", "cause": "some:1", "address": address_of(BERND), "player_id": 2,
            "raw": f"Subject: x\r\n\r\n{words}\r\n".encode(), "created_at": mail.created_at,
        }  # fmt: skip
        session.add(MailOut(**{**mail.model_dump(), **more}))

    return say


def _not_filed(session: Any) -> None:
    session.delete(last(session, Sheet))


def _answer(session: Any) -> MailOut:
    return next(row for row in session.exec(select(MailOut)) if row.cause.startswith("mail:"))


def _not_noted(session: Any) -> None:
    _answer(session).status = "queued"


def _sent_to_where_it_asked(session: Any) -> None:
    _answer(session).address = "anderswo@fremd.example"


TAMPERED: dict[str, tuple[Callable[[Any], None], str]] = {
    "a mail isn't handled": (_unhandled, "1: nothing is left unread"),
    "an answer is missing": (_unanswered, "1: every mail is accounted for"),
    "a reason that nobody knows": (_ignored_for_nothing, "1: every mail is accounted for"),
    "a mail is put off for nothing": (_put_off, "1: no stranger waits without need"),
    "a player's move is ignored": (_ignored, "1: no player's words are dropped"),
    "a move counts twice": (_filed_twice, "3: nothing is applied twice"),
    "a move from elsewhere": (_a_strangers_move, "3: nothing unproven is applied"),
    "two answers": (_another_answer, "4: one answer"),
    "an answer to somebody else": (_answered_elsewhere, "4: one answer"),
    "two questions": (_asks_two("question"), "4: one question to another"),
    "two notices": (_asks_two("trouble"), "4: one notice to the GM"),
    "25 answers": (_flood("answer"), "4: answers are bounded"),
    "25 questions": (_flood("question"), "4: questions are bounded"),
    "25 notices": (_flood("trouble"), "4: notices are bounded"),
    "a confirmed move is gone": (_not_filed, "1: every confirmed move is on file"),
    "a sent letter is still queued": (_not_noted, "3: what was taken is noted"),
    "a mail to another address": (_sent_to_where_it_asked, "5: a player's mail goes to the registered address"),
    "an address": (_says("Anna hat anna@spieler.example"), "5: no address in a mail"),
    "a row of letters": (_says("R O T D N I"), "5: no hidden move in a mail"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_each_check_finds_what_it_is_for(what: str, story: Story) -> None:
    """Whatever is spoilt after an honest pass, the check of that promise says so."""
    spoil, promise = TAMPERED[what]
    story.writes(ANNA, MOVE)
    assert promise in found(story, spoil)


def test_a_log_line_with_an_address_or_a_move_is_found(story: Story) -> None:
    """What is logged in a pass is read: addresses, and rows of a move on file."""
    story.writes(ANNA, MOVE)
    log = logging.getLogger("gm")
    said = found(story, also=lambda: log.warning("anna@spieler.example has sent ROTDNI"))
    assert said == {"5: no address in the log", "5: no hidden move in the log"}


@pytest.mark.parametrize("page", ["archive/index.html", "issues/3/issue.txt"])
def test_a_page_with_an_address_or_a_move_is_found(page: str, story: Story) -> None:
    """What was written for the archive or an issue is read."""
    story.writes(ANNA, MOVE)
    checker = PromiseChecker()
    before = checker.begins(story.app)
    report = tick(story.app)
    assert report.pages
    path = story.app.settings.folder / page
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("<p>anna@spieler.example: R O T D N I</p>")
    with pytest.raises(BrokenPromise, match=f"{path.name} names .*\n.*{path.name} shows the hidden ROTDNI"):
        checker.ends(story.app, before, report)


def test_a_round_that_nobody_closes_is_found(story: Story) -> None:
    """A round that is over its ZAT for no reason is one that stands still."""
    before = PromiseChecker().begins(story.app)
    story.passes(days=20)
    before.at = story.now
    checker = PromiseChecker()
    with story.app.database.read() as session:
        zine = checker.observe(story.app, session, before, Report())
        broken = {check.promise for check in CHECKS if list(check.faults(zine))}
    assert broken == {"3: a round waits for a mail once", "3: what keeps a round is shown"}


def test_an_nmr_over_a_mail_that_waits_is_found(story: Story) -> None:
    """A round was closed with an NMR, and the player's mail of that round lies in quarantine."""
    story.writes(ANNA, MOVE)
    story.tick()

    def quarantine(session: Any) -> None:
        last(session, MailIn).status = "quarantined"
        duty = session.exec(select(Duty).where(Duty.seat == 1)).first()
        duty.kept = False

    story.at(session_zat(story))
    story.passes(seconds=2)
    assert "2: no NMR over a mail that lies there" in found(story, quarantine)


def session_zat(story: Story) -> str:
    """Return when the round ends."""
    with story.app.database.read() as session:
        zat = session.exec(select(Game.zat)).one()
    assert zat
    return zat.isoformat()


@pytest.mark.tampers
def test_a_record_that_was_changed_is_found(story: Story) -> None:
    """At the end of a story the games are replayed: another state than the recorded one is found."""
    actions.close(story.app, "Eriwan", story.now)
    with story.app.database.write() as session:
        turn = last(session, Turn)
        turn.state = {**turn.state, "round": 5}
    with pytest.raises(BrokenPromise, match="6: Eriwan"):
        PromiseChecker().is_over(story.app)


def _spoilt_pass(story: Story) -> None:
    with observed(story.app) as reports:
        reports.append(tick(story.app, archive=False))
        with story.app.database.write() as session:
            _unanswered(session)


def test_a_season_is_stopped_by_a_broken_promise(story: Story) -> None:
    """A pass of a season that breaks a promise raises an error that names the promise."""
    observers[:] = [PromiseChecker()]
    story.writes(ANNA, MOVE)
    with pytest.raises(BrokenPromise, match="1: every mail is accounted for"):
        _spoilt_pass(story)


@pytest.mark.parametrize("who_ends_it", ["the story", "its test"])
def test_a_story_ends_with_a_broken_promise(who_ends_it: str, story: Story) -> None:
    """In any other story the error comes at its end, or at that of the test where nobody ends the story."""
    observers[:] = [checker := PromiseChecker()]
    checker.each_pass = False
    story.writes(ANNA, MOVE)
    _spoilt_pass(story)
    story.tick()
    with pytest.raises(BrokenPromise, match="1: every mail is accounted for"):
        checker.is_over(story.app) if who_ends_it == "the story" else checker.all_are_over()


# -- what was broken once ----------------------------------------------------------------------------------------------


def test_a_players_move_with_a_providers_header_is_taken(story: Story) -> None:
    """A move in a mail with Feedback-ID or List-Unsubscribe is a move."""
    story.writes(ANNA, MOVE, headers={"Feedback-ID": "1:2:3:provider"})
    story.writes(BERND, MOVE, headers={"List-Unsubscribe": "<mailto:out@provider.example>"})
    assert found(story) == set()


def test_a_round_that_waits_says_so(story: Story) -> None:
    """A round that waits for the answer whose a move is shows it."""
    story.writes(ANNA, f"Name: {ANNA}\n{MOVE}", sender="anna@anderswo.example")
    story.tick()
    story.at(session_zat(story))
    story.passes(seconds=5)
    assert found(story) == set()


@pytest.mark.parametrize("where", ["parts", "quoted"])
def test_no_nmr_over_a_mail_without_its_sender(where: str, story: Story) -> None:
    """A move in a mail of too many parts, or of quoted lines that look like them, is no NMR."""
    raw = story.writes(ANNA, MOVE)
    story.server.folders["INBOX"].clear()
    parts = raw.replace(b"Content-Type: text/plain", NESTED + b"Content-Type: text/plain", 1)
    story.arrives(parts if where == "parts" else raw + b"".join(b"> " + line + b"\r\n" for line in NESTED.splitlines()))
    story.tick()
    story.at(session_zat(story))
    story.passes(seconds=5)
    assert found(story) == set()


def test_one_mail_asks_one_other(story: Story) -> None:
    """A mail with many addresses to move to makes us write to one of them at most."""
    story.writes(ANNA, "".join(f"Adresse opfer{number}@fremd.example\n" for number in range(5)))
    assert found(story) == set()


def test_questions_are_bounded_as_answers_are(story: Story) -> None:
    """Mail after mail with another address: no address gets more questions than answers."""
    for number in range(30):
        story.writes(ANNA, f"Adresse opfer@fremd{number % 2}.example\n")
    assert "4: questions are bounded" not in found(story)


def test_one_mail_brings_one_notice(story: Story) -> None:
    """Two words to the GM in one mail are one notice."""
    story.writes(ANNA, "GM: eins\n\nGM: zwei\n")
    assert found(story) == set()


FOREIGN = {
    ("de", "Mail 3 is put aside."): "is", ("de", "»gm zat Eriwan +3d« ist erledigt: the deadline moved"): "the",
    ("de", "»what is that« kam an; gm zat Eriwan +3d and more"): "", ("de", "Grund: 'no such thing is there'"): "",
    ("en", "Mail 3 ist weggelegt."): "ist", ("en", "Mail 3 is put aside, “das ist alles”."): "",
}  # fmt: skip


@pytest.mark.parametrize(("language", "line"), FOREIGN)
def test_words_of_the_other_language(language: str, line: str) -> None:
    """The check finds a word of the other language in a sentence of ours, but not in what somebody said or types."""
    assert foreign_word(line, language) == FOREIGN[language, line]


def test_a_gm_mail_in_two_languages(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """A German mail to the GM with an English sentence in it is found."""
    sentence = {"de": "The text of »{line}« is gone.", "en": "The text of “{line}” is gone."}
    monkeypatch.setitem(SENTENCES, "GM_LINE_UNKNOWN", sentence)  # type: ignore[arg-type]
    story.writes(ANNA, "Hallo Cici, wie geht's dir denn?")
    story.tick()
    told = next(mail for to, mail in story.mails() if to == GM)
    story.writes("Cici", "gm undo Eriwan", sender=GM, subject=f"Re: {told.subject}")
    assert found(story) == {LANGUAGE}


@pytest.mark.parametrize(
    ("line", "faults"), [("gm undo Eriwan", {LANGUAGE}), ("Yes\n", set()), ("How is this to be done?\n", set())]
)
def test_a_gm_mail_in_the_wrong_language(story: Story, line: str, faults: set[str]) -> None:
    """An answer wholly in English is found in a German zine, unless it answers English words."""
    english = "Hello Cici,\n\nthe text of this line is not there, and nothing was done.\n"

    def answers_in_english(session: Any) -> None:
        rows = session.exec(select(MailOut).where(MailOut.kind == "answer", MailOut.address == GM)).all()
        rows[-1].raw = write_mail(GM, english, subject="About your mail")
        session.add(rows[-1])

    story.writes(ANNA, "Hallo Cici, wie geht's dir denn?")
    story.tick()
    told = next(mail for to, mail in story.mails() if to == GM)
    story.writes("Cici", line, sender=GM, subject=f"Re: {told.subject}")
    assert found(story, answers_in_english) & {LANGUAGE} == faults
