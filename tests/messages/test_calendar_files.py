"""Calendar files conform to RFC 5545, whatever the game's name and ZAT."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar

from gm.commands.gm_commands import actions
from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.messages.rendering import calendar_files
from gm.players.site_directory import game_page
from gm.store.queries import game_queries, player_queries

ANNA = PLAYERS[0]
BERLIN = ZoneInfo("Europe/Berlin")


DESCRIPTION = """  BUCHSTABEN FÜR RUNDE 1: D N T I R O

  Anna Berg D, Bernd Cordes N, Carla Dietz T, Dora Ems I, Emil Funk R, Frida
  Groß O

  RASTER ZU BEGINN

    Anna Berg
    a b c d e f
  1 . . . . . .
  2 . . . . . .
  3 . . . . . .
  4 . . . . . .
  5 . . . . . .
  6 . . . . . .

Kopiere den Block und trage die neuen Buchstaben GROSS in freie Felder ein
(Punkte), jeden höchstens so oft, wie er gewünscht wurde. Du musst nicht alle
setzen; was du jetzt nicht setzt, verfällt für dich.

Hinter »Neu:« gehört dein Wunschbuchstabe für Runde 2: A bis Z, kein Umlaut,
kein ß.

Crossword Eriwan
Neu:
......
......
......
......
......
......

Wie es steht, sagt dir eine Mail an zug@postspiel.example mit der Zeile »Stand Eriwan«."""


def play(story, name="Eriwan"):
    """Start a game with six players."""
    actions.new_game(story.app, "crossword", name)
    for player, wish in zip(PLAYERS, "DNTIRO", strict=True):
        actions.join(story.app, name, player, address_of(player), wish)
    actions.start(story.app, name)


def file_of(story, name="Eriwan", zat=None, language="de", **changes):
    """Write the file of Anna's ZAT, moved to an instant where one is named."""
    with story.app.database.write() as session:
        game, player = game_queries.named(session, name), player_queries.player_named(session, ANNA)
        game.zat = zat or game.zat
        for key, value in changes.items():
            setattr(game, key, value)
        session.add(game)
        return calendar_files.zat_of(story.app, session, game, player.id, language)


def event_of(file):
    """Read the one event back."""
    (event,) = Calendar.from_ical(file.content).events
    return event


def test_the_whole_file(story):
    """What calendars get is only changed on purpose."""
    play(story)
    text = file_of(story).content.decode()
    unfolded = re.sub(r"\.[a-z2-7]{24}@", ".SECRET@", text.replace("\r\n ", ""))
    assert unfolded.split("\r\n") == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//postal-gm//gm//EN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        "SUMMARY:ZAT Eriwan\\, Runde 1",
        "DTSTART:20261116T190000Z",
        "DTEND:20261116T191500Z",
        "DTSTAMP:20261102T110000Z",
        "UID:game1-r1.SECRET@postspiel.example",
        "SEQUENCE:0",
        "DESCRIPTION:" + re.sub("([,;])", r"\\\1", DESCRIPTION).replace("\n", "\\n"),
        "STATUS:CONFIRMED",
        "TRANSP:TRANSPARENT",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        "DESCRIPTION:ZAT Eriwan\\, Runde 1",
        "TRIGGER:-P2D",
        "END:VALARM",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]


def test_nobody_is_invited(story):
    """No calendar asks the player to accept: answers to that would flood the house's mailbox."""
    play(story)
    text = file_of(story).content
    assert not re.search(rb"ORGANIZER|ATTENDEE|REQUEST|RSVP", text)


@pytest.mark.parametrize("name", ["Eriwan", "Österreich-Ungarns-Überräuße", "Äöüßäöüßäöüßäöüßäöüßäöüßäöüßäö", "x-9"])
def test_any_name(story, name):
    """Lines stay within 75 octets, letters whole, and the name comes back as it is; file name and UID are ASCII."""
    play(story, name)
    file = file_of(story, name)
    lines = file.content.split(b"\r\n")
    assert max(map(len, lines)) <= 75
    assert all(line.decode() is not None for line in lines)
    assert not re.search(rb"(?<!\r)\n|\r(?!\n)|\t", file.content)
    event = event_of(file)
    assert str(event["SUMMARY"]) == f"ZAT {name}, Runde 1"
    assert f"»Stand {name}«" in str(event["DESCRIPTION"])
    assert str(event["UID"]).isascii()
    assert re.fullmatch(r"[a-z0-9-]+\.ics", file.name)


def test_file_names(story):
    """The file is called like the game, with umlauts written out."""
    play(story, "Möhrenspaß")
    assert file_of(story, "Möhrenspaß").name == "moehrenspass.ics"


