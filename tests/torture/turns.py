"""Small graphs with turns of all kinds, against a search on their links: distances, paths, oracles, updates,
isochrones, places, and skims.
"""

from __future__ import annotations

import tempfile
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from turns_places_truth import check_places
from turns_truth import check, check_isochrones, check_oracle, check_skims, random_case

__all__ = ["run"]


def run(seed: int, options: dict[str, Any], counts: Counter[str]) -> dict[str, Any] | None:
    """Draw a graph with turns, and compare."""
    case = random_case(np.random.default_rng(seed))
    try:
        turned = case.turned()
        counts["graphs with copies"] += turned.expanded.n > case.n
        counts["paths"] += check(case, turned, seed)
        if seed % 4 == 1:
            counts["arcs of isochrones"] += check_isochrones(case, turned, np.random.default_rng(seed))
        if seed % 4 == 3:
            counts["pairs of skims"] += check_skims(case, turned, np.random.default_rng(seed))
        if seed % 4 == 2:
            counts["pairs of places"] += check_places(case, turned, np.random.default_rng(seed))
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
