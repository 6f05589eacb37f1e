"""Players: who they are, another name or address, their data, forgetting; and the standby list."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gm.cli.terminal.declared import Config, Json, Name, Player, Yes, command, group
from gm.cli.terminal.printing import say, say_json, say_list
from gm.cli.terminal.zine import QUEUED, confirm_for_good, opened

if TYPE_CHECKING:
    from gm.app.context import App
    from gm.game.people.personal_data import Forgotten
    from gm.requests.desk.merging import Merged
    from gm.requests.desk.players import AddressesInUse

Who = Annotated[str, typer.Argument(metavar="NAME", help="The player's name, in quotes if it has blanks, or address.")]

AGAIN = (
    "The database was in use, so deleted bytes are still in its file: stop gm serve and run "
    "sqlite3 gm.db 'VACUUM; PRAGMA wal_checkpoint(TRUNCATE)'."
)

HEAD = ("name", "addresses", "language", "games", "missed", "standby", "vacation", "digest")


@command("players", "Players", "gm players", "gm players --json")
def list_players(config: Config = None, as_json: Json = False) -> None:
    """List the players."""
    from gm.reports.players import all_players

    with opened(config) as app, app.database.read() as session:
        found = all_players(app, session)
    nothing = "No players yet; `gm join` seats one, others sign up by mail."
    say_list(found, as_json, HEAD, [_row(one) for one in found], nothing)


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    return (
        one["name"], ", ".join(_addresses(one)), one["language"] or "", ", ".join(one["games"]), _missed(one),
        ", ".join(one["standby"]), _days(one["vacation"]), one["digest"],
    )  # fmt: skip


def _addresses(one: dict[str, Any]) -> list[str]:
    if one["by_post"]:
        return ["Post"]
    returned = {row["address"] for row in one["returned"]}
    return [f"{address} (mails come back)" if address in returned else address for address in one["addresses"]]


def _missed(record: dict[str, Any]) -> str:
    return f"{record['missed']} of {record['owed']}" if record["owed"] else ""


def _days(vacation: dict[str, str] | None) -> str:
    return f"{vacation['first']} - {vacation['last']}" if vacation else ""


group(
    "player", "Players", "One player: what is known of them, another name or address, their data, forgetting.",
    "gm player show anna", "gm player address anna anna@example.net",
)  # fmt: skip


@command("player show", "Players", "gm player show anna", 'gm player show "Anna Berg" --json')
def show_player(name: Who, config: Config = None, as_json: Json = False) -> None:
    """Show all that is known of a player."""
    from gm.game.people import lookup
    from gm.reports.players import details

    with opened(config) as app, app.database.read() as session:
        found = details(app, session, lookup.named(session, name))
    say_list(found, as_json, ("what", "is"), [row for row in _lines(found) if row[1]], "")


def _lines(one: dict[str, Any]) -> list[tuple[str, str]]:
    """List what is known of a player, as label and value."""
    return [
        *zip(HEAD, _row({**one, "games": [], "vacation": None}), strict=True),
        *(("mails come back", _returned(row)) for row in one["returned"]),
        ("in a row", str(one["in_a_row"] or "")),
        ("in the archive", _archived(one)),
        ("was called", ", ".join(one["former_names"])),
        ("registered", one["since"]),
        *(("seat", _seat(seat)) for seat in one["seats"]),
        *(("vacation", _days(days)) for days in one["vacations"]),
        ("watches", ", ".join(one["watching"])),
        *(("question", _question(asked)) for asked in one["questions"]),
        ("last received", _mail(one["last_received"])),
        ("last sent", _mail(one["last_sent"])),
    ]


def _returned(row: dict[str, Any]) -> str:
    return f"from {row['address']}, since {_day(row['since'])}: {row['said']}"


def _archived(one: dict[str, Any]) -> str:
    return f"{one['archive_name']} ({one['name_form'] or 'as the house does'})"


def _seat(seat: dict[str, Any]) -> str:
    until = f"until {_day(seat['until'])}" if seat["until"] else seat["status"]
    points = f" with {seat['points']} points" if seat["points"] is not None else ""
    rank = f"{'winner, ' if seat['winner'] else ''}rank {seat['rank']}{points}" if seat["rank"] else ""
    missed = f"missed {_missed(seat)}" if seat["owed"] else ""
    in_a_row = f"{seat['in_a_row']} in a row" if seat["in_a_row"] else ""
    before = f"after {', '.join(seat['predecessors'])}" if seat["predecessors"] else ""
    after = f"then {', '.join(seat['successors'])}" if seat["successors"] else ""
    said = (f"since {_day(seat['from'])}", until, rank, missed, in_a_row, before, after)
    return f"{seat['game']} ({seat['kind']}), seat {seat['seat']}: {', '.join(filter(None, said))}"


def _question(asked: dict[str, Any]) -> str:
    said = (asked["kind"], asked["game"] or "", f"asked {_day(asked['since'])} at {asked['address']}")
    return f"{asked['code']}: {', '.join(filter(None, said))}"


def _mail(mail: dict[str, Any] | None) -> str:
    return f"{mail['id']}, {mail['when'][:16].replace('T', ' ')}, {mail['status']}: {mail['subject']}" if mail else ""


def _day(instant: str) -> str:
    return instant[:10]


@command(
    "player rename", "Players", 'gm player rename anna "Anna Bergmann"', 'gm player rename "Anna Berg" "Anna Bergmann"'
)
def rename_player(
    name: Who,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The new name.")],
    config: Config = None,
) -> None:
    """Give a player another name; their games go on, and a mail tells them."""
    from gm.requests.desk import players

    with opened(config) as app:
        before, now = players.rename(app, name, new)
    say(f"{before} is called {now} from now on, in all that is written later. The player's mail is queued; {QUEUED}")


@command(
    "player address",
    "Players",
    "gm player address anna anna@example.net",
    "gm player address anna anna@example.org --remove",
    by_mail=True,
)
def player_address(
    name: Who,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="The address that gets our mails from now on.")],
    remove: Annotated[bool, typer.Option("--remove", help="Take this address away instead.")] = False,
    config: Config = None,
) -> None:
    """Send a player's mails to another address; moves from the old ones still count until they are removed."""
    from gm.requests.desk import players

    with opened(config) as app:
        say(*_addresses_in_use(players.remove(app, name, address) if remove else players.use(app, name, address)))


