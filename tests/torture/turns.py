"""Small graphs with turns of all kinds, against a search on their links: distances, paths, oracles, updates,
isochrones, places (also in oracles, isochrones, files and stores), and skims.
"""

from __future__ import annotations

import tempfile
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from turns_places_truth import check_isochrones_of_places, check_oracle_of_places, check_places, check_saved_places
from turns_truth import Case, check, check_isochrones, check_oracle, check_skims, random_case

__all__ = ["run"]


def run(seed: int, options: dict[str, Any], counts: Counter[str]) -> dict[str, Any] | None:
    """Draw a graph with turns, and compare."""
    case = random_case(np.random.default_rng(seed))
    case.dtype = ("int64", "float64", "float32")[seed % 3]
    try:
        turned = case.turned()
        counts["graphs with copies"] += turned.expanded.n > case.n
        counts["paths"] += check(case, turned, seed)
        if seed % 4 == 1:
            counts["arcs of isochrones"] += check_isochrones(case, turned, np.random.default_rng(seed))
        if seed % 4 == 3:
            counts["pairs of skims"] += check_skims(case, turned, np.random.default_rng(seed))
        if seed % 4 == 2:
            _check_places(case, turned, seed, counts)
        if seed % 4 == 0:
            with tempfile.TemporaryDirectory() as folder:
                counts.update(check_oracle(case, turned, np.random.default_rng(seed), Path(folder)))
    except AssertionError as error:
        return {"what": "wrong", "where": f"turns {error}"[:60], "words": f"{error}: {case!r}"[:3000]}
    except apsp.ApspError as error:
        return {"what": "refused", "where": "turns", "words": f"{error}: {case!r}"[:3000]}
    except Exception:
        return {"what": "foreign", "where": "turns", "words": f"{traceback.format_exc()}: {case!r}"[:3000]}
    return None


def _check_places(case: Case, turned: apsp.TurnGraph, seed: int, counts: Counter[str]) -> None:
    rng = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory() as folder:
        if seed % 16 == 2:
            counts["pairs of places"] += check_places(case, turned, rng)
        elif seed % 16 == 6:
            counts.update(check_oracle_of_places(case, turned, rng, Path(folder)))
        elif seed % 16 == 10:
            counts["arcs of isochrones of places"] += check_isochrones_of_places(case, turned, rng)
        else:
            counts["saved paths of places"] += check_saved_places(case, turned, rng, Path(folder))
