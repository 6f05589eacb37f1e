"""The commands of `gm` (interface.md). What they need is imported when they run: `gm --help` must be quick."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from gm.cli.printing import forgive_terminals, say, say_json, say_table, visible
from gm.errors import GmError, Refused

if TYPE_CHECKING:
    from gm.app import App

cli = typer.Typer(
    name="gm",
    help="Game master for postal games: reads moves by mail, closes rounds, sends bulletins.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
standbys = typer.Typer(help="The standby list: who may be asked to take a seat over.", no_args_is_help=True)
mail = typer.Typer(help="The log of mails, received and outgoing.", no_args_is_help=False)
cli.add_typer(standbys, name="standbys")
words = typer.Typer(help="The lexicon: what it says about words, and why.", no_args_is_help=True)
cli.add_typer(mail, name="mail")
cli.add_typer(words, name="words")

Config = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="The config file (default: $GM_CONFIG, else ./config.toml)."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The game's name.")]
Player = Annotated[str, typer.Argument(metavar="PLAYER", help="A player's name, in quotes if it has blanks.")]
Words = Annotated[list[str], typer.Argument(metavar="WORD...", help="Words to rule on.")]


def main() -> None:
    """Run `gm`: a refusal is one sentence and exit code 1; no traceback without --debug."""
    debug = "--debug" in sys.argv
    arguments = [argument for argument in sys.argv[1:] if argument != "--debug"]
    forgive_terminals()
    try:
        cli(args=arguments, prog_name="gm", standalone_mode=True)
    except GmError as error:
        if debug:
            raise
        _fail(str(error))
    except (KeyboardInterrupt, BrokenPipeError):
        sys.exit(130)
    except Exception as error:
        if debug:
            raise
        _fail(f"A bug in gm, please report it with the output of --debug: {type(error).__name__}: {error}")


def _fail(sentence: str) -> NoReturn:
    print(f"gm: {visible(sentence)}", file=sys.stderr)
    sys.exit(1)


@contextmanager
def opened(config: Path | None) -> Iterator["App"]:
    """Open the zine that the config file describes."""
    from gm.app import open_app
    from gm.config import load

    app = open_app(load(config))
    try:
        yield app
    finally:
        app.close()


QUEUED = "`gm serve` delivers."


# -- the service --------------------------------------------------------------------------------------------------


@cli.command()
def demo(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="Which game to play.")] = "crossword",
    keep: Annotated[Path | None, typer.Option("--keep", metavar="DIR", help="Where to leave everything.")] = None,
    fast: Annotated[bool, typer.Option("--fast", help="No pauses: under ten seconds.")] = False,
) -> None:
    """Play a whole game over real SMTP and IMAP on loopback, with scripted players."""
    from gm.demo import play

    play(game, keep, fast=fast, tell=say)


@cli.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where config.toml and the database go.")] = Path(),
    address: Annotated[str, typer.Option(prompt="Address that players write to", help="The game address.")] = ...,  # type: ignore[assignment]
    gm: Annotated[str, typer.Option(prompt="You, the GM (Name <address>)", help="Your own address.")] = ...,  # type: ignore[assignment]
    imap_host: Annotated[str, typer.Option(prompt="IMAP server", help="Where mails are fetched.")] = ...,  # type: ignore[assignment]
    smtp_host: Annotated[str, typer.Option(prompt="SMTP server", help="Where mails are handed in.")] = ...,  # type: ignore[assignment]
    username: Annotated[str, typer.Option(help="Login for both servers (default: the game address).")] = "",
    name: Annotated[str, typer.Option(help="The zine's name.")] = "Postspiele",
    language: Annotated[str, typer.Option(help="de or en.")] = "de",
) -> None:
    """Write a commented config.toml and create the database."""
    from gm.play.setup import set_up

    path = set_up(
        folder, address=address, gm=gm, imap_host=imap_host, smtp_host=smtp_host, username=username or address,
        name=name, language=language,
    )  # fmt: skip
    say(
        f"Wrote {path} and created the database.",
        "Put the mailbox's passwords into the environment as GM_IMAP_PASSWORD and GM_SMTP_PASSWORD,",
        f"then: gm doctor --config {path}",
    )


@cli.command()
def doctor(config: Config = None, as_json: Json = False) -> None:
    """Check everything the service needs: one line a check, with the mend."""
    from gm.play.setup import examine

    checks = list(examine(config))
    if as_json:
        say_json([{"check": name, "status": status, "says": sentence} for name, status, sentence in checks])
    else:
        say(*(f"{status:4}  {name}: {sentence}" for name, status, sentence in checks))
    if any(status == "fail" for _, status, _ in checks):
        raise typer.Exit(1)


@cli.command()
def serve(
    once: Annotated[
        bool, typer.Option("--once", help="One full pass: fetch, close what is due, send. For cron.")
    ] = False,
    config: Config = None,
) -> None:
    """Run the service."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("apscheduler").setLevel(logging.WARNING)
    with opened(config) as app:
        if once:
            _one_pass(app)
        else:
            _loop(app)


