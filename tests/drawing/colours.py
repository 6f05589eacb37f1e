"""Colours as tests measure them: brightness and contrast (WCAG 2), and the colour that a dark mode makes of one."""

import colorsys

Colour = str | tuple[int, ...]
"""`#1a1a1a`, or red, green and blue up to 255."""


def parts_of(colour: Colour) -> list[float]:
    """Return red, green and blue, each up to 1."""
    found = [int(colour[at : at + 2], 16) for at in (1, 3, 5)] if isinstance(colour, str) else colour[:3]
    return [part / 255 for part in found]


def brightness(colour: Colour) -> float:
    """Return the relative luminance of a colour, from 0 to 1."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts_of(colour)]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


def inverted(colour: str) -> str:
    """Return a colour as programs show it that force dark mode: the same hue, as light as this one is dark."""
    red, green, blue = parts_of(colour)
    hue, lightness, saturation = colorsys.rgb_to_hls(red, green, blue)
    return "#" + "".join(f"{round(part * 255):02x}" for part in colorsys.hls_to_rgb(hue, 1 - lightness, saturation))
