"""Rendering a mail: one template for all languages, its subject first, laid out as text and as HTML.

The words are in the catalogue `mail` of each language; `say` brings them, and puts a game's texts into words. A body
consists of calls of forms: `write.p`, `write.grids` and so on. Each form is written twice: for the text part by
`Plain`, for the HTML part by the macro of its name in `templates/mail/forms.html`. So the two parts can't say different
things.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup, escape

from games.api import Grid, Language, Section, Text
from gm.drawing.parts import Part
from gm.messages.mail_commands import short_words
from gm.messages.rendering.mail_link import mail_link
from gm.messages.rendering.plain_text import Plain, short_name, wrap
from gm.messages.rendering.wording import Head, Speaker, Tone, first_name, listed, phrase
from gm.runtime.catalogues import catalogue

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.runtime import Context

SHORTEST_SUBJECT: Final = 10
LONGEST_SUBJECT: Final = 70
LONGEST_UNBROKEN: Final = 28
"""A name up to here stands on one line."""
BLANKS: Final = re.compile(r"[ \n]+")
DATE: Final = re.compile(
    r"(?<=\d) (?=Uhr\b|[A-Z][a-z]+ \d{4})|(?<=[a-z]) (?=\d{4}\b)|(?<=Uhr) (?=\()|(?<=:\d\d) (?=\()"
)
"""The gaps in `16.11.2026, 20:00 Uhr (MEZ)` and `16 November 2026, 20:00 (CET)`, but for those behind commas."""
MARK: Final = "\0"
"""Stands for a form in the output of a template."""


@cache
def _environment(html: bool) -> "Environment":
    # Loaded when the first mail is written: a command that shows something writes none.
    from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context

    environment = Environment(
        loader=PackageLoader("templates", ""),
        autoescape=html,
        undefined=StrictUndefined,
        auto_reload=False,  # templates change with a new version only: no look at the file for every mail
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["say"] = pass_context(partial(_say, html))
    environment.filters["speak"] = lambda text, speaker: speaker.say(text)
    environment.filters["first_name"] = first_name
    environment.filters["beginning"] = beginning
    environment.filters["listed"] = lambda names, speaker: listed([*names], speaker.language)
    environment.filters["named"] = lambda seat, speaker: speaker.name(seat)
    environment.filters["one_line"] = lambda text: Markup(BLANKS.sub(" ", escape(text)).strip())
    environment.filters["short_name"] = short_name
    environment.filters["unbroken"] = _unbroken
    environment.filters["whole"] = lambda name: _without_gaps(name) if len(name) <= LONGEST_UNBROKEN else name
    return environment


def _unbroken(text: str) -> Markup:
    """Keep the dates and times of a text on one line."""
    return Markup(DATE.sub("&nbsp;", str(escape(text))))


def _without_gaps(text: str) -> Markup:
    return Markup(str(escape(text)).replace(" ", "&nbsp;"))


def html_forms(speaker: Speaker) -> Any:
    """Return the forms of the HTML part: macros by name."""
    return _environment(True).get_template("mail/forms.html").make_module({"speaker": speaker})


@cache
def _rows() -> Any:
    """Return those that need no speaker."""
    return _environment(True).get_template("mail/forms.html").module


def _say(html: bool, context: "Context", what: str | Text, /, **more: Any) -> str:
    """Put a text of a game into words, or bring the sentence with this code, filled from `more` and the context."""
    speaker: Speaker = context["speaker"]
    if isinstance(what, Text):
        return speaker.say(what)
    sentence = catalogue("mail", speaker.language)[what]
    if html:
        sentence = Markup(sentence.replace("&", "&amp;").replace("<", "&lt;"))
    return sentence.format_map(_Values(context, more))


def beginning(said: str) -> str:
    """Return the first sentence of a text for a subject, with a capital; after a `Danke!` the second as well.

    A long one ends in an ellipsis.
    """
    sentences = re.split(r"(?<=[^.]{3}[.!?])\s", said)
    first = (sentences[0] if len(sentences[0]) > SHORTEST_SUBJECT else " ".join(sentences[:2])).rstrip(".")
    short = first if len(first) <= LONGEST_SUBJECT else first[:LONGEST_SUBJECT].rpartition(" ")[0].rstrip(" ,;:") + "…"
    return short[:1].upper() + short[1:]


class _Values(dict[str, Any]):
    """What a sentence is filled with. Raises KeyError for a name that the template doesn't know either."""

    def __init__(self, context: "Context", more: Mapping[str, Any]) -> None:
        super().__init__(more)
        self._context = context

    def __missing__(self, name: str) -> Any:
        return self._context[name]


