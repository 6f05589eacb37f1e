"""The pages of the kinds of games: rules, how to write a move, and links to games."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from games import AnyEngine, engines
from games.api import LANGUAGES, Language
from gm.archive.game_pages.rounds import DrawnPart, draw_parts
from gm.archive.layout import phrase
from gm.archive.list_context import ListContext, Page, html
from gm.archive.list_pages.games import folder
from gm.archive.record.public_wording import PublicSpeaker
from gm.drawing import svg
from gm.messages.rendering.rules_page import Piece, rules_page
from gm.messages.sentences import SENTENCES

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_])")


def pages(context: ListContext) -> Iterator[Page]:
    """Make the page of all kinds of games, and those of each, in both languages."""
    known = sorted(engines().values(), key=lambda engine: (engine.rules.title.casefold(), engine.rules.key))
    yield html(context, "spiele/index.html", "kinds.html", partial(_kinds, context, known))
    for engine in known:
        own = context.language
        for language in sorted(LANGUAGES, key=lambda one: one != own):
            values = partial(_rules, context, engine, language)
            yield html(context, _path(context, engine, language), "rules.html", values, language)


def _kinds(context: ListContext, known: Sequence[AnyEngine]) -> dict[str, Any]:
    return {"rows": [_row(context, engine) | _told(engine, context.language) for engine in known]}


def _told(engine: AnyEngine, language: Language) -> dict[str, Any]:
    """Tell a kind of game in a sentence and a small board."""
    texts = (piece.text for piece in rules_page(engine, language) if piece.kind == "p")
    shown = _example(engine, language)
    boards = shown.part.boards if shown else ()
    return {"about": _SENTENCE_END.split(next(texts, ""))[0], "mini": svg.mini(boards[0]) if boards else ""}


def _path(context: ListContext, engine: AnyEngine, language: Language) -> str:
    below = "" if language == context.language else f"{language}/"
    return f"spiele/{engine.rules.key}/{below}index.html"


def _row(context: ListContext, engine: AnyEngine) -> dict[str, Any]:
    rules = engine.rules
    played = sum(game.kind == rules.key for game in context.games.over)
    return {
        "title": rules.title, "key": rules.key, "seats": rules.seats, "rounds": rules.rounds, "unit": rules.unit,
        "played": played,
    }  # fmt: skip


def _rules(context: ListContext, engine: AnyEngine, language: Language) -> dict[str, Any]:
    rules, pieces = engine.rules, rules_page(engine, language)
    aim = _length_of_aim(pieces)
    return {
        "kind": rules.key, "title": rules.title, "seats": rules.seats, "rounds": rules.rounds, "unit": rules.unit,
        "aim": pieces[:aim], "pieces": pieces[aim:],
        "example": _example(engine, language), **_links(context, engine, language),
    }  # fmt: skip


def _length_of_aim(pieces: Sequence[Piece]) -> int:
    """Count the pieces before the example: the first lines, and the first section if it has nothing but sentences."""
    headings = [at for at, piece in enumerate(pieces) if piece.kind == "h"]
    first, second = (*headings, len(pieces), len(pieces))[:2]
    return second if all(piece.kind == "p" for piece in pieces[first + 1 : second]) else first


def _example(engine: AnyEngine, language: Language) -> DrawnPart | None:
    """Draw the example that the game's author wrote down."""
    section = engine.rules.example
    if section is None:
        return None
    speaker = PublicSpeaker(language=language, wording={**SENTENCES, **engine.wording}, names={})
    return draw_parts([speaker.part(section)], phrase(language, "EXAMPLE"), language)[0]


def _links(context: ListContext, engine: AnyEngine, language: Language) -> dict[str, Any]:
    rules = engine.rules
    years = sorted({game.year for game in context.games.over if game.kind == rules.key}, reverse=True)
    return {
        "years": tuple((year, folder(year, rules.key)) for year in years),
        "running": tuple(
            {"name": game.name, "slug": game.slug} for game in context.games.running if game.kind == rules.key
        ),
        "has_results": any(game.kind == rules.key and game.status != "aborted" for game in context.games.over),
        "others": tuple(
            (other, _path(context, engine, other)) for other in LANGUAGES if other != language
        ),
    }  # fmt: skip
