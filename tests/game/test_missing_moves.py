"""NMR and resignations: misses are counted, standbys asked in order, a seat is taken over or stays empty."""

import re
from datetime import timedelta
from typing import Any

import pytest
import seating

from games import engines
from games.dice import Dice
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game import word_judge
from gm.game.position import position
from gm.game.replay import verify
from gm.game.seats import seat_of_player
from gm.requests.desk import actions
from gm.runtime.errors import Refused
from gm.store.queries import duty_queries, game_queries, player_queries
from gm.store.tables import Duty, Question, Seat

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
GERDA, HANS, INES = "Gerda Hahn", "Hans Igel", "Ines Jung"
OTHERS = tuple(name for name in PLAYERS if name != DORA)
GM = "cici@postspiel.example"


def wait_in_line(zine: Any, *names: str, kind: str | None = None) -> None:
    """Put people on the standby list."""
    for name in names:
        actions.add_standby(zine.app, name, address_of(name), kind)


def passes_round(zine: Any, *movers: str) -> dict[str, Any]:
    """Let these move, nobody else, and the ZAT pass; give the mails of the pass that closed, by address."""
    zine.all_send(*movers)
    zine.mails()
    zine.passes_until(zine.zat, seconds=1)
    assert zine.tick().closed == ["Eriwan"]
    return {to: mail for to, mail in zine.mails() if "Springst du" not in mail.subject or to not in movers}


def offered(zine: Any) -> list[str]:
    """Do a pass; list who is asked to take a seat over."""
    zine.tick()
    return [to for to, mail in zine.mails() if "Springst du" in mail.subject]


def silent_twice(zine: Any, *movers: str) -> dict[str, Any]:
    """Let everybody but Dora (or only these) move for two rounds."""
    passes_round(zine, *(movers or OTHERS))
    return passes_round(zine, *(movers or OTHERS))


def says(zine: Any, name: str, text: str, mail: Any) -> dict[str, Any]:
    """Let somebody answer a mail of ours; give what goes out."""
    zine.writes(name, f"{text}\n", subject=f"Re: {mail.subject}")
    zine.tick()
    return dict(zine.mails())


def asked(zine: Any) -> list[str]:
    """List what waits for the GM, by kind."""
    return [one.kind for one in zine.rows(Question) if not one.address and one.answered_at is None]


# -- NMR -------------------------------------------------------------------------------------------------------------


def test_bulletins_mark_and_count_nmr(eriwan: Any) -> None:
    """The bulletin names who sent nothing: for the how manieth time, and how often in a row."""
    first = passes_round(eriwan, *OTHERS)[address_of(ANNA)]
    assert f"NMR: {DORA} (1)." in eriwan.said(first)
    passes_round(eriwan, *PLAYERS)
    third = passes_round(eriwan, *OTHERS)[address_of(ANNA)]
    assert f"NMR: {DORA} (2)." in eriwan.said(third)
    fourth = passes_round(eriwan, *OTHERS)[address_of(ANNA)]
    assert f"NMR: {DORA} (3, zuletzt 2 in Folge)." in eriwan.said(fourth)
    eriwan.writes(ANNA, "Protokoll Eriwan 1\n")
    again = eriwan.reply(ANNA)
    assert f"NMR: {DORA} (1)." in again


def test_an_old_bulletin_names_who_sat_there_then(eriwan: Any) -> None:
    """After a standby took over, round 1 is still the predecessor's NMR, and none of the standby's."""
    passes_round(eriwan, *OTHERS)
    actions.standby(eriwan.app, "Eriwan", DORA, GERDA, address_of(GERDA))
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, "Protokoll Eriwan 1\n")
    assert f"NMR: {DORA} (1)." in eriwan.reply(ANNA)
    second = passes_round(eriwan, *OTHERS)[address_of(ANNA)]
    assert f"NMR: {GERDA} (1)." in eriwan.said(second)


