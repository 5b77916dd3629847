"""The tables of the GPU benchmarks, from their committed JSON files: a column for every fact that their rows have."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

TITLES = {
    "gpu_dense": "One GPU",
    "gpu_peers": "Beside other programs on one GPU",
    "gpu_strips": "Larger than device memory, and several GPUs",
    "gpu_spmd": "Processes with one GPU each",
    "gpu_spmd_two_h200": "Two processes with one H200 each",
    "gpu_spmd_h100": "Two processes with one H100 each",
    "gpu_batch": "Many small graphs",
    "gpu_product": "Products over semirings",
    "gpu_closure": "Transitive closure",
    "gpu_sparse": "Sparse graphs",
    "gpu_elimination": "Grids and roads",
    "gpu_sources": "Sources shared between GPUs",
    "gpu_engines": "Stores and processes with one GPU each",
    "gpu_engines_one_h200": "Stores and processes on one GPU, and first calls",
    "gpu_nearest": "The k nearest vertices",
    "gpu_extremes": "Diameter and radius from few searches",
    "gpu_betweenness": "Betweenness in hops",
    "gpu_accessibility": "Accessibility",
    "gpu_within": "Pairs within a cutoff",
    "gpu_places": "Distances between points of a map",
    "gpu_skims": "Skims",
    "gpu_changes": "Changed weights and periods of an oracle",
}
"""The files, in the order of the page."""

TARGETS: dict[tuple[Any, Any, Any], str] = {
    ("update, depth 512", 16384, "float32+"): "18 T",
    ("update, depth 512", 16384, "float32"): "13.5 T",
    ("update, depth 512", 16384, "int32"): "15.5 T",
    ("update, depth 512", 16384, "uint16"): "28 T",
    ("update, depth 512", 16384, "float64"): "4 T",
    ("Floyd-Warshall", 1024, "float32+"): "0.5 ms",
    ("Floyd-Warshall", 2048, "float32+"): "1.3 ms",
    ("Floyd-Warshall", 4096, "float32+"): "5.5 ms",
    ("Floyd-Warshall", 8192, "float32+"): "36 ms",
    ("Floyd-Warshall", 32768, "float32+"): "2,050 ms",
    ("Floyd-Warshall", 32768, "int32"): "2,400 ms",
    ("Floyd-Warshall", 32768, "uint16"): "1,350 ms",
    ("apsp", 64, 10000): "1 ms",
    ("random, m = 4n", 4677, "label-correcting"): "3 ms",
    ("random, m = 4n", 16384, "label-correcting"): "40 ms",
    ("random, m = 4n, closeness", 100000, "label-correcting"): "2,000 ms",
    ("R-MAT, m = 8n", 65536, "label-correcting"): "1,200 ms",
    ("R-MAT, m = 8n, hops", 65536, "bit-bfs"): "100 ms",
    ("ring", 65536, "label-correcting"): "30 ms",
    ("AS graph of CAIDA 2007, hops", 26475, "bit-bfs"): "15 ms",
    ("random, m = 4n", 4096, "vertices"): "20 ms",
    ("collaboration", 16706, "vertices"): "200 ms",
    ("New York", 264346, "vertices"): "5,000 ms",
    ("New York", 264346, "5,000 x 5,000 flows"): "500 ms",
    ("AS graph of CAIDA 2007", 26475, "vertices"): "200 ms",
    ("R-MAT, hops", 1048576, "diameter"): "300 ms",
    ("R-MAT, weighted", 1048576, "diameter"): "1,000 ms",
    ("New York", 264346, "diameter"): "100 ms",
    ("city", 1300000, "sums"): "2,000 ms",
    ("city", 1000000, "sums"): "2,000 ms",
    ("city", 1000000, "pairs with next hops"): "10,000 ms",
    ("city", 1000000, "matrix of places, order known"): "2,000 ms",
    ("city", 250000, "whole call and OMX, float32"): "2,000 ms",
    ("grid 250 x 250", 62500, "elimination"): "100 ms",
    ("grid 40 x 40 x 40", 64000, "elimination"): "600 ms",
    ("New York, a part, all distances", 126146, "elimination"): "800 ms",
    ("New York, a part, all distances", 126146, "oracle"): "139 ms",
    ("New York, diameter and closeness", 264346, "elimination"): "2,000 ms",
    ("New York, diameter and closeness", 264346, "oracle"): "800 ms",
    ("New York, 1,000 x 1,000 distances", 264346, "oracle"): "5 ms",
    ("New York, a million pairs", 264346, "oracle"): "50 ms",
    ("New York, preparing an oracle", 264346, "oracle"): "3,000 ms",
    ("country of 11.5 M, closeness of 40,000 sources", 11500000, "oracle"): "2,500 ms",
    ("New York", 264346, "new weights of all arcs"): "20 ms",
    ("New York", 264346, "96 periods in uint16"): "200 ms",
    ("Warshall, acyclic, m = 8n", 65536, None): "500 ms",
    ("devices", 65536, 2): "1.9x",
    ("devices", 65536, 4): "3.6x",
    ("devices", 131072, 2): "1.9x",
    ("devices", 131072, 4): "3.6x",
    ("devices", 262144, 4): "360 s",
    ("host", 131072, 1): "0.909x",
    ("2 processes", 65536, 2): "1.95x",
}
"""Targets on an H200, by what, n, and values, method, number of graphs or of GPUs."""

_HIDDEN = {"spread", "GPU, spread", "CPU, spread", "verified", "sum"}
_WORDS = {"float32+": "float32, non-negative"}


def gpu_tables(results: Path) -> str:
    """A section for every existing file."""
    parts = []
    for name, title in TITLES.items():
        path = results / f"{name}.json"
        if path.exists():
            document = json.loads(path.read_text())
            rows = [_with_target(row) for row in document["rows"]]
            table = _table([row for row in rows if "not run" not in row])
            parts.append(f"## {title}\n\n{_environment(document, path.name)}\n\n{table}\n{_not_run(rows)}")
    return "\n".join(parts)


def _environment(document: dict[str, Any], name: str) -> str:
    commit = f" at commit {document['commit']}" if document.get("commit") else ""
    where = document.get("gpu") or document.get("gpus")
    gpus = f"{len(where)} x {where[0]}" if isinstance(where, list) else str(where)
    cores = f", {document['cores']} cores" if "cores" in document else ""
    commands = "; ".join(f"`{command}`" for command in document.get("commands", [document["command"]]))
    return f"{commands}{commit}: {gpus}{cores} (`benchmarks/results/{name}`)."


def _not_run(rows: list[dict[str, Any]]) -> str:
    """The contestants that did not run, with n and the reason; nothing if all did."""
    sizes: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if "not run" in row:
            sizes.setdefault((row["contestant"], row["not run"]), []).append(f"{row['n']:,}")
    parts = [f"{who} at n = {', '.join(dict.fromkeys(ns))} ({why})" for (who, why), ns in sizes.items()]
    return f"\nNot run: {'; '.join(parts)}.\n" if parts else ""


def _with_target(row: dict[str, Any]) -> dict[str, Any]:
    if "wanted" in row:  # other work on a graph that a target is set for
        target = None
    elif "how" in row:  # "devices, 1024 x 22272"
        target = TARGETS.get((row["how"].split(",")[0], row["n"], row["gpus"]))
    else:
        one = next((row[key] for key in ("method", "kind", "change", "graphs") if key in row), None)
        target = TARGETS.get((row.get("what"), row["n"], one))
    return row if target is None else {**row, "target": target}


def _table(rows: list[dict[str, Any]]) -> str:
    keys = [key for key in dict.fromkeys(key for row in rows for key in row) if key not in _HIDDEN]
    lines = ["| " + " | ".join(_HEADS.get(key, key) for key in keys) + " |"]
    numbers = {key for key in keys if any(isinstance(row.get(key), int | float) for row in rows)}
    lines.append("|" + "|".join("---:" if key in numbers else "---" for key in keys) + "|")
    lines += ["| " + " | ".join(_cell(key, row.get(key)) for key in keys) + " |" for row in rows]
    return "\n".join(lines)


def _cell(key: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return _FORMATS.get(key, _number)(value)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return _WORDS.get(str(value), str(value))


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


_HEADS = {
    "milliseconds": "ms",
    "minutes": "minutes for all sources",
    "seconds": "s",
    "seconds_to_connect": "s to connect",
    "pairs/s": "T pairs/s",
    "kind": "values",
    "sources x arcs/s": "G sources x arcs/s",
}
_FORMATS: dict[str, Callable[[float], str]] = {
    "pairs/s": lambda rate: f"{rate / 1e12:,.1f}" if rate >= 1e11 else f"{rate / 1e12:.3f}",
    "sources x arcs/s": lambda rate: f"{rate / 1e9:,.1f}",
    "of the ceiling": lambda share: f"{share:.0%}",
    "over ours": lambda ratio: "" if ratio == 1 else f"{_number(ratio)}x",
    "ratio": lambda ratio: f"{ratio:.3g}x",
}
