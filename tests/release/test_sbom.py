"""The bill of materials says what the locks pin, in CycloneDX, and all of it may be given on with gm."""

import json
import re
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from cyclonedx.schema import _res as schemas
from license_expression import get_spdx_licensing
from referencing import Registry, Resource

from release.build import ROOT
from release.locks import pinned
from release.sbom import LOCKS, bill, main, written_licences

pytestmark = pytest.mark.sqlite

MAY = {
    "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "GPL-2.0-or-later", "GPL-3.0-or-later", "ISC", "LGPL-2.1-only",
    "LGPL-2.1-or-later",
    "LGPL-3.0-only", "MIT", "MIT-0", "MIT-CMU", "MPL-2.0", "PSF-2.0",
}  # fmt: skip
"""Licences that go with GPL-3.0-or-later, by the list of the Free Software Foundation."""
LICENSING = get_spdx_licensing()


def may(expression: str) -> bool:
    """Whether something may be given on with gm: one licence of an OR is enough."""
    parsed = LICENSING.parse(expression, validate=True)
    known = {one: LICENSING.TRUE if one.key in MAY else LICENSING.FALSE for one in parsed.symbols}
    return bool(parsed.subs(known, simplify=True) == LICENSING.TRUE)


@pytest.fixture(params=LOCKS)
def lock(request: pytest.FixtureRequest) -> Path:
    """Each of the locks."""
    return Path(ROOT / request.param)


def schema() -> tuple[Any, Registry[Any]]:
    """CycloneDX's own schema, and those that it refers to."""
    folder = Path(str(schemas.__file__)).parent
    read = {path.name: json.loads(path.read_text()) for path in folder.glob("*.schema.json")}
    named = {name.replace(".SNAPSHOT", ""): one for name, one in read.items()}
    ours = named["bom-1.6.schema.json"]
    base = ours["$id"].rpartition("/")[0]
    return ours, Registry().with_resources(
        (f"{base}/{name}", Resource.from_contents({**one, "$id": f"{base}/{name}"})) for name, one in named.items()
    )


def test_it_is_cyclonedx(lock: Path) -> None:
    """The schema of CycloneDX 1.6 takes it, and refuses it when something is amiss."""
    form, registry = schema()
    checker = jsonschema.Draft7Validator(form, registry=registry)
    found = bill(lock)
    checker.validate(found)
    for wrong in ({"bomFormat": "other"}, {"components": [{"type": "library"}]}, {"serialNumber": "1"}):
        assert not checker.is_valid({**found, **wrong})


def test_it_says_what_the_lock_pins(lock: Path) -> None:
    """Every package with its version and checksums, none besides; at the top those that pyproject.toml asks for."""
    found, text = bill(lock), lock.read_text()
    held = [f"{one['name']}=={one['version']}" for one in found["components"]]
    assert held == re.findall(r"^[\w.-]+==[\w.]+", text, re.MULTILINE)
    sums = [one["content"] for each in found["components"] for one in each["hashes"]]
    assert sums == re.findall(r"--hash=sha256:(\w+)", text)
    (tops,) = found["dependencies"]
    assert {"imapclient", "sqlmodel", "alembic"} <= {one.split("/")[1].split("@")[0] for one in tops["dependsOn"]}
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert found["metadata"]["component"]["version"] == version


def test_every_licence_goes_with_ours(lock: Path) -> None:
    """Whoever gives gm on with its packages, as an image or a disk, may do so under GPL-3.0-or-later."""
    licences = {one["name"]: one["licenses"][0]["expression"] for one in bill(lock)["components"]}
    assert {name: said for name, said in licences.items() if not may(said)} == {}


@pytest.mark.parametrize(
    ("said", "good"),
    [("MIT", True), ("GPL-2.0-only", False), ("GPL-2.0-only OR MIT", True), ("MIT AND BUSL-1.1", False),
     ("MIT AND (CDDL-1.0 OR LGPL-2.1-or-later)", True)],
)  # fmt: skip
def test_the_check_of_licences_can_fail(said: str, good: bool) -> None:
    """It knows which of several licences are enough."""
    assert may(said) == good


def test_licences_are_the_same_on_every_machine() -> None:
    """What isn't installed everywhere is written down; nothing is that a package tells itself, and otherwise."""
    packages = {one.name: one for name in LOCKS for one in pinned(ROOT / name)}
    assert {one.name for one in packages.values() if one.where} <= written_licences().keys() <= packages.keys()
    for name, written in written_licences().items():
        try:
            told = metadata.metadata(name).json.get("license_expression")
        except metadata.PackageNotFoundError:
            continue
        assert told in (None, written), name


def test_both_are_written_the_same_each_time(tmp_path: Path) -> None:
    """`make sbom` twice gives the same bytes."""
    for folder in ("one", "two"):
        main(tmp_path / folder)
    for name in LOCKS.values():
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