def test_reliability_is_kept_per_person(eriwan: Any) -> None:
    """Whatever the game, a person's moves and NMRs are counted; steps that were undone are none."""
    silent_twice(eriwan)
    actions.undo(eriwan.app, "Eriwan")
    with eriwan.app.database.read() as session:
        dora, anna = (player_queries.player_named(session, name) for name in (DORA, ANNA))
        dora_was, anna_was = (duty_queries.reliability_of(session, one.id) for one in (dora, anna))
        assert (dora_was.owed, dora_was.missed) == (1, 1)
        assert (anna_was.owed, anna_was.missed) == (1, 0)


def test_who_acted_at_once_is_no_nmr(begin: Any) -> None:
    """Wort-Yahtzee: who rolled and didn't score has not been silent; who did nothing has."""
    zine = begin("empty")
    seating.start(zine.app, "wort-yahtzee", "Elba", (ANNA, BERND))
    zine.tick()
    block = next(mail for to, mail in zine.mails() if to == address_of(ANNA)).text
    kept = block.split("Wurf 1:")[1].split()[0]
    zine.writes(ANNA, f"Wort-Yahtzee Elba\nbehalte {kept}\n")
    zine.tick()
    zine.passes(days=20)
    assert zine.tick().closed == ["Elba"]
    duties = {duty.seat: duty.kept for duty in zine.rows(Duty)}
    assert duties == {1: True, 2: False}
    zine.passes(days=20)
    zine.tick()
    assert [duty.kept for duty in zine.rows(Duty)][2:] == [False, False]


# -- the list is asked -------------------------------------------------------------------------------------------------


def test_after_two_nmrs_the_first_on_the_list_is_asked(eriwan: Any) -> None:
    """One NMR asks nobody, the second one asks the first of the list, once."""
    wait_in_line(eriwan, GERDA, HANS)
    assert not any("Springst" in mail.subject for mail in passes_round(eriwan, *OTHERS).values())
    mails = passes_round(eriwan, *OTHERS)
    assert mails[address_of(GERDA)].subject.endswith(f"Springst du in »Eriwan« für {DORA} ein?")
    assert address_of(HANS) not in mails
    eriwan.passes(days=1)
    assert offered(eriwan) == []


def test_the_list_is_asked_in_order_with_a_limit_each(eriwan: Any) -> None:
    """Two days for each; a Nein asks the next one at once; after the last one the GM is told, once."""
    wait_in_line(eriwan, GERDA, HANS, INES)
    mails = silent_twice(eriwan)
    eriwan.passes(days=1, hours=23)
    assert offered(eriwan) == []
    eriwan.passes(hours=1, minutes=1)
    assert offered(eriwan) == [address_of(HANS)]
    eriwan.writes(GERDA, "Nein\n", subject=f"Re: {mails[address_of(GERDA)].subject}")
    assert offered(eriwan) == []
    hans = next(one for one in eriwan.rows(Question) if one.kind == "seat" and one.address == address_of(HANS))
    eriwan.writes(HANS, "Nein\n", subject=f"Re: [Frage {hans.code}]")
    assert offered(eriwan) == [address_of(INES)]
    assert asked(eriwan) == []
    eriwan.passes(days=2, minutes=1)
    eriwan.tick()
    told = [mail for to, mail in eriwan.mails() if to == GM]
    assert len(told) == 1
    assert f'gm standby Eriwan "{DORA}" --none' in told[0].text
    eriwan.tick()
    assert asked(eriwan) == ["vacancy"]


def test_an_offer_stays_good_until_somebody_has_the_seat(eriwan: Any) -> None:
    """After the limit both may say Ja; the first gets the seat, the other is told; a late Ja is answered kindly."""
    wait_in_line(eriwan, GERDA, HANS)
    gerdas = silent_twice(eriwan)[address_of(GERDA)]
    eriwan.passes(days=2, minutes=1)
    eriwan.tick()
    hanss = next(mail for to, mail in eriwan.mails() if to == address_of(HANS))
    sent = says(eriwan, GERDA, "Ja", gerdas)
    assert "vergeben" in sent[address_of(HANS)].subject
    assert eriwan.seat(GERDA)["history"] == [DORA, GERDA]
    answer = says(eriwan, HANS, "Ja", hanss)
    assert set(answer) == {address_of(HANS)}
    assert eriwan.seat(GERDA)["history"] == [DORA, GERDA]
    assert offered(eriwan) == []
    assert asked(eriwan) == []


