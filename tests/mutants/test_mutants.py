"""`make mutants` itself: it finds what no test finds, and believes no list."""

from pathlib import Path

import faults
import pytest
import run

ROOT = Path(__file__).parent.parent.parent
RULE = "def may_vote(age: int | None) -> bool:\n    return age is not None and age >= 16\n"
STRICT = "assert may_vote(16) and not may_vote(15) and not may_vote(None)"
LAX = "assert may_vote(30)"
LISTED = """[[fault]]
module = "rule.py"
within = "may_vote"
was = "return age is not None and age >= 16"
becomes = "return age is not None and age {becomes}"
reason = "{reason}"
"""


def project(folder: Path, test: str, listed: str = "") -> Path:
    """A project of one rule, one test, and a sample of one fault: `>=` becomes `>`. Its tests take our option."""
    (folder / "tests/mutants").mkdir(parents=True)
    (folder / "conftest.py").write_text(
        "def pytest_addoption(parser):\n    parser.addoption('--trust-too', action='store_true')\n"
    )
    (folder / "rule.py").write_text(RULE)
    (folder / "test_rule.py").write_text(f"from rule import may_vote\n\n\ndef test_it() -> None:\n    {test}\n")
    sample = '[[target]]\nmodules = ["rule.py"]\ntests = ["test_rule.py"]\nfaults = 1\n'
    (folder / "tests/mutants/sample.toml").write_text(sample)
    (folder / "tests/mutants/equivalent.toml").write_text(listed)
    return folder


def seed_of(becomes: str) -> str:
    """A seed whose sample is the fault that is wanted."""
    sources = {"rule.py": RULE}
    return str(next(seed for seed in range(100) if faults.sampled(sources, 1, seed)[0].becomes.endswith(becomes)))


@pytest.mark.parametrize(
    ("test", "listed", "wrong", "said"),
    [
        (STRICT, "", 0, "1 of 1 found"),
        (LAX, "", 1, "No test finds it:\nrule.py:2 (may_vote)"),
        (LAX, LISTED.format(becomes="> 16", reason="nobody is sixteen"), 0, "0 of 1 found"),
        (STRICT, LISTED.format(becomes="> 16", reason="nobody is sixteen"), 1, "Not equivalent, a test finds it"),
    ],
)
def test_survivors_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], test: str, listed: str, wrong: int, said: str
) -> None:
    """A fault that no test finds is told, unless it is listed; a listed one that a test finds is told as well (#31)."""
    assert run.main(["--seed", seed_of("> 16")], project(tmp_path, test, listed)) == wrong
    assert said in capsys.readouterr().out
    assert (tmp_path / "rule.py").read_text() == RULE, "the project itself has been changed"


@pytest.mark.parametrize(
    ("listed", "fault"),
    [
        (LISTED.format(becomes="> 17", reason="nobody is sixteen"), "isn't one any more"),
        (LISTED.format(becomes="> 16", reason="so"), "doesn't say why"),
    ],
)
def test_the_list_is_checked(tmp_path: Path, listed: str, fault: str) -> None:
    """What can't be made any more, or has no reason, is an error before anything runs (#31)."""
    with pytest.raises(ValueError, match=fault):
        run.main([], project(tmp_path, LAX, listed))


def test_failing_tests_find_nothing(tmp_path: Path) -> None:
    """Tests that fail anyway aren't taken for such that find faults (#31)."""
    with pytest.raises(ValueError, match="without any fault"):
        run.main([], project(tmp_path, "assert not may_vote(30)"))


def test_types_are_let_be() -> None:
    """A type is no sum: `int | None` isn't changed, nor a decorator, while `|` of values is (#31)."""
    source = "x: int | None = 1\n@cache(frozen=True)\ndef f(a: int | None) -> set | None:\n    return a | a\n"
    assert {(place.kind, place.line) for place in faults.places("a.py", source)} == {
        ("number", "x: int | None = 1"),
        ("arithmetic", "return a | a"),
    }


def test_the_sample_stays_when_lines_move() -> None:
    """A new line above changes no choice: survivors that were looked at stay the sample's (#31)."""
    chosen = faults.sampled({"rule.py": RULE}, 2, 1)
    moved = faults.sampled({"rule.py": f"import re\n\n{RULE}"}, 2, 1)
    assert [fault.name for fault in chosen] == [fault.name for fault in moved]


@pytest.mark.trust
def test_what_is_sampled_is_there() -> None:
    """Modules and tests of the sample exist, and the listed faults are still faults (#31)."""
    assert sum(target.faults for target in run.targets(ROOT)) >= 150
    assert all(target.modules and target.tests for target in run.targets(ROOT))
    run.equivalents(ROOT)
