"""The constants of the cost model: shipped for each instruction set, or measured on this machine by `apsp tune`."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from apsp.system.cache import cache_folder, write_whole

__all__ = ["SCHEMA", "Constants", "load_constants", "save_tuned", "shipped_constants", "sibling_of", "tuned_path"]

SCHEMA = 2
"""Version of the meaning of the constants; a tuned file of another version is ignored."""

Values = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Constants:
    """Seconds on one core, by method and name.

    Attributes
    ----------
    values : dict
        values[method][name] -> seconds; what each multiplies is described in `apsp.planning.cost`.
    origin : str
        Their origin, as text.
    note : str or None
        Why a tuned file was ignored, if one was.
    """

    values: Mapping[str, Mapping[str, float]]
    origin: str
    note: str | None = None


def tuned_path() -> Path:
    """Return the file that `apsp tune` writes, in the user's cache folder."""
    return cache_folder() / "tuned.json"


def shipped_constants(isa: str) -> Constants:
    """Return the constants shipped for an instruction set (an unknown one is treated as 'baseline')."""
    table = _shipped()
    known = isa if isa in table else "baseline"
    return Constants(table[known], f"constants shipped for {known}; `apsp tune` measures this machine")


@functools.cache
def _shipped() -> dict[str, Values]:
    text = resources.files("apsp.facts").joinpath("constants.json").read_text(encoding="utf-8")
    table: dict[str, Values] = json.loads(text)["isa"]
    return table


def load_constants(isa: str, path: Path | None = None) -> Constants:
    """Return the constants to plan with: the shipped ones, overridden by a valid tuned file.

    A corrupt or stale file is not an error: it is ignored, with a note.

    Parameters
    ----------
    isa : str
        Instruction set in force.
    path : Path, optional
        Of the tuned file; default `tuned_path()`.
    """
    shipped = shipped_constants(isa)
    try:
        path = tuned_path() if path is None else path
        tuned = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError, RuntimeError):  # RuntimeError: there is no home folder
        return shipped
    except (OSError, ValueError) as error:
        return _ignoring(shipped, path, f"it cannot be read ({error})")
    problem = _problem(tuned, isa)
    if problem is not None:
        return _ignoring(shipped, path, problem)
    merged = {method: dict(values) for method, values in shipped.values.items()}
    for method, values in tuned["values"].items():
        merged.setdefault(method, {}).update(values)
    return Constants(merged, f"constants measured on this machine on {tuned['date']} ({path})")


def save_tuned(values: Values, isa: str, date: str, path: Path | None = None) -> Path:
    """Write measured constants so that a reader sees the old file or the new one, never a part.

    Raises
    ------
    OutputError
        If the file cannot be written.
    """
    path = tuned_path() if path is None else path
    text = json.dumps({"schema": SCHEMA, "isa": isa, "date": date, "values": values}, indent=1)
    write_whole(path, text, "the measured constants")
    return path


def _ignoring(shipped: Constants, path: Path | None, why: str) -> Constants:
    note = f"{path or 'the file of measured constants'} was ignored: {why}; run `apsp tune` again"
    return Constants(shipped.values, shipped.origin, note)


def _problem(tuned: Any, isa: str) -> str | None:
    """Return why the content of a tuned file cannot be used; None if it can."""
    if (
        not isinstance(tuned, dict)
        or not isinstance(tuned.get("values"), dict)
        or not isinstance(tuned.get("date"), str)
    ):
        return "it is not a file of measured constants"
    if tuned.get("schema") != SCHEMA:
        return "another version of apsp wrote it"
    if tuned.get("isa") != isa:
        return f"it was measured with {tuned.get('isa')} kernels, and {isa} kernels are in force"
    for method, values in tuned["values"].items():
        if not isinstance(values, dict):
            return f"{method!r} holds no constants"
        for name, value in values.items():
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not math.isfinite(value) or value < 0:
                return f"{method!r}, {name!r} is not a number of seconds"
    return None


def sibling_of(name: str, constants: Constants) -> float:
    """Return what the second thread of a core adds to a method, as a share of a core."""
    everywhere = constants.values.get("threads", {}).get("sibling", 1.0)
    return constants.values.get(name, {}).get("sibling", everywhere)
