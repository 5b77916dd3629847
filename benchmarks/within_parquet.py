"""A billion pairs into one Parquet file: python -m benchmarks.within_parquet [--quick] [--write FILE].

A generated city, the cutoff with which a vertex has about a thousand others near it, and all pairs with their next
hops. One run, alone in its process: wall seconds, seconds of all cores, bytes on disk, and the largest memory of the
process before and after. Some sources are read back and compared with searches from each of them alone.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as parquet

import apsp
from benchmarks.harness import environment

N, CUTOFF, SAMPLED = 1_000_000, 253, 20
FEW = 20_000
"""Vertices of a quick run."""


def peak() -> float:
    """The largest memory of the process so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def check(city: apsp.Graph, place: Path) -> None:
    """Compare the rows of some sources with those of SciPy's Dijkstra; next hops begin shortest paths."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    matrix: Any = csr_array((city.arc_weights(np.float64), city.indices, city.indptr), shape=(city.n, city.n))
    for source in np.random.default_rng(0).choice(city.n, SAMPLED, replace=False).tolist():
        rows = parquet.read_table(place, filters=[("source", "==", source)]).to_pydict()
        heads = city.indices[city.indptr[source] : city.indptr[source + 1]]
        lengths = city.arc_weights(np.int64)[city.indptr[source] : city.indptr[source + 1]]
        row, *others = dijkstra(matrix, indices=[source, *heads], limit=CUTOFF)
        assert sorted(rows["target"]) == np.flatnonzero(np.isfinite(row)).tolist()
        assert rows["distance"] == row[rows["target"]].tolist() == sorted(rows["distance"])
        through = {head: length + other for head, length, other in zip(heads.tolist(), lengths, others, strict=True)}
        for target, hop in zip(rows["target"], rows["next_hop"], strict=True):
            assert hop is None if target == source else through[hop][target] == row[target]


def main() -> None:
    """Run it, print it, and write JSON if requested."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.within_parquet", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small city, to see that everything runs")
    parser.add_argument("--write", type=Path, help="file for the results as JSON")
    parser.add_argument("--folder", type=Path, help="where the Parquet file goes, which is deleted")
    options = parser.parse_args()
    city = apsp.generate("city", FEW if options.quick else N, seed=1)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        place, before, load = Path(folder) / "pairs.parquet", peak(), os.getloadavg()[0]
        wall, cores = time.perf_counter(), time.process_time()
        apsp.stream_within(city, CUTOFF, next_hop=True).write(place)
        wall, cores = time.perf_counter() - wall, time.process_time() - cores
        after, pairs = peak(), parquet.read_metadata(place).num_rows
        row = {
            "what": "city", "n": city.n, "m": city.m, "cutoff": CUTOFF, "pairs": pairs,
            "wall seconds": round(wall, 1), "seconds of all cores": round(cores, 1),
            "nanoseconds of cores per pair": round(1e9 * cores / pairs, 1),
            "bytes per pair": round(place.stat().st_size / pairs, 3),
            "peak memory, MiB": round(after), "of these before, MiB": round(before),
            "processes that ran or waited on the machine": [round(load, 1), round(os.getloadavg()[0], 1)],
        }  # fmt: skip
        check(city, place)
    row["verified"] = True
    print(json.dumps(row, indent=1))
    if options.write is not None:
        results = {"environment": environment("python -m benchmarks.within_parquet"), "rows": [row]}
        options.write.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
