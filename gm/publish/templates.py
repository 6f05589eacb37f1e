"""Rendering a mail: one body template a language, written once as text and once as HTML.

A body template calls `write.p`, `write.grids` and so on; `write` is `Plain` for the text part and the macros of
`templates/mail/forms.html` for the other. So the two parts can't say different things.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from gm.publish.plain import Plain, number_columns, short_name
from gm.publish.wording import Speaker

LABELS = {
    "de": {"own": " (du)", "board": "Raster", "table": "Wertung"},
    "en": {"own": " (you)", "board": "Grid", "table": "Score"},
}
"""What HTML adds: whose board is the reader's, and captions where the game gives none."""


@cache
def _environment(html: bool) -> Environment:
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
    environment.filters["short_name"] = short_name
    environment.filters["number_columns"] = number_columns
    return environment


def subject(name: str, speaker: Speaker, context: Mapping[str, Any]) -> str:
    """Render the subject of a mail: one line."""
    template = _environment(False).get_template(f"mail/{name}/subject.{speaker.language}.txt")
    return " ".join(template.render(context, speaker=speaker).split())


def body_text(name: str, speaker: Speaker, context: Mapping[str, Any]) -> str:
    """Render the text part of a mail (or of one answer in a mail)."""
    template = _environment(False).get_template(f"mail/{name}/body.{speaker.language}.txt")
    text = template.render(context, write=Plain(speaker), speaker=speaker)
    return re.sub(r"\n\s*\n(?=\n)", "\n", text).strip("\n") + "\n"


def body_html(name: str, speaker: Speaker, context: Mapping[str, Any]) -> Markup:
    """Render the same for the HTML part, without the frame."""
    environment = _environment(True)
    forms = environment.get_template("mail/forms.html").make_module(
        {"speaker": speaker, "labels": LABELS[speaker.language]}
    )
    template = environment.get_template(f"mail/{name}/body.{speaker.language}.txt")
    return Markup(template.render(context, write=forms, speaker=speaker).strip())


def frame(language: str, title: str, content: Markup) -> str:
    """Put the HTML parts into one document."""
    template = _environment(True).get_template("mail/frame.html")
    return template.render(language=language, subject=title, content=content)
