"""Headlines: what was most exciting about a round, or about the end of a game, told from the figures."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from games.api import Language, Outcome, Standing
from gm.messages.rendering.wording import first_name, listed
from gm.messages.sentences import SENTENCES

NARROW: Final = 3
"""A lead of so many points, or of a twentieth of them, is a narrow one."""
_SHARE: Final = 20
_A_LOT: Final = 0.4
"""Whoever makes so large a part of the points in the last round has made many."""
_MOST_NAMED: Final = 2
"""More who are even aren't named."""


def short_names(names: Mapping[int, str]) -> dict[int, str]:
    """Shorten names to what people call each other, unless two are called the same."""
    short = {seat: first_name(name) for seat, name in names.items()}
    return short if len({*short.values()}) == len(short) else dict(names)


@dataclass(frozen=True, kw_only=True)
class Headlines:
    """Writes headlines of a game; `names` by seat. Who has left, in `gone`, is nobody to be beaten."""

    names: Mapping[int, str]
    language: Language
    gone: Collection[int] = ()

    def of_end(self, outcome: Outcome, how: str = "", before: Mapping[int, int] = MappingProxyType({})) -> str:
        """Say who has won, and how narrowly; empty where nobody has, or a word is still to be ruled on.

        `how` is what a game says behind the winner's name, `before` what each seat had before the last round.
        """
        if not outcome.winners or outcome.doubtful:
            return ""
        first = self._named(outcome.winners)
        if how:
            return f"{first} {how}"
        best = next(line.points for line in outcome.standings if line.seat in outcome.winners)
        others = [line for line in outcome.standings if line.seat not in {*outcome.winners, *self.gone}]
        if len(outcome.winners) > 1:
            if len(outcome.winners) == len(outcome.standings) > _MOST_NAMED and best is not None:
                return self._say("HEADLINE_ALL_EVEN", points=self._points(best))
            code = "HEADLINE_WIN_TOGETHER" if best is None else "HEADLINE_WIN_TOGETHER_WITH"
            return self._say(code, first=first, points=self._points(best or 0))
        return self._won(first, best, others) + self._finish(outcome, best, before)

    def _won(self, first: str, best: int | None, others: Sequence[Standing]) -> str:
        seconds = [line.points for line in others if line.points is not None]
        if best is None:
            return self._say("HEADLINE_WINS", first=first)
        followers = [line.seat for line in others if line.points == max(seconds, default=None)]
        if not 0 < max(seconds, default=0) <= best or len(followers) > _MOST_NAMED:
            return self._say("HEADLINE_WINS_WITH", first=first, points=self._points(best))
        second = self._named(followers)
        lead = best - max(seconds)
        if lead <= max(NARROW, best // _SHARE) or len(others) == 1:
            return self._say("HEADLINE_BEATS", first=first, second=second, best=best, next=max(seconds))
        return self._say("HEADLINE_WINS_AHEAD", first=first, second=second, points=self._points(best), lead=lead)

    def _finish(self, outcome: Outcome, best: int | None, before: Mapping[int, int]) -> str:
        """Say what the winner has made in the last round, if that came from behind or was a lot."""
        winner = outcome.winners[0]
        if (
            not best or winner not in before or not any(before.values())
        ):  # all came at the end, as it does for everybody
            return ""
        gained, was_behind = best - before[winner], before[winner] < max(before.values())
        if gained <= 0 or not (was_behind or gained >= _A_LOT * best):
            return ""
        return self._say("HEADLINE_LAST_ROUND", gained=self._counted(gained))

    def of_round(self, now: Mapping[int, int], before: Mapping[int, int], left: int | None, rounds: int | None) -> str:
        """Say who leads and that the end comes near, as sentences; empty where there is nothing to tell.

        `now` and `before` are the points after this round and the one before, empty where they aren't known.
        """
        sentences = [self._lead(now, before), self._what_is_left(left, rounds)]
        return " ".join(f"{sentence}." for sentence in sentences if sentence)

    def _lead(self, now: Mapping[int, int], before: Mapping[int, int]) -> str:
        best = max(now.values(), default=0)
        leaders = [seat for seat, points in now.items() if points == best]
        if best <= 0 or len(leaders) > _MOST_NAMED:
            return ""
        first = self._named(leaders)
        if len(leaders) > 1:
            return self._say("HEADLINE_SHARE_LEAD", first=first, points=self._points(best))
        following = max(points for points in now.values() if points < best)
        led = [seat for seat, points in before.items() if points == max(before.values())]
        if len(led) == 1 and led != leaders and now[led[0]] == following:
            return self._say("HEADLINE_OVERTAKES", first=first, second=self._named(led), best=best, next=now[led[0]])
        followers = [seat for seat, points in now.items() if points == following]
        if len(followers) > _MOST_NAMED:
            return self._say("HEADLINE_LEADS", first=first, points=self._points(best))
        second = self._named(followers)
        return self._say(
            "HEADLINE_LEADS_AHEAD", first=first, second=second, points=self._points(best), lead=best - following
        )

    def _what_is_left(self, left: int | None, rounds: int | None) -> str:
        if left == 1:
            return self._say("HEADLINE_LAST_BEGINS")
        return self._say("HEADLINE_HALF_TIME", left=left) if left and rounds == 2 * left else ""

    def _named(self, seats: Sequence[int]) -> str:
        return listed([self.names[seat] for seat in seats], self.language)

    def _points(self, number: int) -> str:
        return self._say("HEADLINE_POINT" if number == 1 else "HEADLINE_POINTS", number=number)

    def _counted(self, number: int) -> str:
        return self._say("HEADLINE_MADE_POINT" if number == 1 else "HEADLINE_MADE_POINTS", number=number)

    def _say(self, code: str, **values: object) -> str:
        return SENTENCES[code][self.language].format(**values)
