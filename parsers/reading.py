"""A mail -> the commands in it, in order: the subject's first, then those of the first text that holds any.

Sources: shared/spec/interface.md (Players' commands by mail), rulings.md part 3 (16 subject).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Final

from games.api import MoveBlock
from parsers.clean_lines import clean_line
from parsers.commands import Join, Orders, ToGm, Yes
from parsers.lines import sign_ups
from parsers.lines.body import Body
from parsers.lines.command_lines import TO_GM, ReadCommand, Subject, read_gm_line
from parsers.lines.mistakes import misspelt_join, read_mistake
from parsers.lines.names import Names
from parsers.lines.small_words import read_line, signatures
from parsers.mime.message import Mail
from parsers.mime.quoting import divide, is_forward
from parsers.prose.answers import Answer, read_answer, read_in_words
from parsers.prose.courtesies import FAREWELL, GREETING
from parsers.prose.wishes import Wish, read_wish
from parsers.sent_texts import SentTexts

REPLY_MARK = re.compile(r"(?:Re|Aw|Antw|Antwort|Wg|Fwd?|Sv)(?:\[\d+\]|\s?\(\d+\))?\s*:\s*", re.IGNORECASE)
BRACKETS = re.compile(r"\[([^\[\]]*)\]")
ANSWER_CODE = re.compile(r"\[(?:Frage|Question) ([A-Z0-9]{4,12})\]", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a mail says."""

    commands: tuple[ReadCommand, ...] = ()
    """In order, the subject's first."""
    free_text: str = ""
    """The sender's own lines that were no command, without blank lines."""
    paragraphs: tuple[MoveBlock, ...] = ()
    """The same, clean, as they stand together, without greetings and farewells. One may be a move without its title."""
    greeted: tuple[MoveBlock, ...] = ()
    """Those that begin with a greeting."""
    prose: tuple[tuple[str, ...], ...] = ()
    """The same as they were written, with greetings and farewells."""
    opening: tuple[tuple[str, ...], ...] = ()
    """The same, clean, where the mail begins with them: they may say yes or no. Else the subject of an empty mail."""
    subject_games: tuple[str, ...] = ()
    """What stands as `[Eriwan]` in the subject and may be a game's name."""
    code: str = ""
    """The code of a question in the subject, whether it was answered or not."""
    player_name: str = ""
    """From the line `Name: Anna` if the sender's own text names but one, above the commands or below."""
    is_forward: bool = False
    """Somebody else's mail was forwarded, attached or inline."""
    is_quotation: bool = False
    """Nothing stands in the mail but what it quotes."""
    quoted: tuple[Orders, ...] = ()
    """The move blocks in quotations; only where the sender's own text holds none. They are never moves."""
    wish: Wish | None = None
    """The one plain wish of a mail that holds nothing else."""
    own_words: str = ""
    """What the sender says in the first text, without what it quotes, in one line."""

    @property
    def yes(self) -> Answer | None:
        """What a line `Ja` and the words around it say together; they may take it back."""
        first = self.commands[0] if self.commands else None
        if self.answer or first is None or not isinstance(first.command, Yes):
            return self.answer
        return read_in_words(((first.line,), *self.opening))

    @cached_property
    def answer(self) -> Answer | None:
        """What the sender answers in their own words, if that answers anything."""
        return read_in_words(self.opening)


NOTHING_SENT: Final = SentTexts()


def read(mail: Mail, names: Names, today: date, sent: SentTexts = NOTHING_SENT) -> Reading:
    """Read what the sender asks for in subject and body.

    `names` has the titles and names of games, and the commands. `today` is the day on which the mail came, in the
    zine's zone. `sent` are mails of ours to the sender: what the mail repeats of them isn't the sender's.
    """
    names = replace(names, today=today)
    code = answer_code(mail.subject)
    signs = _signatures(mail)
    subject = _read_subject(mail.subject, names, code, signs)
    if _is_repeated(mail.subject, sent):
        subject = Subject(code=code, game=subject.game)
    text, body, said = _say_most(mail, names, subject, signs, sent)
    unread = () if _is_repeated(mail.subject, sent) else _unread_subject(subject, mail.subject, names)
    is_forwarded = mail.has_attached_mail or is_forward(text)
    commands = (*unread, *body.said) or _mistaken_subject(mail.subject, body, names)
    paragraphs = tuple(body.own.paragraphs(body.free))
    has_block = any(isinstance(said.command, Orders | Join) for said in body.said)
    return Reading(
        commands=commands,
        free_text="\n".join(line for line in body.free_lines if line),
        paragraphs=tuple(one for one in paragraphs if not (_is_greeted(one) or FAREWELL.match(one.lines[0]))),
        greeted=tuple(filter(_is_greeted, paragraphs)),
        prose=tuple(body.own.prose(body.free)),
        opening=body.opening() or (() if body.says_something else ((bare_subject(mail.subject),),)),
        subject_games=_subject_games(mail.subject, names),
        code=code,
        player_name=body.only_name,
        is_forward=is_forwarded,
        is_quotation=not body.says_something and bool(text.strip()),
        quoted=() if has_block or is_forwarded else (*body.quoted_orders, *_quoted_orders(text, names)),
        wish=None if commands or code or is_forwarded else _wish(text, body, mail.subject, names),
        own_words=said,
    )


