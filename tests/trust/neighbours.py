"""Tests and conftests of other folders, which have no name to import; helpers have one (pyproject.toml: pythonpath)."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def neighbour(name: str) -> ModuleType:
    """Load a module below tests/, once for all who ask: `servers/proxy`."""
    key = f"neighbour_{name.replace('/', '_')}"
    if key not in sys.modules:
        spec = importlib.util.spec_from_file_location(key, Path(__file__).parents[1] / f"{name}.py")
        assert spec
        assert spec.loader
        sys.modules[key] = importlib.util.module_from_spec(spec)  # dataclasses look their own module up
        spec.loader.exec_module(sys.modules[key])
    return sys.modules[key]
