"""Mails that several readers get at once: what they say alike is laid out once.

Nobody has to know what is the same for all, so nobody can be wrong about it. A template is read with what was found
equal for all its readers, and with nothing else: in place of what is a reader's own stand things that can only be
handed to a form, and each reader's own goes in there. Where a template asks for more, or readers differ in more, each
mail is written by itself.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn, TypeAlias

from markupsafe import Markup

from games.api import Grid, View, Wording
from gm.messages.outgoing import Draft, compose, filled_in
from gm.messages.rendering import templates
from gm.messages.rendering.html import Page
from gm.messages.rendering.plain_text import Plain
from gm.messages.rendering.templates import MARK, Forms, as_text
from gm.messages.rendering.wording import Speaker

Drawn: TypeAlias = dict[Hashable, tuple[Grid, str]]
"""Boards that were drawn, by their identity and whether they are the reader's; without their heads, by their cells."""
OWN: Final = ("block", "mailto")
"""What may differ between readers of a template. It goes into forms as it is."""


def write_all(drafts: Iterable[Draft]) -> list[dict[str, Any]]:
    """Write mails: the values of their rows, in this order."""
    common: list[_Common] = []
    return [filled_in(draft, *_composed(draft, common)) for draft in drafts]


def _composed(draft: Draft, common: list["_Common"]) -> tuple[str, str, str]:
    if draft.greet or len(draft.parts) != 1:
        return compose(draft.parts, draft.to, draft.greet)
    found = next((one for one in common if one.is_for(draft)), None)
    if found is None:
        found = _Common.of(draft)
        common.append(found)
    return found.composed(draft) or compose(draft.parts, draft.to, draft.greet)


class _Personal(Exception):  # noqa: N818  a way out of a template
    """Something was asked that readers have no common answer to."""


def _refuse(*_: Any) -> NoReturn:
    raise _Personal


@dataclass(frozen=True)
class _Own:
    """Stands for what is a reader's own: whether it is there is all that is known of it."""

    name: str
    is_there: bool

    def __bool__(self) -> bool:
        return self.is_there

    __str__ = __html__ = __iter__ = __len__ = __getitem__ = __contains__ = __add__ = __radd__ = _refuse


class _Everybody(Speaker):
    """Words texts for several readers: it has no seat of its own."""

    own = property(_refuse, lambda *_: None)


@dataclass(frozen=True, kw_only=True)
class _Form:
    """A form that a template has called for; as text and as HTML where these are the same for all."""

    name: str
    given: Sequence[Any]
    named: Mapping[str, Any]
    text: str | None
    page: str | None

    def filled(self, context: Mapping[str, Any]) -> Sequence[Any]:
        """Put a reader's own in its place."""
        return [context[one.name] if isinstance(one, _Own) else one for one in self.given]


class _CommonForms(Forms):
    """Lays out what is the same for all, and keeps the rest for each reader."""

    def __init__(self, speaker: Speaker) -> None:
        super().__init__(speaker)
        self.kept: list[_Form] = []

    def keep(self, form: str, given: Sequence[Any], named: Mapping[str, Any]) -> None:
        text = page = None
        if not any(isinstance(one, _Own) for one in given):
            text = _tried(getattr(self.plain, form), map(as_text, given), named)
            page = _tried(getattr(self.page, form), given, named)
        self.kept.append(_Form(name=form, given=given, named=named, text=text, page=page))


def _tried(form: Any, given: Iterable[Any], named: Mapping[str, Any]) -> str | None:
    try:
        return str(form(*given, **named))
    except _Personal:
        return None


