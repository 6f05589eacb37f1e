"""A game as plain text in the layout of the mails, for copying and for screen readers."""

from collections.abc import Callable, Iterable, Iterator

from games.api import Language
from gm.archive.layout import phrase
from gm.archive.record.record import Record, Snapshot, WordRecord
from gm.messages.rendering.plain_text import WIDTH, Plain

When = Callable[..., str]


def game_text(record: Record, gm: str, when: When) -> bytes:
    """Write all of a game, round by round."""
    write = Plain()
    forms = [*_head(write, record, gm, when), *_rounds(write, record, when), *_end(write, record)]
    return ("\n".join(kept_narrow("".join(forms))).rstrip() + "\n").encode()


def boards_text(snapshot: Snapshot) -> str:
    """Write the boards and tables of a round, for readers of the feed."""
    write = Plain()
    forms = [write.section(part) for part in snapshot.parts if part.boards or part.table]
    return "\n".join(kept_narrow("".join(forms))).strip("\n")


def _head(write: Plain, record: Record, gm: str, when: When) -> Iterator[str]:
    title = f"{record.title} {phrase(record.language, 'NAMED', game=record.game)}"
    span = " – ".join(when(at, "date") for at in (record.begun, record.ended) if at)
    yield write.banner([(title, span), (phrase(record.language, "GM_IS", gm=gm), "")])
    yield write.block([seat.name for seat in record.seats])
    if not record.snapshots:
        yield write.p(phrase(record.language, "NOT_BEGUN"))


def _rounds(write: Plain, record: Record, when: When) -> Iterator[str]:
    for snapshot in record.steps:
        zat = when(snapshot.zat) if snapshot.zat else ""
        yield write.banner([(snapshot.heading, when(snapshot.at, "date"))], "ZAT" if zat else "", zat)
        yield from _round(write, snapshot, record.language)


def _round(write: Plain, snapshot: Snapshot, language: Language) -> Iterator[str]:
    if snapshot.headline:
        yield write.p(snapshot.headline)
    if snapshot.foreword:
        yield write.quote(snapshot.foreword)
    yield from (write.p(event) for event in snapshot.events)
    if snapshot.missed_unsaid:
        yield write.p(phrase(language, "MISSED", names=snapshot.missed_unsaid))
    yield from (write.section(part) for part in snapshot.parts)
    if snapshot.press:
        yield write.h(phrase(language, "PRESS"))
    for remark in snapshot.press:
        yield write.quote([*remark.text, f"– {remark.signed or phrase(language, 'ANONYMOUS')}"])


def _end(write: Plain, record: Record) -> Iterator[str]:
    language = record.language
    if record.struck:
        names = {seat.seat: seat.name for seat in record.seats}
        yield write.h(phrase(language, "STRUCK"))
        yield write.points(_struck(word, names[word.seat]) for word in record.struck)
    if record.retrospect:
        yield write.h(phrase(language, "RETROSPECT"))
        yield from (write.section(part) for part in record.retrospect)
    yield write.h(phrase(language, "CHECK"))
    for label, content in checks(record):
        yield f"  {label}:\n\n{write.block([content])}"


def _struck(word: WordRecord, name: str) -> str:
    place = f", {word.where}" if word.where else ""
    return f"{word.word} ({name}{place})" + (f": {word.why}" if word.why else "")


def checks(record: Record) -> list[tuple[str, str]]:
    """List what is needed to check the game, with labels."""
    found = [
        ("WORD_LIST", record.word_list), ("RULES_VERSION", str(record.rules_version)),
        ("CHECKSUM", record.checksum), ("SEED", record.seed or ""),
    ]  # fmt: skip
    return [(phrase(record.language, code), content) for code, content in found if content]


def kept_narrow(text: str) -> Iterable[str]:
    """Break lines that are too wide and have no blank: long web addresses, wide boards."""
    for line in text.split("\n"):
        line = line.rstrip()
        if len(line) <= WIDTH:
            yield line
        else:
            yield from (line[at : at + WIDTH].rstrip() for at in range(0, len(line), WIDTH))
