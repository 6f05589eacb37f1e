"""Promise 3 on the way out: what goes out, where to, and that it goes out once (docs/trust.md, None counts twice)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from ledger import message_id_of
from observation import STEPS, Observation
from sqlmodel import col, select

from gm.store.tables import Address, DigestStep, MailOut, Question, Turn

ELSEWHERE: Final = ("question",)
"""What may go to another address than the registered one: whether a new one is right."""
MOST_IN_DOUBT: Final = 32
"""So many letters are in flight in a rush: so many a crash may bring a second time."""


def nothing_is_sent_twice(zine: Observation) -> Iterator[str]:
    """SMTP takes a mail a second time only where its answer to the first was lost."""
    taken, in_doubt = Counter(zine.ledger.taken), set(zine.ledger.in_doubt)
    for letter in zine.letters:
        message_id = message_id_of(letter)
        if taken[message_id] and message_id not in in_doubt:
            yield f"{letter.recipient} got {message_id} {taken[message_id] + 1} times"
        taken[message_id] += 1
        in_doubt.discard(message_id)
        if not zine.is_whole and taken[message_id] == 1:  # its answer may be lost, and another process tries it again
            in_doubt.add(message_id)


def what_was_taken_is_noted(zine: Observation) -> Iterator[str]:
    """What SMTP has taken is noted as sent; a crash leaves as many letters in doubt as were in flight."""
    if zine.is_whole:
        yield from (f"{message_id} was taken by SMTP, and is still queued" for message_id in sorted(zine.unnoted))
    elif len(zine.unnoted) > MOST_IN_DOUBT:
        yield f"{len(zine.unnoted)} letters were taken by SMTP, and are still queued"


def each_goes_where_it_is_filed(zine: Observation) -> Iterator[str]:
    """A letter goes to the address, and says the words, of one row of the queue."""
    ids = {message_id_of(letter): letter for letter in zine.letters}
    rows = select(MailOut.message_id, MailOut.address).where(col(MailOut.message_id).in_(ids))
    for message_id, address in zine.session.exec(rows).all() if ids else ():
        if address and ids[message_id].recipient != address:  # who was forgotten has none any more
            yield f"{message_id} is for {address} and went to {ids[message_id].recipient}"


def a_players_mail_goes_to_the_registered_address(zine: Observation) -> Iterator[str]:
    """A mail to a player goes where the GM or a confirmed sign-up said, never where a mail asks us to send it."""
    for mail in zine.sent:
        if mail.player_id is None or mail.kind in ELSEWHERE:
            continue
        rows = select(Address.address).where(Address.player_id == mail.player_id).order_by(col(Address.id))
        known = zine.session.exec(rows).all() or [""]
        # What was written before the pass may have been for an address that was the first one then.
        now = known if mail.created_at < zine.before.at else [zine.before.registered.get(mail.player_id, ""), known[0]]
        if mail.address not in now and not _was_moved_to(zine, mail):
            yield f"mail o{mail.id} ({mail.kind}) went to {mail.address}, which is not where this player's mails go"


def _was_moved_to(zine: Observation, mail: MailOut) -> bool:
    """Whether the player's address was this one for a part of the pass."""
    asked = select(Question.id).where(
        Question.kind == "address", Question.player_id == mail.player_id, Question.address == mail.address
    )
    return zine.session.exec(asked).first() is not None


def no_step_taken_back_is_told(zine: Observation) -> Iterator[str]:
    """The bulletins of a closing that was taken back don't go out any more, but for one that is being sent."""
    causes = {
        f"turn:{turn_id}": undone_at
        for turn_id, undone_at in zine.session.exec(
            select(Turn.id, Turn.undone_at).where(Turn.kind == "resolve", col(Turn.undone_at) >= zine.looked_at)
        ).all()
    }  # fmt: skip
    rows = select(MailOut).where(col(MailOut.cause).in_(causes), col(MailOut.player_id).is_not(None))
    for mail in zine.session.exec(rows).all() if causes else ():
        went = mail.sent_at is not None and mail.sent_at > causes[mail.cause] and not mail.sending
        if (mail.status == "queued" and not mail.sending) or went:
            yield f"mail o{mail.id} tells {mail.address} of {mail.cause}, which was taken back before"
    taken_back = select(DigestStep).join(Turn).where(DigestStep.told_by == "", col(Turn.undone_at).is_not(None))
    for step in zine.session.exec(taken_back):
        yield f"the digest of player {step.player_id} is to tell of turn:{step.turn_id}, which was taken back before"