@dataclass(frozen=True)
class _SharedPage(Page):
    """Draws a board once for all who see the same on it."""

    drawn: Drawn

    def _grid(self, grid: Grid) -> str:
        return self._once((id(grid), grid.seat == self.speaker.own), grid, super()._grid)

    def _rows(self, grid: Grid) -> str:
        return self._once((id(grid.cells), grid.rows, grid.columns), grid, super()._rows)

    def _once(self, key: Hashable, grid: Grid, draw: Callable[[Grid], str]) -> str:
        if key not in self.drawn:
            self.drawn[key] = (grid, draw(grid))  # held, or its id would be given to another one
        return self.drawn[key][1]


@dataclass(frozen=True, kw_only=True)
class _Common:
    """What the mails to some readers have in common: everything that they were found equal in, and what came of it."""

    first: Draft
    alike: Mapping[str, Any]
    wording: Wording
    is_personal: bool
    """A template has asked for more than is common."""
    subject: str = ""
    blanks: Sequence[str] = ()
    forms: Sequence[_Form] = ()
    before: str = ""
    after: str = ""
    """The document around the HTML part."""
    whole: tuple[str, str, str] | None = None
    """Subject, text and HTML where they are the same for all, as at the end of a game."""
    drawn: Drawn = field(default_factory=dict)

    @classmethod
    def of(cls, draft: Draft) -> "_Common":
        """Read the template for all who will be found equal to this one's reader."""
        (part,), language, alike = draft.parts, draft.to.language, _alike(draft.parts[0].context)
        own = part.speaker(language)
        speaker = _Everybody(language=language, wording=own.wording, names=own.names)
        forms = _CommonForms(speaker)
        try:
            subject = templates.subject(part.template, speaker, alike)
            blanks = templates.blanks(part.template, speaker, alike, forms)
        except _Personal:
            return cls(first=draft, alike=alike, wording=own.wording, is_personal=True)
        before, after = templates.frame(language, subject, Markup(MARK)).split(MARK)
        texts = [form.text for form in forms.kept if form.text is not None]
        pages = [form.page for form in forms.kept if form.page is not None]
        whole = None
        if len(texts) == len(pages) == len(forms.kept):
            text, html = templates.laid_out(blanks, texts, pages)
            whole = (subject, text, f"{before}{html}{after}")
        return cls(
            first=draft, alike=alike, wording=own.wording, is_personal=False, subject=subject, blanks=blanks,
            forms=forms.kept, before=before, after=after, whole=whole,
        )  # fmt: skip

    def is_for(self, draft: Draft) -> bool:
        """Say whether a reader is equal in all that the template was given."""
        (one,), (other,) = self.first.parts, draft.parts
        return (
            one.template == other.template
            and self.first.to.language == draft.to.language
            and one.engine is other.engine
            and one.names == other.names
            and one.context.keys() == other.context.keys()
            and self.alike == _alike(other.context)
        )

    def composed(self, draft: Draft) -> tuple[str, str, str] | None:
        """Put a reader's own into it: subject, text and HTML; None where that can't be done."""
        if self.is_personal or self.whole:
            return self.whole
        (part,) = draft.parts
        speaker = Speaker(language=draft.to.language, wording=self.wording, names=part.names, own=part.own)
        plain, page = Plain(speaker), _SharedPage(speaker, self.drawn)
        given = [form.filled(part.context) for form in self.forms]
        text, html = templates.laid_out(
            self.blanks,
            [
                getattr(plain, form.name)(*map(as_text, own), **form.named) if form.text is None else form.text
                for form, own in zip(self.forms, given, strict=True)
            ],
            [
                getattr(page, form.name)(*own, **form.named) if form.page is None else form.page
                for form, own in zip(self.forms, given, strict=True)
            ],
        )
        return self.subject, text, f"{self.before}{html}{self.after}"


def _alike(context: Mapping[str, Any]) -> dict[str, Any]:
    """Give what a template may know of a reader to share it with others."""
    common = {name: _Own(name, bool(value)) if name in OWN else value for name, value in context.items()}
    if isinstance(view := context.get("view"), View):
        common["view"] = View(headline=view.headline, sections=view.sections, how_to=view.how_to)
    return common