def test_ja_brings_all_that_is_needed(eriwan: Any) -> None:
    """The successor gets position, ZAT, block and the way to the rules; the predecessor is told; all at once."""
    wait_in_line(eriwan, GERDA)
    question = silent_twice(eriwan)[address_of(GERDA)]
    eriwan.writes(GERDA, "Ja\n", subject=f"Re: {question.subject}")
    eriwan.tick()
    mails = eriwan.mails()
    welcome = next(mail for to, mail in mails if to == address_of(GERDA) and "Willkommen" in mail.subject)
    for part in ("ZAT Runde 3", "Crossword Eriwan", "Neu:", "»Hilfe Crossword«"):
        assert part in welcome.text
    assert any(to == address_of(DORA) and GERDA in mail.subject for to, mail in mails)
    eriwan.sends(GERDA, "EE")
    assert eriwan.answer(GERDA).subject == "[Eriwan] Zug Runde 3 angekommen"


def test_a_ja_shortly_before_the_zat_moves_it(eriwan: Any) -> None:
    """A standby has at least three days; the others hear why the ZAT is later, and it is no holiday."""
    wait_in_line(eriwan, GERDA)
    question = silent_twice(eriwan)[address_of(GERDA)]
    eriwan.passes_until(eriwan.zat, hours=-1)
    sent = says_all(eriwan, GERDA, question)
    assert eriwan.zat >= eriwan.now + timedelta(days=2, hours=23)
    assert any(f"{GERDA} hat den Platz von {DORA} übernommen" in eriwan.said(mail) for _, mail in sent)


def says_all(zine: Any, name: str, mail: Any) -> list[tuple[str, Any]]:
    """Let somebody say Ja; give all mails."""
    zine.writes(name, "Ja\n", subject=f"Re: {mail.subject}")
    zine.tick()
    return list(zine.mails())


def test_who_comes_back_keeps_the_seat(eriwan: Any) -> None:
    """A move of the silent one ends the search; who was asked is told; a Ja in the same minute comes too late."""
    wait_in_line(eriwan, GERDA, HANS)
    question = silent_twice(eriwan)[address_of(GERDA)]
    eriwan.sends(DORA, "")
    eriwan.writes(GERDA, "Ja\n", subject=f"Re: {question.subject}")
    eriwan.tick()
    to_gerda = [eriwan.said(mail) for to, mail in eriwan.mails() if to == address_of(GERDA)]
    assert len(to_gerda) == 1
    assert "doch kein Ersatz gebraucht" in to_gerda[0]
    assert eriwan.seat(DORA)["history"] == [DORA]
    assert offered(eriwan) == []


def test_the_one_asked_is_told_that_nobody_is_needed(eriwan: Any) -> None:
    """A standby who hasn't answered is told once."""
    wait_in_line(eriwan, GERDA)
    silent_twice(eriwan)
    eriwan.sends(DORA, "")
    eriwan.tick()
    subjects = [mail.subject for to, mail in eriwan.mails() if to == address_of(GERDA)]
    assert subjects == ["[Eriwan] Es wird niemand mehr gebraucht"]


@pytest.mark.trust
def test_a_new_silence_asks_anew(eriwan: Any) -> None:
    """A standby who didn't answer is asked again when the same player misses rounds a second time."""
    wait_in_line(eriwan, GERDA)
    silent_twice(eriwan)
    passes_round(eriwan, *PLAYERS)
    passes_round(eriwan, *OTHERS)
    assert address_of(GERDA) in passes_round(eriwan, *OTHERS)


def test_never_by_itself(begin: Any) -> None:
    """With `standby_after = 0` nobody is asked, however long the silence."""
    eriwan = begin("started", nmr={"standby_after": 0})
    wait_in_line(eriwan, GERDA)
    for _ in range(4):
        assert address_of(GERDA) not in passes_round(eriwan, *OTHERS)
    assert asked(eriwan) == []


def test_one_nmr_may_be_enough(begin: Any) -> None:
    """With `standby_after = 1` the first NMR asks."""
    eriwan = begin("started", nmr={"standby_after": 1})
    wait_in_line(eriwan, GERDA)
    assert address_of(GERDA) in passes_round(eriwan, *OTHERS)


