"""Writes what the locks pin as a bill of materials (CycloneDX): names, versions, checksums, licences.

`make sbom` calls it, for both locks. The same locks give the same bytes at the same commit, on any machine and Python.
"""

import json
import re
import sys
import tomllib
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from license_expression import get_spdx_licensing

from release.build import ROOT, time_of
from release.locks import Pinned, pinned

LOCKS: Final = {"requirements.lock": "sbom.cdx.json", "requirements-dev.lock": "sbom-dev.cdx.json"}
"""Each lock with its bill: what the service runs with, and beside that the extras and the tools of development."""
LICENCES: Final = Path(__file__).with_name("licences.toml")


@cache
def written_licences() -> dict[str, str]:
    """Read the licences that packages don't tell by an SPDX expression, as somebody has read them."""
    return dict(tomllib.loads(LICENCES.read_text(encoding="utf-8")))


def licence(name: str) -> str:
    """Give a package's licence as an SPDX expression, of our own file or of what is installed.

    Ends with a sentence where neither has it.
    """
    if known := written_licences().get(name):
        return known
    try:
        about = metadata.metadata(name).json
    except metadata.PackageNotFoundError:
        sys.exit(f"{name} isn't installed here; write its licence into {LICENCES.relative_to(ROOT)}.")
    told = about.get("license_expression") or about.get("license")
    if told not in _known_licences() and "license_expression" not in about:
        sys.exit(f"{name} doesn't tell its licence; read it, and write it into {LICENCES.relative_to(ROOT)}.")
    return str(told)


@cache
def _known_licences() -> frozenset[str]:
    return frozenset(get_spdx_licensing().known_symbols)


def bill(lock: Path, root: Path = ROOT) -> dict[str, Any]:
    """Make the bill of a lock."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    about, packages = project["project"], list(pinned(lock))
    asked = [*about["dependencies"], *(project["dependency-groups"]["dev"] if "dev" in lock.name else ())]
    direct = {_normal(re.split(r"[\s\[<>=!~;]", one)[0]) for one in asked}
    ours = _reference(about["name"], about["version"])
    found = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(time_of(root), UTC).isoformat(),
            "component": {
                "type": "application", "bom-ref": ours, "name": about["name"], "version": about["version"],
                "description": about["description"], "licenses": [{"expression": about["license"]}], "purl": ours,
            },
        },
        "components": [_component(one) for one in packages],
        "dependencies": [{
            "ref": ours, "dependsOn": [_reference(one.name, one.version) for one in packages if one.name in direct],
        }],
    }  # fmt: skip
    return {**found, "serialNumber": uuid5(NAMESPACE_URL, json.dumps(found)).urn}


def _component(one: Pinned) -> dict[str, Any]:
    reference = _reference(one.name, one.version)
    found = {
        "type": "library", "bom-ref": reference, "name": one.name, "version": one.version,
        "licenses": [{"expression": licence(one.name)}], "purl": reference,
        "hashes": [{"alg": "SHA-256", "content": content} for content in one.hashes],
    }  # fmt: skip
    return {**found, "properties": [{"name": "gm:only where", "value": one.where}]} if one.where else found


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _reference(name: str, version: str) -> str:
    return f"pkg:pypi/{name}@{version}"


def main(folder: Path) -> None:
    """Write the bills of both locks into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for lock, name in LOCKS.items():
        found = bill(ROOT / lock)
        (folder / name).write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"{folder / name}: {len(found['components'])} packages")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
