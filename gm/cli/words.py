"""What the lexicon says."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from gm.cli.terminal.declared import Config, Json, command, group
from gm.cli.terminal.printing import refuse, say, say_json, say_table

if TYPE_CHECKING:
    from gm.lexicon.lexicon import Lexicon


def _known(profile: str | None) -> str | None:
    """Check the name of a profile. Raises BadParameter that lists the profiles."""
    from games import profiles

    if profile is not None and profile not in profiles():
        raise typer.BadParameter(f"'{profile}' is none of {', '.join(profiles())}.")
    return profile


Profile: TypeAlias = Annotated[
    str | None,
    typer.Option(help="Only for this profile; else for every one.", callback=_known),
]


group(
    "words", "Words", "The lexicon: what it says about words, and why.", "gm words check KANU",
    "gm words suggest DNTIRO",
)  # fmt: skip


@command("words check", "Words", "gm words check KANU TONNE", "gm words check KANU --profile duden")
def words_check(
    asked: Annotated[list[str], typer.Argument(metavar="WORD...", help="Words to look up.")],
    profile: Profile = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Look words up in the lexicon, with the reasons. With --json for one profile: duden, if none is named."""
    from games import profiles
    from gm.reports.words import answers, near

    lexicon = open_lexicon(config)
    if as_json:
        found = answers(lexicon, asked, [profile or "duden"])
        say_json([{"word": a.word, "status": a.status, "reason": a.reason, "flags": list(a.flags)} for a in found])
        return
    said = list(answers(lexicon, asked, [profile] if profile else list(profiles())))
    rows = [(a.word, a.profile, a.status, a.reason, " ".join(a.flags), a.entry) for a in said]
    say_table(("word", "profile", "verdict", "reason", "flags", "entry"), rows, "No words.")
    if lines := list(near(lexicon, said)):
        say("", *lines)


@command("words suggest", "Words", "gm words suggest DNTIRO", "gm words suggest DNTIR?")
def words_suggest(
    letters: Annotated[str, typer.Argument(metavar="LETTERS", help="The letters of a rack, ? for a joker: DNTIR?.")],
    profile: Annotated[str, typer.Option(help="Which words count.", callback=_known)] = "duden",
    config: Config = None,
    as_json: Json = False,
) -> None:
    """List the words that letters allow, best first."""
    from gm.reports.words import rack

    held = rack(letters)
    if held is None:
        refuse(f"'{letters}' is no rack of A-Z, Ä, Ö, Ü, ß and ? for a joker; write it like DNTIR?.")
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