# -- how many ----------------------------------------------------------------------------------------------------------


def the_same_step_is_not_told_again(zine: Observation) -> Iterator[str]:
    """Nobody gets the same words about a step twice, whatever they are filed under."""
    told = set(zine.ledger.told)
    for recipient, words, mail in zine.told:
        if (recipient, words) in told and not _was_played_again(zine, mail):
            yield f"{mail.address} gets the words of o{mail.id} ({mail.kind}, {mail.cause}) once more"
        told.add((recipient, words))


def _was_played_again(zine: Observation, mail: MailOut) -> bool:
    """Whether another step may have the same words: one was taken back, or closing a round began it anew."""
    steps = zine.session.exec(select(Turn).where(Turn.game_id == mail.game_id)).all()
    rounds = [step.round for step in steps if step.kind == "resolve"]
    return any(step.undone_at for step in steps) or len(rounds) > len(set(rounds))


def reminders_are_bounded(zine: Observation) -> Iterator[str]:
    """Before a ZAT a player is reminded once for each span of `reminders` that has begun."""
    for key, fresh in zine.reminded.items():
        game_id, player_id, zat = key
        times = [*zine.ledger.reminded.get(key, ()), *fresh]
        now = max(times)
        first = min(filter(None, (zat, *_earlier_zats(zine, game_id))), default=now)
        begun = sum(first - span <= now for span in zine.app.settings.deadlines.reminders)
        if len(times) > begun:
            yield f"player {player_id} was reminded {len(times)} times of the ZAT {zat} in game {game_id}; {begun} may"


def _earlier_zats(zine: Observation, game_id: int) -> list[datetime | None]:
    """List the ZATs that a game had since the look before: a pass may have moved it, or the GM closed the round."""
    before = zine.before.games.get(game_id)
    ended = [turn.number - 1 for turn in zine.turns if turn.game_id == game_id]
    of_rounds = select(Turn.zat).where(Turn.game_id == game_id, col(Turn.number).in_(ended))
    return [before.zat if before else None, *zine.session.exec(of_rounds)]


def digests_are_bounded(zine: Observation) -> Iterator[str]:
    """Nobody gets two digests on one day by itself."""
    found = Counter(zine.digested)
    yield from (
        f"{key[0]} got {number + (key in zine.ledger.digested)} digests on {key[1]}"
        for key, number in found.items() if number + (key in zine.ledger.digested) > 1
    )  # fmt: skip


def all_mails_are_bounded(zine: Observation) -> Iterator[str]:
    """What goes out is bounded by what came in, the steps made, the questions asked, the reminders and digests."""
    number = Counter(mail.kind.partition(":")[0] for mail in zine.sent)
    asked = _asked(zine)
    # What `gm close` has taken in, nobody has looked at yet.
    handled = len({mail.id for mail in zine.handled} | {one for one in zine.mails if one > zine.last.mail_in})
    readers = 1 + max(len(zine.players), len(zine.before.registered))
    for sort, kinds, most in (
        ("answers", ("answer", "remark", "help", "forged"), 2 * handled),
        ("questions", ("question",), asked[True]),
        ("notices to the GM", ("trouble", "words", "appeal", "release"), 2 * asked[False] + handled),
        ("bulletins", STEPS, readers * (len(zine.turns) + len(zine.before.unreleased))),
    ):
        if (found := sum(number[kind] for kind in kinds)) > most:
            yield f"{found} {sort} were queued, {most} may"


def _asked(zine: Observation) -> Counter[bool]:
    """Count the questions that were asked since the last look: of players, and of the GM."""
    rows = select(Question.address).where(col(Question.id) > zine.last.question)
    return Counter(bool(address) for address in zine.session.exec(rows))