@pytest.mark.parametrize(
    ("local", "utc"),
    [
        ((2026, 10, 24, 20, 0), "20261024T180000Z"),
        ((2026, 10, 25, 1, 59), "20261024T235900Z"),
        ((2026, 10, 25, 2, 30), "20261025T003000Z"),
        ((2026, 10, 25, 20, 0), "20261025T190000Z"),
        ((2027, 3, 27, 20, 0), "20270327T190000Z"),
        ((2027, 3, 28, 20, 0), "20270328T180000Z"),
    ],
)
def test_summer_time(tmp_path, local, utc):
    """On both sides of both changes the entry lies at the instant that the mail names in local time."""
    story = Story(tmp_path, now="2026-10-01T12:00:00+02:00")
    try:
        play(story)
        zat = datetime(*local, tzinfo=BERLIN)
        file = file_of(story, zat=zat.astimezone(UTC))
        assert f"DTSTART:{utc}\r\n".encode() in file.content
        event = event_of(file)
        assert event.start == zat.astimezone(UTC)
        assert event.end - event.start == timedelta(minutes=15)
    finally:
        story.close()


def test_seconds_are_cut_as_in_mails(story):
    """A ZAT `90m` from now lies at the minute that the mail shows."""
    play(story)
    zat = story.now + timedelta(minutes=90, seconds=47, microseconds=5)
    assert event_of(file_of(story, zat=zat)).start == zat.replace(second=0, microsecond=0)


@pytest.mark.parametrize(("hours", "alarms"), [(1, 0), (48, 0), (49, 1), (400, 1)])
def test_the_alarm_lies_ahead(story, hours, alarms):
    """Two days before the ZAT the calendar reminds; where that moment has passed, it doesn't ring at once."""
    play(story)
    event = event_of(file_of(story, zat=story.now + timedelta(hours=hours)))
    assert len(event.walk("VALARM")) == alarms


def test_languages(story):
    """An English reader reads English."""
    play(story)
    event = event_of(file_of(story, language="en"))
    assert str(event["SUMMARY"]) == "Deadline Eriwan, round 1"
    assert str(event["DESCRIPTION"]).endswith(
        "\n\nA mail to zug@postspiel.example with the line “Status Eriwan” brings you the position."
    )
    assert "LETTERS OF ROUND 1" in str(event["DESCRIPTION"])


def test_a_link_to_the_page(tmp_path):
    """Where the archive is published, the entry leads to the game's page; it shows the own board and no other."""
    story = Story(tmp_path, more={"archive": {"base_url": "https://zine.example/"}})
    try:
        play(story)
        with story.app.database.read() as session:
            player = player_queries.player_named(session, ANNA)
            event = event_of(calendar_files.all_zats(story.app, session, player, game_page))
    finally:
        story.close()
    assert str(event["URL"]) == "https://zine.example/partien/eriwan/"
    assert str(event["DESCRIPTION"]).endswith("\n\nhttps://zine.example/partien/eriwan/")
    assert str(event["DESCRIPTION"]).count("a b c d e f") == 1


def test_houses_share_no_entry(story, tmp_path):
    """Two houses of one provider, or a house set up anew, never move each other's entries."""
    other = Story(tmp_path / "other")
    try:
        for house in (story, other):
            play(house)
        uids = [str(event_of(file_of(house))["UID"]) for house in (story, other)]
        assert uids[0] != uids[1]
        assert all(uid.endswith("@postspiel.example") for uid in uids)
    finally:
        other.close()


def test_the_same_bytes_every_time(story):
    """The same ZAT at the same instant is the same file; a moment later only the stamp and the sequence differ."""
    play(story)
    first = file_of(story)
    assert file_of(story) == first
    story.passes(days=1)
    later = file_of(story)
    differing = [
        (one, two)
        for one, two in zip(first.content.splitlines(), later.content.splitlines(), strict=True)
        if one != two
    ]
    assert [one.partition(b":")[0] for one, _ in differing] == [b"DTSTAMP", b"SEQUENCE"]


def test_old_games_stay_in_range(story):
    """SEQUENCE fits into 31 bits for a game that has been going on for thirty years."""
    play(story)
    file = file_of(story, created_at=story.now - timedelta(days=30 * 365))
    assert 0 < event_of(file)["SEQUENCE"] < 2**31


@pytest.mark.parametrize("changes", [{"zat": None}, {"zat": "past"}])
def test_no_zat_no_file(story, changes):
    """A game without a ZAT ahead brings no new entry: the one that was sent is cancelled, or stays where it was."""
    play(story)
    if changes.get("zat") == "past":
        changes = {"zat": story.now - timedelta(minutes=1)}
    with story.app.database.write() as session:
        game, player = game_queries.named(session, "Eriwan"), player_queries.player_named(session, ANNA)
        for key, value in changes.items():
            setattr(game, key, value)
        for file in (calendar_files.zat_of(story.app, session, game, player.id, "de"),
                     calendar_files.all_zats(story.app, session, player, game_page)):  # fmt: skip
            events = Calendar.from_ical(file.content).events if file else []
            assert [str(event["STATUS"]) for event in events if event["STATUS"] != "CANCELLED"] == []


def test_only_who_sits_there(story):
    """A spectator gets none."""
    play(story)
    with story.app.database.read() as session:
        assert calendar_files.zat_of(story.app, session, game_queries.named(session, "Eriwan"), 999, "de") is None
