"""Screenshots as golden files: how they are saved, and what may differ from them."""

from collections import Counter
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

# Fonts are the same everywhere (tests/fonts), but each Chromium places letters a little differently. In fractions of a
# pixel instead of whole ones, all pictures stay as high, and differ by 0.04 and 0.8 of what the next lines are about.
_HEIGHT = 0.01
"""A page may be so much higher or lower, as a share."""
_COLOURED = 0.6
"""So many pixels in a hundred may have a colour (not a grey) that they had not; that goldens have few costs 0.3."""
_BLOCKS, _BLOCK = 3, 20
"""Blocks of 20 by 20 px may differ so much in brightness (of 255), in the mean over the page."""
_COLOURS = 64
"""Enough for letters with soft edges, and a picture takes a tenth of its bytes."""


def save(picture: Image.Image, path: Path) -> None:
    """Write a golden picture in few bytes."""
    picture.quantize(_COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


def _coloured(picture: Image.Image) -> Counter[int]:
    """Count the pixels that are no greys: red (our yellow is), green, blue."""
    found: Counter[int] = Counter()
    for number, colour in picture.getcolors(1 << 20):
        if max(colour) - min(colour) > 24:
            found[colour.index(max(colour))] += number
    return found


def differences(expected: Image.Image, seen: Image.Image) -> list[str]:
    """Compare two pictures of a page with the tolerances above."""
    found = []
    if abs(seen.height / expected.height - 1) > _HEIGHT:
        found.append(f"{seen.height} px high instead of {expected.height}")
    one, other = _coloured(expected), _coloured(seen)
    share = 100 * sum(abs(one[part] - other[part]) for part in range(3)) / (expected.width * expected.height)
    if share > _COLOURED:
        found.append(f"{share:.1f} % of the pixels have another colour")
    size = (expected.width // _BLOCK, expected.height // _BLOCK)
    small = [picture.resize(size, Image.Resampling.BOX).convert("L") for picture in (expected, seen)]
    mean = ImageStat.Stat(ImageChops.difference(*small)).mean[0]
    if mean > _BLOCKS:
        found.append(f"blocks differ by {mean:.1f} in the mean")
    return found