def test_only_who_may_sit_there_is_asked(eriwan: Any) -> None:
    """Neither who plays in the game, nor who left it, nor who waits for another kind of game."""
    actions.standby(eriwan.app, "Eriwan", ANNA, HANS, address_of(HANS))
    wait_in_line(eriwan, ANNA, BERND)
    wait_in_line(eriwan, INES, kind="presto")
    movers = (HANS, BERND, CARLA, EMIL, FRIDA)
    with eriwan.app.database.read() as session:
        assert [player.name for _, player in player_queries.standby_list(session)] == [ANNA, BERND, INES]
    eriwan.tick()
    silent_twice(eriwan, *movers)
    assert [one.address for one in eriwan.rows(Question) if one.kind == "seat"] == []
    assert "vacancy" in asked(eriwan)


def test_two_silent_seats_ask_two_people(eriwan: Any) -> None:
    """Nobody is asked for two seats of one game at a time."""
    wait_in_line(eriwan, GERDA, HANS)
    silent_twice(eriwan, ANNA, BERND, CARLA, FRIDA)
    offers = [(one.payload["seat"], one.address) for one in eriwan.rows(Question) if one.kind == "seat"]
    assert offers == [(4, address_of(GERDA)), (5, address_of(HANS))]


def test_by_hand_at_once(eriwan: Any) -> None:
    """`gm standby` needs no silence, and tells whoever was asked by mail."""
    wait_in_line(eriwan, GERDA)
    silent_twice(eriwan)
    actions.standby(eriwan.app, "Eriwan", DORA, HANS, address_of(HANS))
    eriwan.tick()
    assert "vergeben" in eriwan.said(dict(eriwan.mails())[address_of(GERDA)])
    assert offered(eriwan) == []


def test_offers_end_with_the_game(eriwan: Any) -> None:
    """When the game is over, who was asked hears of it."""
    wait_in_line(eriwan, GERDA)
    for _ in range(6):
        eriwan.passes_until(eriwan.zat, seconds=1)
        eriwan.tick()
    assert eriwan.status == "finished"
    eriwan.tick()
    said = [eriwan.said(mail) for to, mail in eriwan.mails() if to == address_of(GERDA)]
    assert "zu Ende" in said[-1]


# -- leaving -----------------------------------------------------------------------------------------------------------


def test_resigning_asks_the_list_and_tells_all(eriwan: Any) -> None:
    """`Abmeldung` frees the seat: the writer, the others and the GM are told, the first standby is asked at once."""
    wait_in_line(eriwan, GERDA)
    eriwan.writes(DORA, "Abmeldung Eriwan\n\nLeider keine Zeit mehr.\n")
    eriwan.tick()
    mails = eriwan.mails()
    sent = dict(mails)
    assert len(sent) == len(mails) == 8
    assert "spielst in »Eriwan« nicht mehr mit" in eriwan.said(sent[address_of(DORA)])
    assert sent[address_of(ANNA)].subject == f"[Eriwan] {DORA} hört auf"
    assert "Leider keine Zeit mehr" in sent[GM].text
    assert "Springst du" in sent[address_of(GERDA)].subject
    seat = eriwan.seat(DORA)
    assert (seat["player"], seat["vacant"]) == (DORA, True)
    assert "vacant" not in eriwan.seat(ANNA)
    says_all(eriwan, GERDA, sent[address_of(GERDA)])
    assert eriwan.seat(GERDA)["history"] == [DORA, GERDA]
    assert asked(eriwan) == []


def test_who_left_is_locked_out(eriwan: Any) -> None:
    """After `Abmeldung` neither a move nor a second `Abmeldung` is taken, nor does any bulletin come."""
    eriwan.writes(DORA, "Abmeldung Eriwan\n")
    eriwan.tick()
    eriwan.mails()
    for text in (eriwan.block(DORA, "DN"), "Abmeldung Eriwan\n", "Stand Eriwan\n"):
        eriwan.writes(DORA, text)
        assert "abgemeldet" in eriwan.answer(DORA).subject
    assert address_of(DORA) not in passes_round(eriwan, *OTHERS)