def _addresses_in_use(one: "AddressesInUse") -> list[str]:
    first, *others = one.addresses
    shared = f", which {' and '.join(one.shared_with)} also use{'s' * (len(one.shared_with) == 1)}"
    known = f" Mails are taken from {', '.join(others)} as well." if others else ""
    left = (
        f"{one.queued} mail{'s' * (one.queued != 1)} queued before still go{'es' * (one.queued == 1)} to another one."
    )
    return [
        f"Mails to {one.name} go to {first}{shared if one.shared_with else ''}.{known}",
        *([left] if one.queued else []),
    ]


@command(
    "player vacation",
    "Players",
    'gm player vacation "Anna Berg" 24.12.2026-06.01.2027',
    'gm player vacation "Anna Berg" off',
    by_mail=True,
)
def player_vacation(
    name: Who,
    span: Annotated[str, typer.Argument(metavar="SPAN|off", help="24.12.2026-06.01.2027; off: not away after all.")],
    config: Config = None,
) -> None:
    """Note when a player is away, or take it back, as their own mail would."""
    from gm.requests.desk import players

    with opened(config) as app:
        said = players.vacation(app, name, span)
    say(f"{said} The player's mail is queued; {QUEUED}")


@command(
    "player merge",
    "Players",
    'gm player merge "Anna Berg-Neu" "Anna Berg"',
    'gm player merge "Anna Berg-Neu" "Anna Berg" --yes',
)
def merge_player(
    name: Who,
    into: Annotated[str, typer.Argument(metavar="INTO", help="Whose name stays.")],
    yes: Yes = False,
    config: Config = None,
) -> None:
    """Make two players one: seats, mails, moves, addresses and all else of the first are the other's."""
    from gm.requests.desk.merging import merge

    with opened(config) as app:
        if not yes:
            would = merge(app, name, into, is_preview=True)
            confirm_for_good(
                _would_merge(would), f"Merge {would.name} into {would.into}?", f"{would.name} stays a player."
            )
        done = merge(app, name, into)
    told = f"Mails go to {done.addresses[0]} and are taken from all of theirs." if done.addresses else ""
    say(f"{done.name} is {done.into} from now on. {told}".rstrip())


