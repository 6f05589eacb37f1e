"""Text out of HTML as mail programs write it: lines, quotations, lists, boards; nothing hangs or raises."""

import pytest
from cpu_cost import work_units
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.mime.markup import MAX_DEPTH, html_text

ROWS = "Neu: E\ns.Oli..\n...arg"


@pytest.mark.parametrize(
    "page",
    [
        "<div>Neu: E</div><div>s.Oli..</div><div>...arg</div>",
        "Neu: E<br>s.<b>O</b>l<wbr>i..<br/>\n...<font color=red>a</font>rg",
        "<pre>Neu: E\ns.Oli..\n...arg</pre>",
        '<div style="white-space:pre-wrap">Neu: E\ns.Oli..\n...arg</div>',
        "<p class=MsoNormal>Neu: E<o:p></o:p></p><p class=MsoNormal>s.Oli..</p><p class=MsoNormal>...arg</p>",
        '<p style="margin:0">Neu: E</p><p style="margin-top:0px">s.Oli..</p><p style="margin: 0cm">...arg</p>',
        "<ul><li>Neu: E</li><li>s.Oli..</li><li>...arg</li></ul>",
        "<ol><li>Neu: E<li>s.Oli..<li>...arg</ol>",
        '<?xml version="1.0" encoding="utf-8"?><html><body>Neu: E<br>s.Oli..<br>...arg</body></html>',
        '<style>p{color:red}</style><div style="display:none">x</div>Neu: E<br>s.Oli..<br>...arg<!-- y -->',
        "<html><body>Neu: E<br></body></html>\n<html><body>s.Oli..<br>...arg</body></html>",
        '<blockquote style="margin:0 0 0 40px;border:none">Neu: E<br>s.Oli..<br>...arg</blockquote>',
    ],
)
def test_lines_stay_lines(page: str) -> None:
    """However a program breaks its lines, they come out as they were seen."""
    assert html_text(page).strip() == ROWS


@pytest.mark.parametrize(
    "page",
    [
        "<p class=MsoNormal>a</p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>b</p>",
        "<div>a</div><div>&nbsp;</div><div>b</div>",
        "<div>a</div><div><br></div><div>b</div>",
        "<p>a</p><p>b</p>",
    ],
)
def test_blank_lines(page: str) -> None:
    """Outlook's paragraphs stand close together; lines with a no-break space alone are blank."""
    assert html_text(page).strip() == "a\n\nb"


@pytest.mark.parametrize(
    "quotation",
    [
        "<blockquote>alt<br>neu</blockquote>",
        "<blockquote type=cite>alt<blockquote>neu</blockquote></blockquote>",
        '<div name="quote" style="border-left:2px solid #C3D9E5">alt<div name="quoted-content">neu</div></div>',
        '<div class="x yahoo_quoted y">alt<br>neu</div>',
    ],
)
def test_quotations_are_marked(quotation: str) -> None:
    """Quotations get `>`, what stands between and behind them doesn't."""
    lines = html_text(f"<div>a</div>{quotation}own{quotation}<p>b</p>").split("\n")
    said = [line for line in lines if line and line != ">"]
    assert said == ["a", "> alt", "> neu", "own", "> alt", "> neu", "b"]


def test_board_of_our_own_mails() -> None:
    """Somebody copies the table of a grid and writes into it: empty cells are dots."""
    head = "<tr><td></td><th scope=col>a</th><th scope=col>b</th></tr>"
    rows = "".join(f"<tr><th scope=row>{n}</th><td>&nbsp;</td><td><b>X</b></td></tr>" for n in (1, 2, 3))
    assert [line.split() for line in html_text(f"<table>{head}{rows}</table>").strip().split("\n")] == [
        ["a", "b"], ["1", ".", "X"], ["2", ".", "X"], ["3", ".", "X"],
    ]  # fmt: skip
    assert "." not in html_text("<table><tr><td>Preis<td></tr><tr><td>1<td></tr><tr><td>2<td></tr></table>")


def test_too_deep_for_anybody() -> None:
    """What is nested deeper than mail programs do is not read, rather than read in part."""
    assert html_text("<div>" * (MAX_DEPTH - 10) + "Neu: E") == "Neu: E"
    assert html_text("<div>" * (MAX_DEPTH + 1) + "Neu: E") == ""


@pytest.mark.parametrize(
    "piece",
    [
        "<div>",
        "<b>",
        "<p>x",
        "<blockquote>x</blockquote>",
        "<table><tr><td>",
        "<li>",
        "&nbsp;",
        "<tr><td>a",
        "<br>",
        "<",
    ],
)
def test_nothing_hangs(piece: str) -> None:
    """The largest page that is read takes half of the time that a mail has."""
    page = piece * (256 * 1024 // len(piece))
    assert work_units(lambda: html_text(page), most=500) < 500


TAGS = st.sampled_from(
    ["<div>", "</div>", "<p class=MsoNormal>", "<blockquote>", "</blockquote>", "<table>", "<tr>", "<td>", "</table>",
     "<br>", "<pre>", "</pre>", "<li>", "text", " ", "\n", "&nbsp;", "&#0;", "<!--", "-->", "<![CDATA[", "<?xml ?>",
     "<div name=quote>", "<p style='margin:0'>", "\0", "\x0b", "ß"]
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(TAGS, max_size=60).map("".join))
def test_any_mixture_of_tags(page: str) -> None:
    """Whatever the page, there is a text."""
    assert isinstance(html_text(page), str)
