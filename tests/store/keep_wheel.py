"""Builds the wheel of this version and keeps it in `upgrades/`, where tests of later versions upgrade from it.

`make fixture-wheel` calls it. The wheel is complete except for its word list, more than half of its size: only words
of up to four letters are kept, in the same format.
"""

import hashlib
import json
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import marisa_trie

from release.build import ROOT, build

HERE = Path(__file__).parent
WORDS, FACTS = "german.words", "german.json"
LONGEST = 4
"""Letters of the longest word that is kept."""


def main() -> None:
    """Build, make smaller, and put it in the place of one of the same version."""
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder), "wheel")
        (wheel,) = Path(folder).glob("*.whl")
        kept = HERE / "upgrades" / wheel.name
        _write_smaller(wheel, kept)
    print(f"{kept.relative_to(ROOT)}: {kept.stat().st_size:,} bytes")


def _write_smaller(wheel: Path, kept: Path) -> None:
    with zipfile.ZipFile(wheel) as whole, zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as small:
        names = {Path(name).name: name for name in whole.namelist()}
        words, facts = _few_words(whole.read(names[WORDS]), json.loads(whole.read(names[FACTS])))
        other = {names[WORDS]: words, names[FACTS]: json.dumps(facts, ensure_ascii=False, indent=1).encode()}
        for file in whole.infolist():
            small.writestr(file, other.get(file.filename) or whole.read(file), zipfile.ZIP_DEFLATED)


def _few_words(data: bytes, facts: dict[str, Any]) -> tuple[bytes, dict[str, Any]]:
    """Take the short words out of the list's file: the trie, then two bytes for each word in its order."""
    count = facts["words"]
    kinds, spellings = data[-2 * count : -count], data[-count:]
    trie = marisa_trie.Trie().map(data)
    short = [word for word in trie if len(word) <= LONGEST]
    few = marisa_trie.Trie(short)
    order = [trie[few.restore_key(number)] for number in range(len(few))]
    both = [bytes(part[number] for number in order) for part in (kinds, spellings)]
    made = few.tobytes() + b"".join(both)
    return made, {**facts, "words": len(order), "sha256": hashlib.sha256(made).hexdigest()}


if __name__ == "__main__":
    main()