def _would_merge(one: "Merged") -> list[str]:
    return [
        f"{one.name} would be {one.into}, for ever. Games that go along: {', '.join(one.games) or 'none'}.",
        f"Addresses from then on: {', '.join(one.addresses) or 'none'}.",
    ]


@command("player export", "Players", "gm player export anna", 'gm player export "Anna Berg"')
def export_player(name: Who, config: Config = None) -> None:
    """Print all that is stored about a player, as JSON, to be sent to them: `> anna.json` writes a file."""
    from gm.requests.desk.export import everything_about

    with opened(config) as app:
        found = everything_about(app, name)
    say_json(found)


@command("player forget", "Players", 'gm player forget "Anna Berg"', 'gm player forget "Anna Berg" --yes')
def forget_player(name: Who, yes: Yes = False, config: Config = None) -> None:
    """Forget a player: name, addresses, mails and texts go for ever; moves and results stay as N. N.'s."""
    from gm.archive.issue.erasure import erase_from_issues
    from gm.game.people.lookup import reachable
    from gm.requests.desk.erasure import forget, preview

    with opened(config) as app:
        with app.database.read() as session:
            whole = reachable(session, name).name
        if not yes:
            name = whole  # the question shows it in full
            would = preview(app, name)
            confirm_for_good(_would_forget(would), f"Forget {would.name}?", f"{would.name} is not forgotten.")
        gone = forget(app, name)
        say(*_forgotten(gone, app.settings.imap.processed), _pages_without(app), *erase_from_issues(app, gone))


def _would_forget(one: "Forgotten") -> list[str]:
    removed = ", ".join(f"{what} {number}" for what, number in one.counts.items() if number)
    return [
        f"{one.name} would be forgotten, in database, outbox, archive and issues. This can't be undone.",
        f"Games that show N. N. from then on: {', '.join(one.games) or 'none'}.",
        f"Addresses that go: {', '.join(one.addresses)}.",
        f"Removed would be: {removed}.",
    ]


def _pages_without(app: "App") -> str:
    """Write the pages that showed the name at once: nobody should have to wait for the service."""
    from gm.archive.export import export
    from gm.runtime.errors import ArchiveError

    folder = app.settings.archive.path
    elsewhere = "An archive that was exported elsewhere shows the name until its next export."
    if not folder.exists():
        return elsewhere
    try:
        done = export(app, folder)
    except ArchiveError as error:
        return f"The pages in {folder} still show the name: {error} Then run: gm archive {folder}"
    return f"Pages written anew in {folder}: {done.written}, deleted: {done.deleted}. {elsewhere}"


def _forgotten(one: "Forgotten", processed: str) -> list[str]:
    removed = ", ".join(f"{what} {number}" for what, number in one.counts.items() if number)
    return [
        f"{one.name} is forgotten and appears as N. N.; moves and results stay. Removed: {removed}.",
        *(f'The seat in {game} is still empty: gm standby {game} "{one.called}" ...' for game in one.empty_seats),
        *([] if one.is_gone_from_disk else [AGAIN]),
        "What can't be called back: mails already delivered, those in the mailbox itself (folder "
        f"{processed}), and copies by gm backup: whoever goes back to an older one has to forget them again. Mails of "
        "others that name them stay until gm mail prune deletes them.",
    ]  # fmt: skip


