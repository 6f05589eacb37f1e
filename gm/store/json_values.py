"""Turns values of engines into JSON and back, as the engine's own types say."""

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from games.api import Event


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def encode(kind: Any, value: object) -> Any:
    """Turn a value of an engine's type into plain JSON."""
    return _adapter(kind).dump_python(value, mode="json")


def decode(kind: Any, plain: Any) -> Any:
    """Turn plain JSON back into the value. Raises pydantic.ValidationError where it doesn't fit."""
    return _adapter(kind).validate_python(plain)


def encode_events(events: tuple[Event, ...]) -> Any:
    """Turn events into plain JSON."""
    return _adapter(tuple[Event, ...]).dump_python(events, mode="json")


def decode_events(plain: Any) -> tuple[Event, ...]:
    """Turn plain JSON back into events."""
    events: tuple[Event, ...] = _adapter(tuple[Event, ...]).validate_python(plain)
    return events