def _one_pass(app: "App") -> None:
    from gm.service import tick

    report = tick(app)
    say(f"{report.received} mails handled, {len(report.closed)} rounds closed, {report.sent} mails sent")
    if report.troubles:
        raise Refused("\n".join(str(trouble) for trouble in report.troubles))


def _loop(app: "App") -> None:
    import signal

    from gm.scheduler import Loop

    loop = Loop(app=app)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: loop.end())
    say(f"gm serves {app.settings.service.address}; Ctrl-C ends it.")
    loop.run()


@cli.command()
def status(config: Config = None, as_json: Json = False) -> None:
    """Show the service's health: last fetch and delivery, queues, next deadlines, held rounds."""
    from gm.publish.overview import health

    with opened(config) as app, app.database.read() as session:
        found = health(app, session)
    if as_json:
        say_json(found)
        return
    say(*(f"{label}: {value}" for label, value in found.items() if not isinstance(value, dict | list)))
    say(*(f"{label}: {number}" for label, number in found["mails"].items()))
    say(*(f"{row['name']}, round {row['round']}: {row['held'] or row['zat']}" for row in found["games"]))


@cli.command()
def todo(
    done: Annotated[str | None, typer.Option("--done", metavar="CODE", help="Tick one off.")] = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """List what waits for the GM, oldest first."""
    from gm.play.post_room import settle
    from gm.publish.overview import waiting_for_gm

    if done:
        with opened(config) as app:
            say(settle(app, done))
        return
    with opened(config) as app, app.database.read() as session:
        found = waiting_for_gm(app, session)
    if as_json:
        say_json(found)
    else:
        say_table(("since", "what", "about", "do"), [tuple(row.values()) for row in found], "Nothing waits for you.")


# -- games ----------------------------------------------------------------------------------------------------------


@cli.command()
def new(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A kind of game, by key or title.")],
    name: Name,
    option: Annotated[list[str] | None, typer.Option("--option", metavar="K=V", help="An option of the game.")] = None,
    zat: Annotated[str | None, typer.Option(metavar="SPAN", help="Span of a round: 14d, 12h, 90m.")] = None,
    language: Annotated[str | None, typer.Option(help="de or en.")] = None,
    autostart: Annotated[bool, typer.Option("--autostart", help="Start when all seats and wishes are there.")] = False,
    config: Config = None,
) -> None:
    """Open a game for sign-up."""
    from gm.play import desk

    with opened(config) as app:
        opened_game = desk.new_game(
            app, game, name, options=option or (), zat=zat, language=language, autostart=autostart
        )
        title = app.engine(opened_game.engine).rules.title
    order = "Join" if opened_game.language == "en" else "Anmeldung"
    say(f"{title} {opened_game.name} is open for sign-up: players write `{order} {title} {opened_game.name}`.")


@cli.command()
def join(
    name: Name,
    player: Player,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="The player's mail address.")],
    wish: Annotated[str | None, typer.Option(metavar="LETTER", help="The wish letter.")] = None,
    config: Config = None,
) -> None:
    """Seat a player by hand."""
    from gm.play import desk

    with opened(config) as app:
        wanted = desk.join(app, name, player, address, wish)
    say(f"{player} has a seat in {name}.", *(f"Still wanted: {sentence}" for sentence in wanted))


