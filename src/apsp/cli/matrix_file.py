"""Write distances to a .npy or .csv file: at once if they fit in memory, else one block of rows at a time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from apsp import api
from apsp.cli import csv_size
from apsp.cli.terminal import Show
from apsp.errors import MemoryLimitError
from apsp.facts.request import Request
from apsp.graph.labels import Labels
from apsp.graph.model import Graph
from apsp.graph.signed import allowed_rounding
from apsp.graph.table_file import csv_labels, csv_writer
from apsp.graph.turns.turn_graph import own_vertices
from apsp.planning.planner import Plan, plan_for
from apsp.result.result import Result
from apsp.result.verification import require_verifiable, verify_rows
from apsp.semiring import SEMIRINGS, Semiring
from apsp.system.array_device import to_host
from apsp.system.replacing import check_free, replacing

__all__ = ["solve_into"]


def solve_into(
    graph: Graph, request: dict[str, Any], out: Path, verify: bool, show: Show, given: Result | None = None
) -> dict[str, Any]:
    """Solve, unless a result is given, and write `out`; return the output of --json.

    Raises
    ------
    OutputError
        If the file cannot be written; an existing one is unchanged.
    """
    rows, columns = (_count(graph, request[which]) for which in ("sources", "targets"))
    semiring = SEMIRINGS[request["semiring"]]
    started = time.perf_counter()
    names = graph.labels if out.suffix == ".npy" else csv_labels(graph.labels)
    _check_disk(graph, request, out, given)
    facts, blocks = _solved(graph, request, verify, show, given)
    with replacing(out) as file:
        if out.suffix == ".npy":
            header = {"descr": np.dtype(facts["dtype"]).str, "fortran_order": False, "shape": (rows, columns)}
            np.lib.format.write_array_header_1_0(file, header)
            for block in blocks:
                file.write(np.ascontiguousarray(block.distances).data)
        else:
            _write_csv(graph, names, blocks, request["targets"], semiring, file)
    facts["seconds"] = facts.get("seconds", time.perf_counter() - started)
    return {**facts, "rows": rows, "columns": columns, "paths": False, "verified": verify}


def _count(graph: Graph, chosen: list[Any] | None) -> int:
    return own_vertices(graph) if chosen is None else len(chosen)


def _check_disk(graph: Graph, request: dict[str, Any], out: Path, given: Result | None) -> None:
    """Raise OutputError, with the bytes, if the disk has too little space for the file."""
    rows, columns = (_count(graph, request[which]) for which in ("sources", "targets"))
    if out.suffix == ".npy":
        dtype = _planned(graph, request).dtype if given is None else given.distances.dtype
        check_free(out, rows * columns * np.dtype(dtype).itemsize, ["choose --sources"])
    elif request["cutoff"] is None:
        check_free(out, csv_size.least_bytes(graph, request["sources"], request["targets"]), ["choose --sources"])


def _planned(graph: Graph, request: dict[str, Any]) -> Plan:
    """Plan the run: at once, or in blocks of rows if the matrix does not fit in memory."""
    try:
        return api.plan(graph, **request)
    except MemoryLimitError:
        if request["semiring"] != "min_plus":
            raise
    streamed = {name: value for name, value in request.items() if name != "semiring"}
    every = graph._turned is None
    counts = {
        which: None if every and request[which] is None else _count(graph, request[which])
        for which in ("sources", "targets")
    }
    return plan_for(graph, Request(**{**streamed, **counts}, mode="stream"))


def _solved(
    graph: Graph, request: dict[str, Any], verify: bool, show: Show, given: Result | None
) -> tuple[dict[str, Any], Iterable[api.Block]]:
    """Return the plan and the blocks: a single one if everything fits in memory."""
    try:
        result = api.solve(graph, **request, progress=show.bar) if given is None else given
    except MemoryLimitError:
        if request["semiring"] != "min_plus":
            raise
    else:
        if verify:
            result.verify(threads=result.info["threads"], progress=show.bar)
        return dict(result.info), [api.Block(result.source_positions, to_host(result.distances), labels=graph.labels)]
    show.warn("the matrix does not fit in memory: it is computed and written in blocks of rows")
    plan = _planned(graph, request)
    streamed = {name: value for name, value in request.items() if name != "semiring"}
    facts = {"method": plan.method, "device": plan.device, "threads": plan.threads}
    if verify:
        require_verifiable(graph, request["cutoff"])
    blocks = api.stream(graph, **streamed, reuse=True, progress=show.bar)
    facts["dtype"] = np.dtype(plan.dtype).name
    return facts, _checked(graph, request, plan, blocks) if verify else blocks


def _checked(graph: Graph, request: dict[str, Any], plan: Plan, blocks: Iterable[api.Block]) -> Iterator[api.Block]:
    """Verify each block with the rounding that is allowed to the whole matrix."""
    chosen = request["sources"]
    sources = np.arange(graph.n, dtype=np.int32) if chosen is None else graph.labels.positions(chosen)
    rounding = allowed_rounding(graph, sources, np.dtype(plan.dtype))
    for block in blocks:
        verify_rows(
            graph, block.source_positions, block.distances, None,
            rounding=rounding, cutoff=request["cutoff"], threads=plan.threads,
        )  # fmt: skip
        yield block


def _write_csv(
    graph: Graph,
    names: Labels,
    blocks: Iterable[api.Block],
    targets: list[Any] | None,
    semiring: Semiring,
    file: IO[bytes],
) -> None:
    """Write `source,target,distance`: one line per pair that has a path."""
    columns = np.arange(own_vertices(graph)) if targets is None else graph.labels.positions(targets)
    labels = names.take(columns)
    with csv_writer(file, [names]) as writer:
        writer.writerow(("source", "target", "distance"))
        for block in blocks:
            none = semiring.no_path(block.distances.dtype)
            for name, row in zip(names.take(block.source_positions).tolist(), block.distances, strict=True):
                found = np.flatnonzero(row != none)
                writer.writerows(
                    (name, target, d) for target, d in zip(labels[found].tolist(), row[found].tolist(), strict=True)
                )