@command(
    "standby",
    "Players",
    "gm standby Eriwan anna",
    'gm standby Eriwan anna "Gerda Hahn" gerda@example.org',
    by_mail=True,
)
def standby(
    name: Name,
    out: Annotated[str, typer.Argument(metavar="OUT", help="Who leaves.")],
    incoming: Annotated[
        str | None,
        typer.Argument(metavar="IN", help="Who comes; else the first on the list. Who has left gets the seat back."),
    ] = None,
    address: Annotated[str | None, typer.Argument(metavar="ADDRESS", help="The address of a new player.")] = None,
    nobody: Annotated[bool, typer.Option("--none", help="Nobody comes: the others play on without the seat.")] = False,
    yes: Yes = False,
    config: Config = None,
) -> None:
    """Put a standby into a seat; in a game that hasn't started, take OUT off."""
    from gm.requests.desk import actions

    with opened(config) as app:
        if off := actions.take_off(app, name, out, incoming):
            say(f"{off} is off the list of {name}, and the seat is free again. The player's mail is queued; {QUEUED}")
            return
        if nobody:
            say(f"{_plays_on_without(app, name, out, yes)} The players' mails are queued; {QUEUED}")
            return
        left, came, is_back = actions.standby(app, name, out, incoming, address)
        if is_back:
            say(f"{came} sits in {name} again. The players' mails are queued; {QUEUED}")
            return
    say(f"{came} has taken over {left}'s seat in {name}. Both mails are queued; {QUEUED}")


def _plays_on_without(app: "App", name: str, out: str, yes: bool) -> str:
    """Let a game go on without a seat; asks first where that ends it."""
    from gm.requests.desk import actions
    from gm.runtime.errors import EndsGame

    left = actions.who_sits(app, name, out, left_too=True)
    try:
        game, won = actions.play_on_without(app, name, out, is_sure=yes)
    except EndsGame as ends:
        confirm_for_good([], f"{ends} Go on?", f"{ends} {name} stays as it is.")
        game, won = actions.play_on_without(app, name, out)
    if game.status == "running":
        return f"{game.name} goes on without {left}."
    return f"{game.name} is over without {left}: {' and '.join(won) or 'nobody'} has won."


group(
    "standbys", "Players", "The standby list: who may be asked to take a seat over.", "gm standbys list",
    'gm standbys add "Gerda Hahn" gerda@example.org',
)  # fmt: skip


@command(
    "standbys add",
    "Players",
    'gm standbys add "Gerda Hahn" gerda@example.org',
    'gm standbys add "Gerda Hahn" gerda@example.org GAME',
)
def standbys_add(
    player: Player,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="The player's mail address.")],
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Only for this kind of game."),
    ] = None,
    config: Config = None,
) -> None:
    """Put a player on the list."""
    from gm.requests.desk import actions

    with opened(config) as app:
        actions.add_standby(app, player, address, game)
    say(f"{player} is on the standby list.")


@command("standbys list", "Players", "gm standbys list", "gm standbys list --json")
def standbys_list(config: Config = None, as_json: Json = False) -> None:
    """List the standbys in the order in which they are asked."""

    from gm.store.queries import player_queries

    with opened(config) as app, app.database.read() as session:
        rows = [(held.name, entry.engine or "any") for entry, held in player_queries.standby_list(session)]
    found = [{"player": name, "game": game} for name, game in rows]
    say_list(found, as_json, ("player", "game"), rows, "Nobody is on the standby list.")


@command("standbys remove", "Players", "gm standbys remove gerda", 'gm standbys remove "Gerda Hahn"')
def standbys_remove(player: Player, config: Config = None) -> None:
    """Take a player off the list."""
    from gm.requests.desk import actions

    with opened(config) as app:
        name = actions.remove_standby(app, player)
    say(f"{name} is off the standby list.")