def test_the_move_of_who_left_counts(eriwan: Any) -> None:
    """A move on file stays with the seat; the round doesn't close early over it."""
    eriwan.all_send(*OTHERS)
    eriwan.sends(DORA, "DN")
    eriwan.writes(DORA, "Abmeldung Eriwan\n")
    eriwan.tick()
    eriwan.passes(days=3)
    assert eriwan.tick().closed == []
    eriwan.passes_until(eriwan.zat, seconds=1)
    assert eriwan.tick().closed == ["Eriwan"]
    assert (eriwan.seat(DORA)["grid"][0], eriwan.seat(DORA)["nmr"]) == ("dn....", [])


def test_an_empty_seat_is_nmr_each_round(eriwan: Any) -> None:
    """The game goes on at each ZAT; nobody's record suffers."""
    eriwan.writes(DORA, "Abmeldung Eriwan\n")
    for _ in range(2):
        eriwan.all_send(*OTHERS)
        eriwan.passes(days=2)
        assert eriwan.tick().closed == []
        eriwan.passes_until(eriwan.zat, seconds=1)
        assert eriwan.tick().closed == ["Eriwan"]
    assert eriwan.seat(DORA)["nmr"] == [1, 2]
    assert len(eriwan.rows(Duty)) == 10


def test_leaving_an_open_game(seated: Any) -> None:
    """Before the start the seat is simply free, for the same player, too."""
    seated.writes(DORA, "Abmeldung Eriwan\n")
    mails = says_nothing_more(seated)
    assert "wieder frei" in seated.said(mails[address_of(DORA)])
    assert "der Platz ist wieder frei" in seated.said(mails[GM])
    assert DORA not in [seat["player"] for seat in seated.show()["seats"]]
    seated.writes(DORA, "Anmeldung Eriwan\nNeu: R\n")
    seated.tick()
    assert seated.seat(DORA)["seat"] == 4


def says_nothing_more(zine: Any) -> dict[str, Any]:
    """Do a pass and return its mails by address."""
    zine.tick()
    return dict(zine.mails())


def test_leaving_a_game_that_is_over(eriwan: Any) -> None:
    """In a finished game nobody leaves any more."""
    for _ in range(6):
        actions.close(eriwan.app, "Eriwan", eriwan.now)
        eriwan.passes(minutes=1)
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(DORA, "Abmeldung Eriwan\n")
    assert "zu Ende" in eriwan.reply(DORA)
    assert [seat.until for seat in eriwan.rows(Seat)] == [None] * 6


def test_one_of_a_couple_leaves(begin: Any) -> None:
    """`Name:` says who of an address leaves; without it nobody does."""
    zine = begin("empty")
    actions.new_game(zine.app, "presto", "Elba")
    for name in (ANNA, BERND, CARLA, DORA):
        seating.join(zine.app, "Elba", name, address_of(ANNA if name == BERND else name), None)
    actions.start(zine.app, "Elba")
    zine.writes(ANNA, "Abmeldung Elba\n")
    zine.tick()
    assert [seat.until for seat in zine.rows(Seat)] == [None] * 4
    zine.writes(ANNA, "Name: Bernd Cordes\nAbmeldung Elba\n")
    zine.tick()
    assert [seat.until is None for seat in zine.rows(Seat)] == [True, False, True, True]


# -- playing on without ------------------------------------------------------------------------------------------------


def test_on_without_a_seat(eriwan: Any) -> None:
    """`--none`: who was silent is told, and so are all; no standby is asked; rounds close early without the seat."""
    wait_in_line(eriwan, GERDA)
    silent_twice(eriwan)
    zat = eriwan.zat
    actions.play_on_without(eriwan.app, "Eriwan", DORA)
    eriwan.tick()
    sent = dict(eriwan.mails())
    assert "ohne dich" in sent[address_of(DORA)].subject
    assert f"{DORA} scheidet aus" in eriwan.said(sent[address_of(ANNA)])
    assert "spielen ohne den Platz weiter" in eriwan.said(sent[address_of(GERDA)])
    assert eriwan.zat == zat
    assert offered(eriwan) == []
    assert asked(eriwan) == []
    eriwan.all_send(*OTHERS)
    eriwan.passes(hours=13)
    assert eriwan.tick().closed == ["Eriwan"]
    with pytest.raises(Refused, match="already"):
        actions.play_on_without(eriwan.app, "Eriwan", DORA)


