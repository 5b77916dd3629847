"""apsp solve: compute all shortest distances of a graph file and write them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
import numpy as np

from apsp import api
from apsp.api.questions import matrix
from apsp.cli import matrix_file, store_output
from apsp.cli import spmd as together
from apsp.cli.files import INPUT, OUTPUT, TABLE
from apsp.cli.inputs import arguments, graph_facts, graph_words, read_graph
from apsp.cli.options import (
    Keywords,
    Reading,
    executor_option,
    reading_options,
    show_options,
    snapping_options,
    solving_options,
)
from apsp.cli.points import Points, ends_at_points, without_points
from apsp.cli.report import report
from apsp.cli.saved import kind_of
from apsp.cli.sections import Sections
from apsp.cli.store_names import names_a_store
from apsp.cli.terminal import Show, print_json, print_text
from apsp.errors import MemoryLimitError, OutputError, format_bytes
from apsp.graph.model import Graph
from apsp.graph.turns.turn_graph import own_vertices, refuse_turns
from apsp.result.result import Result
from apsp.system.replacing import check_free, check_writable, replacing, room

if TYPE_CHECKING:
    from apsp.result.profile import Profile

__all__ = ["command"]

FORMATS = (".npz", ".npy", ".csv", ".zarr")


@click.command("solve", cls=Sections, short_help="Compute all shortest distances of a graph file.")
@click.argument("source", metavar="IN", type=INPUT)
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    type=TABLE,
    help="Output: .npz (everything), .npy (matrix), .csv (pairs) or .zarr (store). Default: IN with .npz.",
)
@click.option("--paths/--no-paths", default=None, help="Store predecessors in the .npz. Default: if they fit.")
@click.option("--path-counts", is_flag=True, help="Store the numbers of shortest paths in the .npz.")
@click.option("--verify", is_flag=True, help="Check every distance against the graph before writing.")
@click.option("--counts", is_flag=True, help="Print counts of every GPU kernel, real or emulated.")
@executor_option
@click.option("--spmd", is_flag=True, help="Work with all processes that mpirun, srun or torchrun has started.")
@click.option(
    "--checkpoint",
    metavar="FOLDER",
    type=OUTPUT,
    help="With --spmd: where every process saves its part from time to time. Default: OUT.zarr.checkpoint.",
)
@reading_options
@solving_options
@snapping_options("origins", "destinations", "near")
@show_options
def command(
    source: str,
    output: str | None,
    paths: bool | None,
    path_counts: bool,
    verify: bool,
    counts: bool,
    executor: Literal["processes"] | None,
    spmd: bool,
    checkpoint: str | None,
    reading: Reading,
    keywords: Keywords,
    points: Points,
    show: Show,
) -> None:
    """Compute all shortest distances of the graph IN and write them to OUT.

    \b
    OUT.npz  distances, paths and the graph: for apsp path, stats and apsp.load
    OUT.npy  the matrix alone, for numpy.load
    OUT.csv  source,target,distance for every pair with a path
    OUT.zarr a store: as .npz, in bands of rows, for zarr, xarray and Dask, too;
             also a URL such as s3://bucket/OUT.zarr

    IN is any graph file that apsp reads (compressed or not), or - for standard input. OUT is complete or absent: an
    existing file is replaced when the new one is complete. Distances that do not fit in memory can be written to .npy
    and .csv, in blocks of rows.

    A store is written band by band, with --executor by the processes that compute the rows. After an interruption the
    same command continues; several at a time share the work. Predecessors are stored with --paths only.

    --counts runs the method on an emulated GPU unless --device names a real one, and prints a table: launches, memory
    accesses, transactions, conflicts, atomics and copies of every kernel.

    mpirun -n 16 apsp solve IN --spmd -o OUT.zarr, or torchrun --nproc-per-node 16 -m apsp solve ..., computes by
    Floyd-Warshall with the matrix distributed over 16 processes. The first one prints; if one fails, all end. After an
    interruption the same command continues.

    With --origins, --destinations or --near, rows or columns are points, which are snapped to the streets, and OUT is a
    .csv or .npy file; apsp table writes other formats.

    \b
    apsp solve city.osm --origins homes.csv --destinations shops.csv -o times.csv
    """  # noqa: D301 - click reads the character
    if points.are_given:
        others = {"--paths": paths, "--path-counts": path_counts, "--verify": verify, "--counts": counts,
                  "--executor": executor, "--spmd": spmd, "--checkpoint": checkpoint}  # fmt: skip
        _of_points(source, output, points, reading, keywords, [name for name, value in others.items() if value], show)
        return
    without_points(points)
    if checkpoint is not None and not spmd:
        raise click.UsageError("--checkpoint needs --spmd; with one process, --pages-file can be resumed")
    if spmd and reading.turns:
        raise click.UsageError("--spmd does not respect turns yet: leave out --turns, or --spmd")
    if spmd:
        together.check(keywords, output, paths, path_counts or counts or executor is not None)
        if names_a_store(output):
            assert output is not None
            store_output.check(keywords, verify)
        else:
            output = str(_output_path(source, output))
        together.solve(source, output, bool(paths), checkpoint, verify, reading, keywords, show)
        return
    if names_a_store(output):
        assert output is not None
        if path_counts or counts:
            raise click.UsageError(
                "a store holds distances and predecessors: --path-counts and --counts need an .npz file"
            )
        store_output.check(keywords, verify)
        started = time.perf_counter()
        graph = _read(source, reading, show, verify)
        show.say(f"{source}: {graph_words(graph)}, read in {time.perf_counter() - started:.2f} s")
        facts = store_output.solve_into(graph, arguments(graph, keywords), output, bool(paths), verify, executor, show)
        show.say(store_output.summary(facts))
        if show.json:
            print_json(facts | {"graph": graph_facts(graph)})
        return
    if executor is not None:
        raise click.UsageError("--executor needs a store, which the processes write: -o OUT.zarr")
    out = _output_path(source, output)
    if paths and out.suffix != ".npz":
        raise click.UsageError("only .npz files store paths: -o OUT.npz")
    if path_counts and (out.suffix != ".npz" or counts):
        raise click.UsageError(
            "--path-counts needs an .npz file, and cannot be combined with --counts (of GPU kernels)"
        )
    if verify and (keywords["targets"] is not None or keywords["semiring"] != "min_plus"):
        raise click.UsageError(
            "--verify checks shortest paths with all columns: it cannot be combined with --targets or --semiring"
        )
    if counts:
        _check_countable(keywords)
    check_writable(out)
    started = time.perf_counter()
    graph = _read(source, reading, show, verify)
    show.say(f"{source}: {graph_words(graph)}, read in {time.perf_counter() - started:.2f} s")
    request = arguments(graph, keywords)
    counted = _counted(graph, request, paths) if counts else None
    given = None if counted is None else counted.result
    if out.suffix == ".npz":
        facts = _to_npz(graph, request | {"counts": path_counts}, out, paths, verify, show, given)
    else:
        facts = matrix_file.solve_into(graph, request, out, verify, show, given)
    facts |= {"output": str(out), "bytes": out.stat().st_size, "graph": graph_facts(graph)}
    if "note" in facts:
        show.warn(facts["note"])
    show.say(_summary(facts))
    if show.json:
        print_json(facts if counted is None else facts | {"counts": counted.to_dict()})
    elif counted is not None:
        print_text(counted.table())


def _read(source: str, reading: Reading, show: Show, verify: bool) -> Graph:
    """The graph; RequestError if it has turns, and its distances are to be verified."""
    graph = read_graph(source, reading, show, turns=True)
    if verify:
        refuse_turns(graph, "--verify", "leave it out")
    return graph


def _of_points(
    source: str, output: str | None, points: Points, reading: Reading, keywords: Keywords, others: list[str], show: Show
) -> None:
    """Write the distances from or to points."""
    defaults = (None, "auto", "min_plus")
    ends = ("sources", "targets")
    others = others + [f"--{name.replace('_', '-')}" for name, value in keywords.items()
                       if name not in ends and value not in defaults]  # fmt: skip
    if others:
        raise click.UsageError(
            f"{others[0]} cannot be combined with points: leave it out, or name vertices with --sources"
        )
    if output is None or Path(output).suffix not in (".csv", ".npy"):
        raise click.UsageError("distances of points are written to -o OUT.csv (pairs) or OUT.npy (the matrix)")
    out = Path(output)
    check_writable(out)
    graph = read_graph(source, reading, show, turns=True)
    request = ends_at_points(graph, arguments(graph, keywords), points)
    started = time.perf_counter()
    found = matrix(graph, request["sources"], request["targets"])
    seconds = time.perf_counter() - started
    if out.suffix == ".csv":
        found.write(out)
    else:
        with replacing(out) as file:
            np.save(file, found.distances)
    facts = {
        "sources": len(found.source_numbers),
        "targets": len(found.target_numbers),
        "pairs with a path": int(np.isfinite(found.distances).sum()),
    }
    report(show, source, graph, facts, seconds, {"output": output})


def _check_countable(keywords: Keywords) -> None:
    if keywords["device"] == "cpu":
        raise click.UsageError("--counts counts GPU kernels: it cannot be combined with --device cpu")
    if keywords["semiring"] != "min_plus" or keywords["pages_file"] is not None:
        raise click.UsageError(
            "--counts needs shortest paths in memory: it cannot be combined with --semiring or --pages-file"
        )


def _counted(graph: Graph, request: dict[str, Any], paths: bool | None) -> Profile:
    from apsp.api.profiling import profile

    options = {name: value for name, value in request.items() if name not in ("semiring", "pages_file")}
    return profile(graph, **options, paths=bool(paths))


def _output_path(source: str, output: str | None) -> Path:
    if output is not None:
        out = Path(output)
        if out.suffix not in FORMATS:
            raise click.UsageError(f"{output}: the ending selects the format and must be one of {', '.join(FORMATS)}")
        return out
    if source == "-":
        raise click.UsageError("with standard input, name the output: -o OUT.npz")
    stem = Path(source).name.split(".")[0] or "result"
    out = Path(f"{stem}.npz")
    if out.exists() and kind_of(str(out)) != "result":
        raise OutputError(f"{out} exists and is not a result of apsp: name the output with -o")
    return out


def _to_npz(
    graph: Graph,
    request: dict[str, Any],
    out: Path,
    paths: bool | None,
    verify: bool,
    show: Show,
    given: Result | None,
) -> dict[str, Any]:
    """Solve, unless a result is given, and write; return the output of --json."""
    if given is None:
        try:
            paths = _paths_that_fit(graph, request, out, paths, show)
        except MemoryLimitError:
            show.warn(f"{out.with_suffix('.npy')}, .csv or .zarr would be computed and written in blocks of rows")
            raise
        result = api.solve(graph, **request, paths=paths, progress=show.bar)
    else:
        result, paths = given, bool(paths)
    if verify:
        result.verify(threads=result.info["threads"], progress=show.bar)
    result.save(out, progress=show.bar)
    rows, columns = result.distances.shape
    return {**result.info, "rows": rows, "columns": columns, "paths": paths, "verified": verify}


def _paths_that_fit(graph: Graph, request: dict[str, Any], out: Path, paths: bool | None, show: Show) -> bool:
    """Decide whether to keep predecessors: without an option, if memory and disk allow it."""
    every = own_vertices(graph)
    rows = every if request["sources"] is None else len(request["sources"])
    columns = every if request["targets"] is None else len(request["targets"])
    free = room(out)

    def fits(keep: bool) -> bool:
        plan = api.plan(graph, **{name: value for name, value in request.items() if name != "counts"}, paths=keep)
        each = plan.dtype.itemsize + (8 if request["counts"] else 0)
        needed = rows * (columns * each + keep * 4 * graph.n) + 32 * (graph.m + graph.n)
        if not keep or paths:
            check_free(out, needed, ["omit paths (--no-paths)"] * keep + ["choose --sources"])
        return free is None or needed <= free

    if paths is not None:
        return fits(paths) and paths
    try:
        kept = fits(True)
    except MemoryLimitError:
        kept = False
    if not kept:
        fits(False)
        show.warn(
            "predecessors do not fit and are not stored: paths are found from the distances (not possible with "
            "--targets)"
        )
    return kept


def _summary(facts: dict[str, Any]) -> str:
    kept = ", with paths" if facts["paths"] else ""
    gpus = facts.get("gpus", [])
    threads = f"{facts['threads']} thread{'s' if facts['threads'] != 1 else ''}"
    where = f"GPU{'s' if len(gpus) > 1 else ''} {', '.join(map(str, gpus))}" if gpus else threads
    if facts["device"] == "emulated":
        where = f"the emulated {where}" if len(gpus) > 1 else "the emulated GPU"
    checked = ", verified" if facts["verified"] else ""
    return (
        f"{facts['rows']:,} x {facts['columns']:,} {facts['dtype']} distances{kept} by {facts['method']} on "
        f"{where} in {facts['seconds']:.2f} s{checked}; "
        f"wrote {facts['output']} ({format_bytes(facts['bytes'])})"
    )
