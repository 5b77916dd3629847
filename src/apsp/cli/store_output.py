"""apsp solve IN -o OUT.zarr: distances in a store."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal

import click

from apsp import api
from apsp.cli.options import Keywords
from apsp.cli.terminal import Show
from apsp.errors import format_bytes
from apsp.graph.model import Graph
from apsp.result.result import Result
from apsp.store.opening import is_url

__all__ = ["check", "facts_of", "solve_into", "summary"]


def check(keywords: Keywords, verify: bool) -> None:
    """Raise an error for options that cannot be combined with a store."""
    if keywords["semiring"] != "min_plus":
        raise click.UsageError("a store holds shortest paths: it cannot be combined with --semiring")
    if verify and keywords["targets"] is not None:
        raise click.UsageError("--verify checks shortest paths with all columns: it cannot be combined with --targets")


def solve_into(
    graph: Graph,
    request: dict[str, Any],
    output: str,
    paths: bool,
    verify: bool,
    executor: Literal["processes"] | None,
    show: Show,
) -> dict[str, Any]:
    """Solve into a store, or go on in one; return the output of --json."""
    chosen = {name: value for name, value in request.items() if name != "semiring"}
    try:
        result = api.solve(graph, **chosen, paths=paths, store=output, executor=executor, progress=show.bar)
    except (KeyboardInterrupt, SystemExit):  # of signals
        show.warn(f"the same command computes what is missing in {output}")
        raise
    return facts_of(result, output, paths, verify, show)


def facts_of(result: Result, output: str, paths: bool, verify: bool, show: Show) -> dict[str, Any]:
    """Check the result in a store, if wanted; return the output of --json."""
    if verify:
        result.verify(threads=result.info["threads"], progress=show.bar)
    rows, columns = result.distances.shape
    told = {**result.info, "rows": rows, "columns": columns, "paths": paths, "verified": verify, "output": output}
    return told | {"bytes": None if is_url(output) else _bytes_of(output)}


def _bytes_of(folder: str) -> int:
    return sum(os.path.getsize(Path(parent, name)) for parent, _, names in os.walk(folder) for name in names)  # noqa: PTH202


def summary(facts: dict[str, Any]) -> str:
    """Describe what was done in a line."""
    kept = ", with paths" if facts["paths"] else ""
    computed, rows = facts["rows_computed"], facts["rows"]
    part = "" if computed == rows else f" ({computed:,} rows computed now)"
    checked = ", verified" if facts["verified"] else ""
    size = "" if facts["bytes"] is None else f" ({format_bytes(facts['bytes'])})"
    return (
        f"{rows:,} x {facts['columns']:,} {facts['dtype']} distances{kept} by {facts['method']}{part} in "
        f"{facts['seconds']:.2f} s{checked}; wrote {facts['output']}{size}"
    )
