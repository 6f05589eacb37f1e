"""What the lexicon says."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from games.words import REASONS, Verdict
from gm.cli import completion
from gm.cli.common import Config, Json, words
from gm.cli.printing import say, say_json, say_table
from gm.runtime.errors import Refused

if TYPE_CHECKING:
    from gm.lexicon.lexicon import Lexicon

OTHER_SIGNS = "not a word of A-Z, Ä, Ö, Ü, ß"
JOKERS = "?*"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the lexicon says about a word, written as it was asked."""

    word: str
    profile: str
    status: str
    reason: str
    flags: tuple[str, ...]
    entry: str


def _known(profile: str | None) -> str | None:
    """Check the name of a profile. Raises BadParameter that lists the profiles."""
    from games import profiles

    if profile is not None and profile not in profiles():
        raise typer.BadParameter(f"'{profile}' is none of {', '.join(profiles())}.")
    return profile


Profile: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="Only for this profile; else for every one.", callback=_known, autocompletion=completion.profiles
    ),
]


@words.command("check")
def words_check(
    asked: Annotated[list[str], typer.Argument(metavar="WORD...", help="Words to look up.")],
    profile: Profile = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Look words up in the lexicon, with the reasons. With --json for one profile: duden, if none is named."""
    from games import profiles

    lexicon = open_lexicon(config)
    if as_json:
        found = ask(lexicon, asked, [profile or "duden"])
        say_json([{"word": a.word, "status": a.status, "reason": a.reason, "flags": list(a.flags)} for a in found])
        return
    answers = list(ask(lexicon, asked, [profile] if profile else list(profiles())))
    rows = [(a.word, a.profile, a.status, a.reason, " ".join(a.flags), a.entry) for a in answers]
    say_table(("word", "profile", "verdict", "reason", "flags", "entry"), rows, "No words.")
    if lines := list(near(lexicon, answers)):
        say("", *lines)


@words.command("info")
def words_info(config: Config = None, as_json: Json = False) -> None:
    """Show which lexicon judges here: name, size, licence, date, checksum."""

    found = open_lexicon(config).info()
    if as_json:
        say_json(found)
    else:
        say(*(f"{label}: {value}" for label, value in found.items()))


@words.command("suggest")
def words_suggest(
    letters: Annotated[str, typer.Argument(metavar="LETTERS", help="The letters of a rack, ? for a joker: DNTIR?.")],
    profile: Annotated[
        str, typer.Option(help="Which words count.", callback=_known, autocompletion=completion.profiles)
    ] = "duden",
    config: Config = None,
    as_json: Json = False,
) -> None:
    """List the words that letters allow, best first."""

    held = rack(letters)
    if held is None:
        raise Refused(f"'{letters}' is no rack of A-Z, Ä, Ö, Ü, ß and ? for a joker; write it like DNTIR?.")
    found = open_lexicon(config).suggest(held, profile)
    if as_json:
        say_json(found)
    else:
        say(*found or [f"No word can be laid with {held}."])


def open_lexicon(config: Path | None) -> "Lexicon":
    """Open the lexicon; the house's own lists are in it where there is a config. Raises ConfigError."""
    from gm.lexicon.lexicon import Lexicon
    from gm.runtime.config.settings import default_path, load

    has_config = config is not None or default_path().exists()
    return Lexicon.load(load(config).lexicon.extra if has_config else ())


def ask(lexicon: "Lexicon", words: Sequence[str], profiles: Sequence[str]) -> Iterator[Answer]:
    """Ask about words for profiles. What can't lie on any board is refused, never an error."""
    from gm.lexicon.lexicon import board

    for word in words:
        written = board(word)
        flags = tuple(lexicon.flags(written)) if written else ()
        for profile in profiles:
            verdict = lexicon.check(written, profile) if written else Verdict("refused")
            reason = _why(verdict) if written else OTHER_SIGNS
            yield Answer(
                word=word, profile=profile, status=verdict.status, reason=reason, flags=flags, entry=verdict.entry
            )


def near(lexicon: "Lexicon", answers: Sequence[Answer]) -> Iterator[str]:
    """Word what may have been meant by each word that isn't accepted, one line for each."""
    from gm.lexicon.lexicon import board

    for word in dict.fromkeys(answer.word for answer in answers):
        profile = next((a.profile for a in answers if a.word == word and a.status != "accepted"), None)
        written = board(word)
        if profile and written and (found := lexicon.near(written, profile)):
            yield f"Near {written} ({profile}): {', '.join(found)}"


def _why(verdict: Verdict) -> str:
    """Word why a word doesn't count; one that counts needs no reason."""
    if verdict.status == "accepted":
        return ""
    return REASONS.get(verdict.reason, REASONS["REFUSED"])["en"]


def rack(letters: str) -> str | None:
    """Write the letters of a rack as on a board, `?` for each joker behind them; None if it has any other character."""
    from gm.lexicon.lexicon import board

    jokers = sum(letters.count(sign) for sign in JOKERS)
    plain = "".join(letter for letter in letters if letter not in JOKERS and not letter.isspace())
    written = board(plain) if plain else ""
    return written + JOKERS[0] * jokers or None if written is not None else None
