"""Shell completion: what is offered at <Tab>, requested as the shells do."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.trust

PROGRAM = Path(sys.executable).with_name("gm")


@pytest.fixture
def ask(gm, monkeypatch) -> Any:
    """Ask for completions of a line as bash does; the last word is the one that is being written."""
    monkeypatch.setenv("GM_CONFIG", str(gm.config))

    def offers(*words: str) -> list[str]:
        monkeypatch.setenv("_GM_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", "\n".join(("gm", *words)))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        ran = gm.run()
        monkeypatch.delenv("_GM_COMPLETE")
        assert (ran.code, ran.err) == (0, "")
        return [line for line in ran.out.splitlines() if line]

    return offers


def test_commands_and_options(ask):
    """Commands, their groups and options are offered."""
    assert ask("verif") == ["verify"]
    assert {"add", "list", "remove"} <= set(ask("standbys", ""))
    assert "--dry-run" in ask("close", "--")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell(shell, tmp_path):
    """`gm --show-completion` and `--install-completion` find out which shell calls them."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    caller = tmp_path / shell
    shutil.copyfile(bash, caller)  # whatever it is, it is called like this
    caller.chmod(0o755)
    for option in ("--show-completion", "--install-completion"):
        ran = subprocess.run(
            [caller, "-c", f"'{PROGRAM}' {option}; true"], env={**os.environ, "HOME": str(tmp_path)},
            capture_output=True, text=True,
        )  # fmt: skip
        assert ran.stderr == ""
        assert shell in ran.stdout
    written = [path for path in tmp_path.rglob("*") if path.is_file() and path != caller]
    assert any("_GM_COMPLETE=complete_" + shell in path.read_text() for path in written)