def subject(name: str, speaker: Speaker, context: Mapping[str, Any]) -> str:
    """Render the subject of a mail: one line."""
    return " ".join(_block(False, name, "subject", context, speaker=speaker).split())


def _block(html: bool, name: str, block: str, context: Mapping[str, Any], **more: Any) -> str:
    template = _environment(html).get_template(f"mail/{name}.txt")
    return "".join(template.blocks[block](template.new_context({**context, **more})))


@dataclass(frozen=True, kw_only=True)
class Opening:
    """What stands above a body, beside what its template says."""

    zine: str = ""
    by: str = ""
    """The game master."""
    greeting: str = ""
    warning: str = ""
    """What isn't accepted of a mail whose answer begins here."""
    is_first: bool = True
    answered: str = ""
    """Above one of many answers: which line it answers."""
    anchor: str = ""
    address: str = ""
    """Where answers go."""


@dataclass(frozen=True, kw_only=True)
class Body:
    """A rendered template: a mail, or one of its answers."""

    head: Head | None
    text: str
    html: Markup
    """Rows of the mail's table."""
    small: tuple[str, str]
    """What stands last in the mail, as text and as HTML."""

    @property
    def is_refusal(self) -> bool:
        """Whether it says that something wasn't accepted."""
        return self.head is not None and self.head.tone == "red"


def body(name: str, speaker: Speaker, context: Mapping[str, Any], opening: Opening) -> Body:
    """Render a mail (or one of its answers) as text, and as HTML without the frame."""
    forms = Forms(name, speaker, context, opening)
    between = _block(True, name, "body", context, write=forms, speaker=speaker).split(MARK)
    text = "".join(form + blank for form, blank in zip(["", *forms.texts], between, strict=True))
    html = "".join(form + blank for form, blank in zip(["", *forms.pages], between, strict=True)).strip()
    return Body(
        head=forms.heading,
        text=re.sub(r"\n\s*\n(?=\n)", "\n", text).strip("\n") + "\n",
        html=Markup(forms.above) + _rows().body_row(Markup(html)),
        small=(forms.small_text, forms.small_page),
    )