def test_where_the_rules_allow_it_somebody_may_still_come(eriwan: Any) -> None:
    """In Crossword the seat stays on the table: the GM may still put somebody there."""
    actions.play_on_without(eriwan.app, "Eriwan", DORA)
    actions.standby(eriwan.app, "Eriwan", DORA, GERDA, address_of(GERDA))
    eriwan.tick()
    eriwan.mails()
    eriwan.sends(GERDA, "DN")
    assert eriwan.answer(GERDA).subject == "[Eriwan] Zug Runde 1 angekommen"


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("kind", sorted(engines()))
def test_every_game_welcomes_a_standby(begin: Any, kind: str) -> None:
    """Whatever the game, the successor's mail is whole sentences, with the way to the rules."""
    zine = begin("empty")
    rules = engines()[kind].rules
    cast = PLAYERS[: max(2, rules.seats[0])]
    actions.new_game(zine.app, kind, "Elba")
    for name, wish in zip(cast, "DNTIRO", strict=False):
        seating.join(zine.app, "Elba", name, address_of(name), wish if kind == "crossword" else None)
    actions.start(zine.app, "Elba")
    zine.tick()
    zine.mails()
    actions.standby(zine.app, "Elba", cast[0], GERDA, address_of(GERDA))
    said = zine.reply(GERDA)
    assert f"»Hilfe {rules.title}«" in said
    assert not re.search(r"[a-zäöüß)]\.[A-ZÄÖÜ][a-zäöü]", said.replace("postspiel.example", ""))


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("kind", sorted(engines()))
def test_every_game_goes_on_without_a_seat(begin: Any, kind: str) -> None:
    """Whatever the game, it goes on or ends by its rules, and the record replays."""
    zine = begin("empty")
    rules = engines()[kind].rules
    cast = PLAYERS[: max(rules.seats[0], min(3, rules.seats[1]))]
    actions.new_game(zine.app, kind, "Elba")
    for name, wish in zip(cast, "DNTIRO", strict=False):
        seating.join(zine.app, "Elba", name, address_of(name), wish if kind == "crossword" else None)
    actions.start(zine.app, "Elba")
    zine.tick()
    _move(zine, cast[0])
    actions.play_on_without(zine.app, "Elba", cast[0])
    for _ in range(3):
        for name in cast[1:]:
            _move(zine, name)
        zine.passes(days=20)
        zine.tick()
        with zine.app.database.read() as session:
            game = game_queries.named(session, "Elba")
            assert not game.held
            assert verify(zine.app, session, game) == []
    with zine.app.database.read() as session:
        game = game_queries.named(session, "Elba")
        assert game.turn >= (2 if len(cast) > 2 else 1)
        assert (game.status == "finished") or len(cast) > 2  # one seat left has won (rulings.md, All games)


def _move(zine: Any, name: str) -> None:
    """Let the GM enter whatever comes to mind, if this player owes a move."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, "Elba")
        if game.status != "running":
            return
        at = position(zine.app, game)
        seat = seat_of_player(session, game, name)
        if seat.number not in at.engine.due(at.state):
            return
        words = word_judge.judge(zine.app, game)
        lines = at.engine.suggest(at.state, seat.number, Dice("silence", at.turn.number), words)
    if lines:
        actions.enter_move(zine.app, "Elba", name, "\n".join(lines))


def test_an_undone_game_replays_with_its_other_version(eriwan: Any) -> None:
    """A step that was taken back and made again stays in the record, and all of it replays."""
    eriwan.all_send()
    actions.close(eriwan.app, "Eriwan", eriwan.now)
    eriwan.tick()
    actions.undo(eriwan.app, "Eriwan")
    actions.play_on_without(eriwan.app, "Eriwan", DORA)
    actions.close(eriwan.app, "Eriwan", eriwan.now)
    eriwan.tick()
    with eriwan.app.database.read() as session:
        assert verify(eriwan.app, session, game_queries.named(session, "Eriwan")) == []
