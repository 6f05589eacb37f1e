"""Rendering a mail: one body template a language, read once and laid out as text and as HTML.

A body template consists of calls of forms: `write.p`, `write.grids` and so on. Each form is written twice, by `Plain`
for the text part and by `Page` for the HTML part. So the two parts can't say different things.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from gm.messages.rendering.html import Page
from gm.messages.rendering.plain_text import Plain
from gm.messages.rendering.wording import Speaker

if TYPE_CHECKING:
    from jinja2 import Environment

MARK: Final = "\0"
"""Stands for a form in the output of a template."""


@cache
def _environment(html: bool) -> "Environment":
    # Loaded when the first mail is written: a command that shows something writes none.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("templates", ""),
        autoescape=html,
        undefined=StrictUndefined,
        auto_reload=False,  # templates change with a new version only: no look at the file for every mail
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["speak"] = lambda text, speaker: speaker.say(text)
    environment.filters["named"] = lambda seat, speaker: speaker.name(seat)
    return environment


def subject(name: str, speaker: Speaker, context: Mapping[str, Any]) -> str:
    """Render the subject of a mail: one line."""
    template = _environment(False).get_template(f"mail/{name}/subject.{speaker.language}.txt")
    return " ".join(template.render(context, speaker=speaker).split())


def body(name: str, speaker: Speaker, context: Mapping[str, Any]) -> tuple[str, Markup]:
    """Render a mail (or one of its answers) as text, and as HTML without the frame."""
    template = _environment(True).get_template(f"mail/{name}/body.{speaker.language}.txt")
    forms = Forms(speaker)
    between = str(template.render(context, write=forms, speaker=speaker)).split(MARK)
    text = "".join(form + blank for form, blank in zip(["", *forms.texts], between, strict=True))
    html = "".join(form + blank for form, blank in zip(["", *forms.pages], between, strict=True))
    return re.sub(r"\n\s*\n(?=\n)", "\n", text).strip("\n") + "\n", Markup(html.strip())


class Forms:
    """The `write` of body templates: keeps each form as text and as HTML, and leaves a mark in its place."""

    def __init__(self, speaker: Speaker) -> None:
        self.plain, self.page = Plain(speaker), Page(speaker)
        self.texts: list[str] = []
        self.pages: list[str] = []

    def p(self, caller: Callable[[], str]) -> str:
        """Write a paragraph; the template passes it as HTML."""
        self.keep("p", [Markup(caller())], {})
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
        given = str(given)
        if "&" in given:
            for entity, sign in _ENTITIES.items():
                given = given.replace(entity, sign)
        return given
    return [as_text(one) for one in given] if isinstance(given, list | tuple) else given


_ENTITIES: Final = {"&lt;": "<", "&gt;": ">", "&#39;": "'", "&#34;": '"', "&amp;": "&"}
"""All that templates escape. The ampersand comes last, as it was escaped first."""


def frame(language: str, title: str, content: Markup) -> str:
    """Put the HTML parts into one document."""
    template = _environment(True).get_template("mail/frame.html")
    return template.render(language=language, subject=title, content=content)
