"""Damaged graph files: success or an error of apsp, also when what was read is used."""

from __future__ import annotations

import random
import tempfile
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

import apsp
from apsp.graph.files.formats import known_formats
from torture.damage import damaged
from torture.memory import with_memory_limit
from torture.samples import graph_files

__all__ = ["run"]

SUFFIXES = (".gr", ".mtx", ".csv", ".graphml", ".gml", ".npz", ".txt", ".net")


@with_memory_limit
def run(seed: int, options: dict[str, Any], counts: Counter[str]) -> dict[str, Any] | None:
    """Damage a file, read it, use what comes out."""
    rng = random.Random(seed)
    samples = graph_files()
    name = rng.choice(list(samples))
    data = damaged(samples[name], rng, list(samples.values()))
    asked = _options(rng)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / (name if rng.random() < 0.8 else rng.choice(("file", "x" + rng.choice(SUFFIXES))))
        path.write_bytes(data)
        counts["files"] += 1
        try:
            graph = apsp.read(path, **asked)
            counts["read"] += 1
            counts[f"format {''.join(Path(name).suffixes) or name}"] += 1
            _use(graph, Path(folder), rng)
            counts["used"] += 1
        except apsp.ApspError as error:
            counts[f"refusals {type(error).__name__}"] += 1
        except apsp_warnings():
            counts["warnings"] += 1
        except Exception as error:
            return {
                "what": "foreign", "where": f"read {''.join(Path(name).suffixes)} {type(error).__name__}",
                "words": f"{name} with {asked}: {type(error).__name__}: {error}"[:2000],
                "trace": traceback.format_exc(), "bytes": data.hex() if len(data) < 20_000 else None,
            }  # fmt: skip
    return None


def apsp_warnings() -> tuple[type[Warning], ...]:
    """The categories of warnings that apsp gives on purpose (warnings are errors here)."""
    from apsp import errors

    return tuple(
        value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, Warning)
    )  # fmt: skip


def _options(rng: random.Random) -> dict[str, Any]:
    asked: dict[str, Any] = {}
    if rng.random() < 0.1:
        asked["format"] = rng.choice(known_formats())
    if rng.random() < 0.15:
        asked["directed"] = rng.random() < 0.5
    if rng.random() < 0.05:
        asked["cost"] = rng.choice(("weight", "length", "capacity", ""))
    if rng.random() < 0.05:
        asked["absent"] = rng.choice((0, -1, float("inf")))
    return asked


def _use(graph: apsp.Graph, folder: Path, rng: random.Random) -> None:
    """Check it again, solve a row, and take it through another file."""
    again = apsp.Graph(graph.indptr, graph.indices, graph.weights, directed=graph.directed)
    assert (again.n, again.m) == (graph.n, graph.m)
    repr(graph)
    if 0 < graph.n <= 5000 and graph.m <= 100_000:
        first = next(iter(graph.labels)) if hasattr(graph, "labels") and graph.labels is not None else 0
        apsp.solve(graph, sources=[first], threads=1)
        apsp.reachable(graph) if graph.n <= 1000 else None
        path = folder / f"again{rng.choice(SUFFIXES)}"
        apsp.write(graph, path)
        back = apsp.read(path)
        if path.suffix == ".npz":
            assert (back.n, back.m) == (graph.n, graph.m), "the graph came back otherwise"
