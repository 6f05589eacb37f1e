"""The log of mails."""

import sys
from typing import Annotated, Any, Final

import typer

from gm.cli.terminal.declared import Config, Json, command, group
from gm.cli.terminal.printing import say, say_list
from gm.cli.terminal.zine import opened

MailId = Annotated[
    str,
    typer.Argument(metavar="ID", help="As `gm mail list` shows it: 12, or o12 for outgoing mail."),
]


USUAL: Final = 50
"""So many mails are listed where nobody says how many."""


def list_last(context: typer.Context, config: Config = None, as_json: Json = False) -> None:
    """List the last 50 mails, newest last."""
    if context.invoked_subcommand is None:
        mail_list(config=config, as_json=as_json)


group("mail", "Mail", "The log of mails, received and outgoing.", "gm mail", "gm mail show 12", callback=list_last)


@command("mail list", "Mail", "gm mail list --since 3d", "gm mail list --search anna")
def mail_list(
    status: Annotated[str | None, typer.Option(help="Only this status, for instance quarantined.")] = None,
    limit: Annotated[
        int, typer.Option("--limit", metavar="NUMBER", min=0, help="So many of the newest; 0 for all.")
    ] = USUAL,
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="SPAN|DATE", help="Only since then: 3d, yesterday, 24.12."),
    ] = None,
    search: Annotated[
        str, typer.Option("--search", metavar="TEXT", help="Only with this in address, subject or player's name.")
    ] = "",
    config: Config = None,
    as_json: Json = False,
) -> None:
    """List the mails, received and sent, newest last."""
    from gm.reports.mail_log import mails
    from gm.requests.desk.mail_actions import since_when

    with opened(config) as app, app.database.read() as session:
        zone = app.settings.service.timezone
        start = since_when(since, app.now(), zone) if since else None
        most = limit + 1 if limit else 0  # one more shows whether there are others
        found = mails(app, session, most=most, status=status, since=start, search=search.strip())
    shown = found[-limit:] if limit else found
    head = ("id", "when", "status", "who", "subject", "why")
    say_list(shown, as_json, head, [_row(mail) for mail in shown], "No mails.")
    if len(found) > len(shown) and sys.stdout.isatty() and not as_json:
        say(f"... and older ones: gm mail list --limit {2 * limit}, or --since, --search TEXT")


def _row(mail: dict[str, Any]) -> tuple[str, ...]:
    """Lay a mail out: local time to the minute."""
    when = mail["when"][:16].replace("T", " ")
    return mail["id"], when, mail["status"], mail["who"], mail["subject"], mail["why"]


@command("mail show", "Mail", "gm mail show 12", "gm mail show o7 --raw", by_mail=True)
def mail_show(
    mail_id: MailId,
    raw: Annotated[bool, typer.Option("--raw", help="Byte for byte, with all headers.")] = False,
    config: Config = None,
) -> None:
    """Show a mail that was received or sent."""
    from gm.reports.mail_log import one_mail

    with opened(config) as app, app.database.read() as session:
        say(one_mail(app, session, mail_id, raw))


@command("mail retry", "Mail", "gm mail retry 12", "gm mail retry --all --since 3d", by_mail=True)
def mail_retry(
    mail_id: Annotated[str | None, typer.Argument(metavar="ID", help="As `gm mail list` shows it.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All outgoing mails that were refused or came back.")] = False,
    since: Annotated[
        str | None, typer.Option(metavar="SPAN|DATE", help="With --all: only since then (12h, 3d, 24.12. 20:00).")
    ] = None,
    config: Config = None,
) -> None:
    """Handle a quarantined or waiting mail again, or resend one (or all) that was refused or came back."""
    from gm.requests.desk.mail_actions import retry, retry_all, since_when

    if (mail_id is None) != every or (since and not every):
        raise typer.BadParameter("name one mail by its ID, or say --all, with --since if you like.")
    with opened(config) as app, app.database.write() as session:
        if mail_id is not None:
            say(retry(app, session, mail_id))
            return
        start = since_when(since, app.now(), app.settings.service.timezone) if since else None
        number = retry_all(app, session, start)
    say(f"Mails that are sent once more with the next pass of `gm serve`: {number}.")


@command("mail drop", "Mail", "gm mail drop 12", "gm mail drop o7", by_mail=True)
def mail_drop(mail_id: MailId, config: Config = None) -> None:
    """Discard a mail that is quarantined, waiting or put off, or take an outgoing one out of the queue."""
    from gm.requests.desk.mail_actions import drop

    with opened(config) as app, app.database.write() as session:
        say(drop(app, session, mail_id))


@command("mail prune", "Mail", "gm mail prune --older 2y", "gm mail prune --older 18m")
def mail_prune(
    older: Annotated[str, typer.Option(metavar="SPAN", help="How old a mail must be: 90d, 18m (months), 2y.")],
    config: Config = None,
) -> None:
    """Remove the text of old mails, so that the database stays small; who sent which move when stays on record.

    Mails of games that aren't over, and those with something open about them, keep theirs.
    """
    from gm.service.maintenance.prune import prune

    with opened(config) as app:
        done = prune(app, older)
    say(f"{done.received} received and {done.sent} outgoing mails have lost their text, {done.bytes:,} bytes.")
    if done.kept:
        say(f"{done.kept} as old keep it: their games aren't over, or something is open about them (gm todo).")
    if not done.is_compact:
        say("The file keeps its size for now, as it is in use or the disk is full; what was freed is used again.")
