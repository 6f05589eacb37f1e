"""Which Authentication-Results count: only those above the topmost Received, which no sender can forge."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.mime.authentication_results import judge, read_results
from parsers.mime.message import read_mail

TRUSTED = ["mx.example.org", "*.mail.example", "no-id"]
IDS = st.sampled_from(
    ["mx.example.org", "MX.example.ORG 1", '"mx.example.org"', "mx7.mail.example", "(x) aaa.example", ""]
)
SAYS = st.sampled_from(
    ["none", "spf=pass", "dkim=none", "dkim=pass header.d=gmx.example", "dkim=pass header.d=mail.gmx.example",
     "dkim=pass (", "dmarc=none", "dmarc=pass header.from=mail.gmx.example", "dmarc=fail header.from=mail.gmx.example",
     "dmarc=pass header.from=evil.example"]
)  # fmt: skip
FIELDS = st.builds(
    lambda name, says: f"Authentication-Results: {name}; {says}" if name else f"authentication-results: {says}",
    IDS,
    SAYS,
)
OTHERS = st.sampled_from(
    ["Received: from a by b; now", "X-Note: x", "ARC-Authentication-Results: i=1; mx.example.org; dmarc=pass"]
)
HER = "From: anna@mail.gmx.example"


def word(lines: list[str], trusted: list[str]) -> str:
    """Judge a mail with these fields."""
    return judge(read_mail("\r\n".join([*lines, "", "x"]).encode()), trusted).word


@given(top=st.lists(FIELDS, max_size=5), below=st.lists(FIELDS | OTHERS, max_size=6), at=st.integers(0, 6))
def test_nothing_below_the_topmost_received_changes_anything(top: list[str], below: list[str], at: int) -> None:
    """Whatever stands below, above From or below it, the verdict is that of the fields above alone."""
    expected = word([*top, "Received: from x by y; now", HER], TRUSTED)
    assert word([*top, "Received: from x by y; now", *below[:at], HER, *below[at:]], TRUSTED) == expected


@given(lines=st.lists(FIELDS, max_size=8), at=st.integers(0, 8))
def test_without_received_nothing_counts(lines: list[str], at: int) -> None:
    """A mail that no server says to have received has been checked by none, whatever is trusted."""
    assert word([*lines[:at], HER, *lines[at:]], [*TRUSTED, *(f"{one} below" for one in TRUSTED)]) == "none"


@given(top=FIELDS, lines=st.lists(FIELDS | OTHERS, max_size=6))
def test_the_topmost_of_a_name_is_alone(top: str, lines: list[str]) -> None:
    """Below a field of a name, no other of that name counts, even where those beneath Received do."""
    named = read_results(top.partition(":")[2]).authserv
    others = [one for one in lines if read_results(one.partition(":")[2]).authserv != named]
    trusted = [f"{one} below" for one in TRUSTED]
    above = ["Received: from x by y; now", top]
    assert word([*above, *lines, HER], trusted) == word([*above, *others, HER], trusted)


GENUINE = {
    "GMX": ("mx.gmx.net", "gmx.net; dkim=pass header.i=@mail.gmx.example", ["gmx.net"], 0),
    "WEB.DE": ("mx.web.de", "web.de; dkim=pass header.i=@mail.gmx.example", ["web.de"], 0),
    "mailbox.org": (
        "mx1.mailbox.org", "spamd6.mailbox.org; dkim=pass header.d=gmx.example header.s=x header.b=ab; dmarc=pass "
        "(policy=none) header.from=mail.gmx.example", ["*.mailbox.org"], 0),
    "Gmail": (
        "2002:a05:6a10", "mx.google.com; dkim=pass header.i=@mail.gmx.example header.s=x header.b=iQ; spf=pass "
        "(google.com: domain of anna@mail.gmx.example designates 192.0.2.1 as permitted sender) "
        "smtp.mailfrom=anna@mail.gmx.example; dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=mail.gmx.example",
        ["mx.google.com below"], 2),
    "iCloud": (
        "p00-icloudmta.mail.me.com", "dmarc.icloud.com; dmarc=pass header.from=mail.gmx.example",
        ["dmarc.icloud.com below"], 1),
    "Yahoo": (
        "atlas.mail.ne1.yahoo.com", "atlas110.free.mail.ne1.yahoo.com; dkim=pass header.i=@mail.gmx.example "
        "header.s=x; spf=pass smtp.mailfrom=mail.gmx.example; dmarc=pass(p=NONE,sp=NONE) header.from=mail.gmx.example;",
        ["*.yahoo.com below"], 1),
    "Outlook": (
        "AM0PR01.prod.exchangelabs.com", "spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=mail.gmx.example; dkim=pass "
        "(signature was verified) header.d=mail.gmx.example;dmarc=pass action=none header.from=mail.gmx.example;"
        "compauth=pass reason=100", ["no-id below"], 2),
}  # fmt: skip
"""Who has received it, what stands in its field, how it is trusted, and how many Received of its own stand above."""


@pytest.mark.parametrize("provider", GENUINE)
def test_genuine_ones(provider: str) -> None:
    """What the known providers write counts where they write it; with `below` left out, on top alone."""
    host, says, trusted, hops = GENUINE[provider]
    own = [f"Received: by {host} with SMTP id {number}; now" for number in range(hops)]
    field = f"Authentication-Results: {says}"
    rest = ["Received: from mail.gmx.example by mx; now", "DKIM-Signature: v=1; d=gmx.example", HER]
    assert word([*own, field, *rest], trusted) == "pass"
    narrow = [entry.removesuffix(" below") for entry in trusted]
    assert word([*own, field, *rest], narrow) == ("none" if hops else "pass")
    assert word([field, *own, *rest], narrow) == "pass"


def test_the_list_is_loaded_when_it_is_needed() -> None:
    """Only a signature asks for the list of suffixes: not what was found forged, and no pass by DMARC."""
    code = (
        "import sys; from parsers.mime.authentication_results import found_forged, judge\n"
        "from parsers.mime.message import read_mail\n"
        "for says in ('dmarc=fail', 'dmarc=pass header.from=gmx.de', 'dkim=pass header.d=gmx.de'):\n"
        "    mail = read_mail(f'Authentication-Results: mx; {says}\\nReceived: x\\nFrom: a@gmx.de\\n\\n'.encode())\n"
        "    found_forged(mail, ['mx']); print('publicsuffixlist' in sys.modules)\n"
        "    print(judge(mail, ['mx']).word, 'publicsuffixlist' in sys.modules)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    said = ["False", "fail False", "False", "pass False", "False", "pass True"]
    assert ran.stdout.splitlines() == said