@cli.command()
def start(name: Name, config: Config = None) -> None:
    """Start a game; refused with the reason while seats or wishes are missing."""
    from gm.play import desk

    with opened(config) as app:
        game = desk.start(app, name)
        say(f"{game.name} has started, ZAT of round 1: {_when(app, game.zat)}. The bulletins are queued; {QUEUED}")


def _when(app: "App", instant: Any) -> str:
    return f"{instant.astimezone(app.settings.service.timezone):%Y-%m-%d %H:%M}" if instant else "none"


@cli.command("list")
def list_games(config: Config = None, as_json: Json = False) -> None:
    """List the games."""
    from gm.publish.overview import all_games

    with opened(config) as app, app.database.read() as session:
        found = all_games(app, session)
    if as_json:
        say_json(found)
    else:
        rows = [(g["name"], g["title"], g["status"], g["round"], g["zat"] or "", g["moves"]) for g in found]
        say_table(("name", "game", "status", "round", "ZAT", "moves in"), rows, "No games yet; `gm new` opens one.")


@cli.command()
def show(
    name: Name,
    seat: Annotated[str | None, typer.Option("--seat", metavar="PLAYER", help="As this player sees it.")] = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Show a game as spectators see it, or as one seat does."""
    from gm.play import desk
    from gm.publish import show as shown

    with opened(config) as app, app.database.read() as session:
        game = desk.named(session, name)
        if as_json:
            say_json(shown.show(app, session, game, seat))
        else:
            say(shown.text_of(app, session, game, seat))


@cli.command()
def move(
    name: Name,
    player: Player,
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="The block; standard input if left out.")
    ] = None,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Take the move on file back.")] = False,
    config: Config = None,
) -> None:
    """Enter a move that came by post or telephone; the checks are those of a mail."""
    from gm.play import desk

    with opened(config) as app:
        if withdraw:
            desk.withdraw_move(app, name, player)
            say(f"The move of {player} in {name} is taken back.")
            return
        entered = desk.enter_move(app, name, player, _read(file))
    if not entered.taken:
        raise Refused(f"The move of {player} was not taken:\n" + "\n".join(f"- {s}" for s in entered.sentences))
    say(f"The move of {player} in {name} is on file.", *(f"- {sentence}" for sentence in entered.sentences))


def _read(file: Path | None) -> str:
    try:
        raw = file.read_bytes() if file else sys.stdin.buffer.read()
    except OSError as error:
        raise Refused(f"{file} can't be read: {error.strerror}.") from error
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


@cli.command()
def close(
    name: Name,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print what would go out and change nothing.")] = False,
    no_fetch: Annotated[bool, typer.Option("--no-fetch", help="Don't look into the mailbox first.")] = False,
    config: Config = None,
) -> None:
    """Fetch, then close the round now."""
    from gm.intake import receive
    from gm.play import desk
    from gm.report import Report

    with opened(config) as app:
        if dry_run:
            _print_mails(desk.rehearse_close(app, name))
            return
        instant = app.now()
        if not no_fetch:
            desk.check_running(app, name)  # before a mail server is troubled
            receive(app, Report())
        game = desk.close(app, name, instant)
        after = f"ZAT of round {game.round}: {_when(app, game.zat)}" if game.zat else f"the game is {game.status}"
        say(f"{game.name} is closed; {after}. The bulletins are queued; {QUEUED}")


def _print_mails(mails: list[tuple[str, str, bytes]]) -> None:
    from parsers.message import read_mail

    for address, subject, raw in mails:
        say(f"To: {address}", f"Subject: {subject}", "", read_mail(raw).text, "")


@cli.command()
def zat(
    name: Name,
    when: Annotated[str | None, typer.Argument(metavar="[WHEN]", help="+7d, +12h or 2026-12-24 20:00.")] = None,
    config: Config = None,
) -> None:
    """Show the deadline, or move it and tell the players."""
    from gm.play import desk

    with opened(config) as app:
        if when is None:
            with app.database.read() as session:
                say(_when(app, desk.named(session, name).zat))
            return
        say(f"New ZAT of {name}: {_when(app, desk.move_zat(app, name, when))}. The players' mails are queued; {QUEUED}")


@cli.command()
def standby(
    name: Name,
    out: Annotated[str, typer.Argument(metavar="OUT", help="Who leaves.")],
    incoming: Annotated[
        str | None, typer.Argument(metavar="[IN]", help="Who comes; else the first on the list.")
    ] = None,
    address: Annotated[str | None, typer.Argument(metavar="[ADDRESS]", help="The address of a new player.")] = None,
    config: Config = None,
) -> None:
    """Put a standby into a seat."""
    from gm.play import desk

    with opened(config) as app:
        left, came = desk.standby(app, name, out, incoming, address)
    say(f"{came} has taken over {left}'s seat in {name}. Both mails are queued; {QUEUED}")


@standbys.command("add")
def standbys_add(
    player: Player,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="The player's mail address.")],
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Only for this kind of game.")] = None,
    config: Config = None,
) -> None:
    """Put a player on the list."""
    from gm.play import desk

    with opened(config) as app:
        desk.add_standby(app, player, address, game)
    say(f"{player} is on the standby list.")


@standbys.command("list")
def standbys_list(config: Config = None, as_json: Json = False) -> None:
    """List the standbys in the order in which they are asked."""
    from gm.store import queries

    with opened(config) as app, app.database.read() as session:
        rows = [(held.name, entry.engine or "any") for entry, held in queries.standby_list(session)]
    if as_json:
        say_json([{"player": name, "game": game} for name, game in rows])
    else:
        say_table(("player", "game"), rows, "Nobody is on the standby list.")


@standbys.command("remove")
def standbys_remove(player: Player, config: Config = None) -> None:
    """Take a player off the list."""
    from gm.play import desk

    with opened(config) as app:
        desk.remove_standby(app, player)
    say(f"{player} is off the standby list.")


@cli.command()
def rule(
    name: Name,
    verdict: Annotated[str, typer.Argument(metavar="accept|reject", help="Whether the words count.")],
    words: Words,
    note: Annotated[str, typer.Option(metavar="TEXT", help="The reason, for the players.")] = "",
    house: Annotated[bool, typer.Option("--house", help="For all games, also later ones.")] = False,
    config: Config = None,
) -> None:
    """Rule on doubtful words and appeals."""
    from gm.play import desk

    if verdict not in ("accept", "reject"):
        raise Refused(f"'{verdict}' is no ruling; write accept or reject.")
    with opened(config) as app:
        say(*desk.rule(app, name, words, verdict == "accept", note, house))


@cli.command()
def rulings(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Those of a game; else those of the house.")
    ] = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """List the rulings."""
    from gm.play import desk
    from gm.store import queries

    with opened(config) as app, app.database.read() as session:
        found = queries.rulings(session, desk.named(session, name) if name else None)
        rows = [
            (r.word, "accepted" if r.accepted else "rejected", "game" if r.game_id else "house", r.at.date(), r.note)
            for r in found
        ]
    if as_json:
        say_json([dict(zip(("word", "ruling", "scope", "date", "note"), map(str, row), strict=True)) for row in rows])
    else:
        say_table(("word", "ruling", "scope", "date", "note"), rows, "No rulings yet.")


@cli.command()
def abort(
    name: Name,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, for the players.")],
    config: Config = None,
) -> None:
    """End a game without a result."""
    from gm.play import desk

    with opened(config) as app:
        game = desk.abort(app, name, why)
    say(f"{game.name} is broken off. The players' mails are queued; {QUEUED}")


@cli.command()
def verify(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="One game; else all.")] = None,
    config: Config = None,
) -> None:
    """Replay a game from its record and compare every position and score."""
    from gm.play import desk
    from gm.play.verify import verify as replay
    from gm.store import queries

    faults = 0
    with opened(config) as app, app.database.read() as session:
        for game in [desk.named(session, name)] if name else queries.games(session):
            found = replay(app, session, game)
            faults += len(found)
            say(*(f"{game.name}: {fault}" for fault in found) if found else (f"{game.name}: as recorded",))
    if faults:
        raise typer.Exit(1)


# -- mail -----------------------------------------------------------------------------------------------------------

MailId = Annotated[str, typer.Argument(metavar="ID", help="As `gm mail list` shows it: 12, or o12 for outgoing mail.")]


@mail.callback(invoke_without_command=True)
def mail_default(context: typer.Context, config: Config = None, as_json: Json = False) -> None:
    """List the mails, newest last."""
    if context.invoked_subcommand is None:
        mail_list(config=config, as_json=as_json)


@mail.command("list")
def mail_list(
    status: Annotated[str | None, typer.Option(help="Only this status, for instance quarantined.")] = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """List the mails, newest last."""
    from gm.publish.overview import mails

    with opened(config) as app, app.database.read() as session:
        found = mails(app, session, status)
    if as_json:
        say_json(found)
    else:
        say_table(
            ("id", "when", "status", "who", "subject", "why"), [tuple(row.values()) for row in found], "No mails."
        )


@mail.command("show")
def mail_show(
    mail_id: MailId,
    raw: Annotated[bool, typer.Option("--raw", help="Byte for byte, with all headers.")] = False,
    config: Config = None,
) -> None:
    """Show a mail that was received or sent."""
    from gm.publish.overview import one_mail

    with opened(config) as app, app.database.read() as session:
        say(one_mail(session, mail_id, raw))


@mail.command("retry")
def mail_retry(mail_id: MailId, config: Config = None) -> None:
    """Handle a quarantined mail, or send a refused one, once more."""
    from gm.play.post_room import retry

    with opened(config) as app:
        say(retry(app, mail_id))


@mail.command("drop")
def mail_drop(mail_id: MailId, config: Config = None) -> None:
    """Put a quarantined mail aside for good, or take an outgoing one out of the queue."""
    from gm.play.post_room import drop

    with opened(config) as app:
        say(drop(app, mail_id))


# -- words ----------------------------------------------------------------------------------------------------------


class Profile(StrEnum):
    """Which words count: each game names its profile."""

    duden = "duden"
    typdom = "typdom"
    yahtzee = "yahtzee"
    combinato = "combinato"


@words.command("check")
def words_check(
    asked: Annotated[list[str], typer.Argument(metavar="WORD...", help="Words to look up.")],
    profile: Annotated[Profile | None, typer.Option(help="Only for this profile; else for every one.")] = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Say what the lexicon makes of words, and why. With --json for one profile: duden, if none is named."""
    from gm.cli.wordbook import ask, open_lexicon

    lexicon = open_lexicon(config)
    if as_json:
        found = ask(lexicon, asked, [profile or Profile.duden])
        say_json([{"word": a.word, "status": a.status, "reason": a.reason, "flags": list(a.flags)} for a in found])
        return
    rows = [
        (a.word, a.profile, a.status, a.reason, " ".join(a.flags), a.entry)
        for a in ask(lexicon, asked, [profile] if profile else list(Profile))
    ]
    say_table(("word", "profile", "verdict", "reason", "flags", "entry"), rows, "No words.")


@words.command("info")
def words_info(config: Config = None, as_json: Json = False) -> None:
    """Show which lexicon judges here: name, size, licence, date, checksum."""
    from gm.cli.wordbook import open_lexicon

    found = open_lexicon(config).info()
    if as_json:
        say_json(found)
    else:
        say(*(f"{label}: {value}" for label, value in found.items()))


@words.command("suggest")
def words_suggest(
    letters: Annotated[str, typer.Argument(metavar="LETTERS", help="The letters of a rack, ? for a joker: DNTIR?.")],
    profile: Annotated[Profile, typer.Option(help="Which words count.")] = Profile.duden,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """List the words that letters allow, best first."""
    from gm.cli.wordbook import open_lexicon, rack

    held = rack(letters)
    if held is None:
        raise Refused(f"'{letters}' is no rack of A-Z, Ä, Ö, Ü, ß and ? for a joker; write it like DNTIR?.")
    found = open_lexicon(config).suggest(held, profile)
    if as_json:
        say_json(found)
    else:
        say(*found or [f"No word can be laid with {held}."])
