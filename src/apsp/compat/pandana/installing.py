"""Modules of this package under the names of those of pandana, for programs that import pandana."""

from __future__ import annotations

import sys
import types

from apsp.errors import RequestError

__all__ = ["put", "take_away"]


def put(modules: dict[str, types.ModuleType]) -> None:
    """Make modules importable by their names: all, or none if pandana itself is loaded."""
    for name, module in modules.items():
        if sys.modules.get(name, module) is not module:
            raise RequestError(f"{name} is imported already: call apsp.pandana.install() before its first import")
    sys.modules.update(modules)


def take_away(modules: dict[str, types.ModuleType]) -> None:
    """Undo `put`: a later import finds pandana itself, if it is installed."""
    for name, module in modules.items():
        if sys.modules.get(name) is module:
            del sys.modules[name]