class Forms:
    """The `write` of body templates: keeps each form as text and as HTML, and leaves a mark in its place."""

    def __init__(self, name: str, speaker: Speaker, context: Mapping[str, Any], opening: Opening) -> None:
        self.plain, self.page = Plain(), html_forms(speaker)
        self.texts: list[str] = []
        self.pages: list[str] = []
        self.heading: Head | None = None
        self.above = ""
        """The head as HTML: rows of the mail's table, above the body's own."""
        self.small_text = self.small_page = ""
        self._begins = True
        """Whether a sentence begins here; below a greeting the first one goes on."""
        self.greets = not opening.anchor
        """Whether a letter of its own begins here; in a mail with several the first part greets."""
        self._name, self._speaker, self._context, self._opening = name, speaker, context, opening

    def head(self, tone: Tone, headline: str = "", until: str = "", note: str = "", of_game: bool = True) -> str:
        """Head the mail, and greet. Without a headline the subject says it, less what stands there in brackets.

        `note` stands beside zine and game master; without `of_game` no game is named.
        """
        language, context, opening = self._speaker.language, self._context, self._opening
        title, by = opening.zine, opening.by
        if context.get("gm_plays"):
            by = phrase(language, "frame.gm_plays", by=by)
        if of_game and context.get("game"):
            title = phrase(language, "frame.game", title=context.get("title", ""), game=context["game"]).strip()
            # A bulletin is signed by the game master.
            by = opening.zine if note and not context.get("gm_plays") else ", ".join(filter(None, (opening.zine, by)))
        head = Head(
            title=title, sender=by, note=as_text(note), tone="amber" if opening.warning and tone != "red" else tone,
            until=as_text(until),
            headline=as_text(headline) or BRACKETS.sub("", subject(self._name, self._speaker, context)),
            is_first=opening.is_first, answered=opening.answered, anchor=opening.anchor,
        )  # fmt: skip
        self.heading, self.above = head, _rows().head(head)
        self.texts.append(self.plain.head(head))
        self.pages.append("")
        return MARK + (self.hello(opening.greeting) if opening.greeting else "") + self._warn(opening.warning)

    def _warn(self, warning: str) -> str:
        if not warning:
            return ""
        self.keep("p", [escape(warning)], {})
        self._begins = True
        return MARK

    def small(self, caller: Callable[[], str]) -> str:
        """Write what stands last in the mail."""
        text = Markup(caller().strip())
        self.small_text, self.small_page = self.plain.small(as_text(text)), text
        return ""

    def hello(self, greeting: str) -> str:
        """Greet."""
        if not self.greets:
            return ""
        self.keep("hello", [greeting], {})
        self._begins = False
        return MARK

    def p(self, caller: Callable[[], str]) -> str:
        """Write a paragraph; the template passes it as HTML."""
        said = Markup(caller()).lstrip()
        self.keep("p", [said[:1].upper() + said[1:] if self._begins else said], {})
        self._begins = False
        return MARK

    def section(self, section: Section | Part) -> str:
        """Write a part of a view, or one that is in words already."""
        self.keep("section", [section if isinstance(section, Part) else self._speaker.part(section)], {})
        return MARK

    def grids(self, grids: Sequence[Grid]) -> str:
        """Draw boards."""
        self.keep("grids", [self._speaker.boards(grids)], {})
        return MARK

    def yes_no(self, asked: str = "") -> str:
        """Offer `Ja` and `Nein` to the question that this mail asks, or that was asked under this subject."""
        words = short_words(self._speaker.language)
        return self.answers([(words.yes[0], words.yes[0], "green"), (words.no[0], words.no[0], "red")], asked)

    def answers(self, choices: Sequence[tuple[str, str, Tone]], asked: str = "") -> str:
        """Offer answers to a question as clicks: what each is called, the line that it sends, its colour.

        They need no thread: the subject has the question's code.
        """
        to, title = self._opening.address, f"Re: {asked or subject(self._name, self._speaker, self._context)}"
        links = [(mail_link(to, title, [as_text(line), ""]), label, tone) for label, line, tone in choices]
        self.keep("buttons", [links], {})
        return MARK

    def keep(self, form: str, given: Sequence[Any], named: Mapping[str, Any]) -> None:
        """Lay a form out."""
        self.texts.append(getattr(self.plain, form)(*map(as_text, given), **named))
        self.pages.append(getattr(self.page, form)(*given, **named))

    def __getattr__(self, form: str) -> Callable[..., str]:
        def write(*given: Any, **named: Any) -> str:
            self.keep(form, [[*one] if isinstance(one, Iterator) else one for one in given], named)
            return MARK

        return write


def as_text(given: Any) -> Any:
    """Undo the escaping that a template has done, also within lists."""
    if isinstance(given, Markup):
        return given.unescape()
    return [as_text(one) for one in given] if isinstance(given, list | tuple) else given


BRACKETS: Final = re.compile(r"^(\[[^]]*\] )+")
"""What a subject begins with: the code of a question, the game."""


@cache
def foot(language: Language, title: str, gm: str, address: str) -> tuple[str, Markup]:
    """Write the small print below a mail to a player, as text and as a row of the mail's table."""
    order = phrase(language, "frame.foot_order", title=title).strip()
    code = "frame.foot_rules" if title else "frame.foot_commands"
    url = mail_link(address, order, [order])
    link = _rows().leading_to(order, url)
    text = phrase(language, code, order=order, gm=gm)
    return f"\n{wrap(text)}\n", small_row(Markup(catalogue("mail", language)[code]).format(order=link, gm=gm))


def note(said: str) -> tuple[str, Markup]:
    """Write what stands above a whole mail, as text and as a row of the mail's table."""
    return f"{wrap(said)}\n\n", small_row(said)


def small_row(html: str) -> Markup:
    """Write a row of small print."""
    return Markup(_rows().small_row(html) if html else "")


def frame(language: str, title: str, preview: str, rows: Markup) -> str:
    """Put the HTML parts into one document. `preview` is what lists of mails show beside the subject."""
    template = _environment(True).get_template("mail/frame.html")
    return template.render(language=language, subject=title, preview=preview, rows=rows)