def read_lines(lines: Sequence[str], names: Names) -> tuple[ReadCommand, ...]:
    """Read lines as a mail that holds nothing else."""
    body = Body("\n".join(lines), names, Subject())
    body.read()
    return tuple(body.said)


def answer_code(subject: str) -> str:
    """Return the code of a question in a subject; empty where there is none."""
    return found[1].upper() if (found := ANSWER_CODE.search(subject)) else ""


def own_words(mail: Mail) -> str:
    """Return what the sender says in the first text, without what it quotes, in one line."""
    return _in_one_line(divide(next(_texts(mail))).own)


def _signatures(mail: Mail) -> frozenset[str]:
    """Return how the sender may sign, by the names in From and in the address."""
    return signatures(mail.sender_name, mail.sender.partition("@")[0])


def _say_most(
    mail: Mail, names: Names, subject: Subject, signs: frozenset[str], sent: SentTexts
) -> tuple[str, Body, str]:
    """Read the first text with a command in it: the plain ones, then the HTML. Without any, the first text counts.

    There may be several: programs send stubs as plain text (`can't show HTML`), and Apple Mail splits a text where a
    picture stands. Also returns the `own_words`.
    """
    silent: list[tuple[str, Body]] = []
    said: str | None = None
    for text in _texts(mail):
        own = divide(text).own
        said = _in_one_line(own) if said is None else said
        body = Body(own, names, subject, signs, sent.within(text))
        body.read()
        if body.says_more:
            return text, body, said
        silent.append((text, body))
    return *silent[0], said or ""


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def _texts(mail: Mail) -> Iterator[str]:
    yield from mail.texts
    if mail.html:
        # It takes 45 ms to load, and most mails don't need it.
        from parsers.mime.markup import html_text

        yield html_text(mail.html)
    elif not mail.texts:
        yield ""


def _wish(text: str, body: Body, subject: str, names: Names) -> Wish | None:
    """Read a wish from the sender's own lines; from the subject where the mail has no text at all."""
    lines = [body.lines[at] for at in body.free] if text.strip() else [bare_subject(subject)]
    return read_wish(lines, names, names.games or frozenset())


def _quoted_orders(text: str, names: Names) -> tuple[Orders, ...]:
    quoted = divide(text).quoted
    body = Body(quoted, names, Subject())
    body.read()
    orders = (said.command for said in body.said)
    return tuple(command for command in orders if isinstance(command, Orders) and command.game)


def _read_subject(subject: str, names: Names, code: str, signs: frozenset[str]) -> Subject:
    rest = bare_subject(subject)
    if to_gm := TO_GM.fullmatch(rest):
        said = ReadCommand(command=ToGm(text=to_gm["text"]), line="GM: ...") if to_gm["text"] else None
        return Subject(command=said, code=code)
    if command := read_gm_line(rest):
        return Subject(command=ReadCommand(command=command, line=rest), code=code)
    first, *behind = sign_ups.split(rest, "", names)
    said = read_answer(first, code, names) or read_line(first, names, signs)
    if not said and misspelt_join(rest, names):
        behind = [rest, ""]  # a wish below belongs to it
    named = next(iter(_subject_games(subject, names)), "")
    return Subject(command=said, behind=tuple(behind), code=code, game=named)


def _is_repeated(subject: str, sent: SentTexts) -> bool:
    """Whether a mail of the thread had the subject: its words may be a player's, and are no command of the reply."""
    bare = bare_subject(subject)
    return bool(bare) and bare in map(bare_subject, sent.subjects)


def bare_subject(subject: str) -> str:
    """Return a subject without `Re:` and what stands in brackets, clean."""
    rest = BRACKETS.sub(" ", subject).lstrip()
    while mark := REPLY_MARK.match(rest):
        rest = rest[mark.end() :]
    return clean_line(rest)


def _mistaken_subject(subject: str, body: Body, names: Names) -> tuple[ReadCommand, ...]:
    """Read the subject as a mistaken command where the mail holds nothing else."""
    mistake = None if body.says_something else read_mistake(clean_line(subject), names)
    return (mistake,) if mistake else ()


def _unread_subject(subject: Subject, written: str, names: Names) -> tuple[ReadCommand, ...]:
    """Report a subject that certainly signs up but can't be read, whatever stands in the body."""
    unread = None if subject.command else sign_ups.unread(bare_subject(written), "", names)
    return (unread,) if unread else ()


def _subject_games(subject: str, names: Names) -> tuple[str, ...]:
    """`[Eriwan]`, also `[Crossword Eriwan]`; mail servers put in other words: `[extern]`."""
    found = (names.read(clean_line(inside)) for inside in BRACKETS.findall(subject))
    return tuple(named.game for named in found if named and named.game)


def _is_greeted(paragraph: MoveBlock) -> bool:
    """Return whether lines begin with a greeting."""
    return GREETING.fullmatch(paragraph.lines[0]) is not None
