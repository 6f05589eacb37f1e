"""A config whose values are changed holds what it did otherwise, and its comments where that is possible."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.runtime.config.rewriting import rewritten
from gm.runtime.config.settings import toml_value

TEXT = """\
# ours
[imap]  # the mailbox
password = "a # b"  # hush
  "host"   = "x"
[ smtp.oauth2 ]
tokens='t.json' # there
[lexicon]
extra = [
  "a.txt", # one
  "]",
]   # end
"""


def test_comments_stay() -> None:
    """Only the lines of what changes are another; a list over several lines becomes one."""
    changes: dict[tuple[str, ...], tuple[str, Any]] = {
        ("imap", "password"): ("password_file", "p"), ("smtp", "oauth2", "tokens"): ("tokens", "x.json"),
        ("lexicon", "extra"): ("extra", ["b"]),
    }  # fmt: skip
    assert rewritten(TEXT, changes) == (
        '# ours\n[imap]  # the mailbox\npassword_file = "p"  # hush\n  "host"   = "x"\n[ smtp.oauth2 ]\n'
        'tokens = "x.json"  # there\n[lexicon]\nextra = ["b"]\n'
    )


@pytest.mark.parametrize(
    "text",
    [
        'imap = {host = "x", password = "p"}\n', 'imap.password = "p"\nimap.host = "x"\n',
        '[imap]\n"password" = "p"\nhost = "x"\n', '["imap"]\npassword = """p"""\nhost = "x"\n',
        '[imap]\nhost = "x"\nnote = """\npassword = \'q\'\n"""\npassword = "p"\n',
    ],
)  # fmt: skip
def test_unusual_ways_to_write(text: str) -> None:
    """However it is written, the value is changed and no other."""
    expected = tomllib.loads(text)
    del expected["imap"]["password"]
    expected["imap"]["password_file"] = 'f"'
    assert tomllib.loads(rewritten(text, {("imap", "password"): ("password_file", 'f"')})) == expected


VALUES = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12), st.booleans(), st.integers(-9, 9),
    st.lists(st.text("a#]\"'\\ ", max_size=5), max_size=3),
)  # fmt: skip
TABLES = st.dictionaries(st.sampled_from("abcdef"), VALUES, min_size=1)


@given(st.dictionaries(st.sampled_from(["one", "two"]), TABLES, min_size=1), VALUES, st.data())
def test_the_rest_stays(document: dict[str, dict[str, Any]], value: Any, data: st.DataObject) -> None:
    """Whatever stands there, the one value is another afterwards."""
    text = "".join(
        f"[{section}] # {section}\n" + "".join(f"{key} = {toml_value(one)} # {key}\n" for key, one in table.items())
        for section, table in document.items()
    )
    assert tomllib.loads(text) == document
    section = data.draw(st.sampled_from(sorted(document)))
    key = data.draw(st.sampled_from(sorted(document[section])))
    del document[section][key]
    document[section]["new"] = value
    assert tomllib.loads(rewritten(text, {(section, key): ("new", value)})) == document
