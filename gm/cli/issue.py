"""The issue: its pages, its readers."""

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from gm.cli.terminal.declared import Config, Json, command, group
from gm.cli.terminal.printing import say, say_in_colour, say_json
from gm.cli.terminal.zine import QUEUED, opened

if TYPE_CHECKING:
    from gm.archive.issue.build import Built

Number: TypeAlias = Annotated[
    int | None, typer.Argument(metavar="NUMBER", help="Which issue (default: the one that appears next).")
]


group("issue", "Issues", "The printed issue.", "gm issue build", "gm issue send")


@command("issue build", "Issues", "gm issue build", "gm issue build 103 --corrected")
def issue_build(
    number: Number = None,
    corrected: Annotated[
        bool, typer.Option("--corrected", help="Say on the cover that it corrects one that went out.")
    ] = False,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Build an issue of what was released in its time, into issues/NUMBER/ beside the config.

    It makes issue.pdf, issue-booklet.pdf to fold, issue.html and issue.txt. The first build writes issue.toml there:
    what stands in the issue, in which order, with which forewords and pages of your own.
    """
    from gm.archive.issue import build as zine

    with opened(config) as app:
        built = zine.build(app, number, corrected=corrected)
    if as_json:
        say_json(
            {"number": built.number, "folder": str(built.folder), "games": built.games, "files": list(built.files),
             "pages": built.pages, "empty_pages": list(built.empty), "filler": list(built.filler),
             "troubles": list(built.troubles)}
        )  # fmt: skip
        return
    _tell(built)


def _tell(built: "Built") -> None:
    pages = f", {built.pages} pages" if built.pages else ""
    say(f"{built.folder}: issue {built.number}, games: {built.games}{pages}.", f"Written: {', '.join(built.files)}.")
    if built.filler:
        say(f"To fill the last sheet: {', '.join(built.filler)}.")
    if built.empty:
        listed = ", ".join(map(str, built.empty))
        say(f"Pages with much room left: {listed}. Another order, or something left out in issue.toml, may fill them.")
    for trouble in built.troubles:
        say_in_colour(trouble, "yellow")


@command("issue send", "Issues", "gm issue send", "gm issue send 103 --json")
def issue_send(
    number: Number = None,
    corrected: Annotated[
        bool, typer.Option("--corrected", help="Send an issue again that was corrected after it went out.")
    ] = False,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Send an issue as it was built to everybody who gets digests: once each, also if you say it twice.

    Where the archive is published (archive.base_url), the issue is put there and its readers get the link; else
    issue.pdf goes along, if it has at most 5 MB.
    """
    from gm.archive.issue import send as zine

    with opened(config) as app:
        sent = zine.send(app, number, corrected=corrected)
    if as_json:
        say_json({"number": sent.number, "mails": sent.mails, "readers": sent.readers, "sent": sent.way})
        return
    if not sent.mails:
        say(f"All {sent.readers} readers have got issue {sent.number} already; nothing is sent.")
    else:
        say(f"Issue {sent.number} ({sent.way}): mails queued: {sent.mails}. {QUEUED}")
