"""The tables of counts in the pages, as `apsp.profile` gives them on the emulated GPU, between their two marks.

Counts depend on the graph and the method alone, so the tables are the same on every machine.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from apsp.gpu.counts import KernelCounts
from apsp.gpu.recorder import Recorder

from . import runs

__all__ = ["PAGES", "block", "fill_in"]

PAPERS = Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- counts: begin -->", "<!-- counts: end -->"

Column = tuple[str, KernelCounts]
"""A heading, and the KernelCounts below it."""


def fill_in() -> None:
    """Rewrite the tables of all pages."""
    for name in PAGES:
        path = PAPERS / f"{name}.md"
        path.write_text(with_block(path.read_text(encoding="utf-8"), block(name)), encoding="utf-8")


def block(name: str) -> str:
    """The table of a page as Markdown."""
    return PAGES[name]()


def with_block(text: str, table: str) -> str:
    """The text of a page with its table exchanged."""
    between = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", flags=re.DOTALL)
    return between.sub(lambda _: f"{BEGIN}\n{table}\n{END}", text, count=1)


@functools.cache
def _counted(
    method: str, n: int = 256, *, negative: bool = False, sources: int | None = None, **options: int
) -> Recorder:
    """What the method does with the random graph of n vertices, from the first so many sources or from all."""
    graph = runs.random_graph(n, negative=negative)
    return runs.counted(method, graph, range(sources or graph.n), **options)


def _total(recorder: Recorder) -> KernelCounts:
    """Of all kernels."""
    first, *others = recorder.kernels.values()
    return sum(others, start=first)


def _table(columns: Sequence[Column], rows: Sequence[tuple[str, str]]) -> str:
    """A row a count: what it is called here, and its attribute."""
    lines = ["| | " + " | ".join(heading for heading, _ in columns) + " |", "|---|" + "---:|" * len(columns)]
    for words, attribute in rows:
        lines.append(f"| {words} | " + " | ".join(f"{getattr(counts, attribute):,}" for _, counts in columns) + " |")
    return "\n".join(lines)


def _okuyama() -> str:
    columns = [
        ("`harish_scatter`", _counted("harish-sssp").kernels["harish_scatter"]),
        ("`okuyama_scatter_global`", _counted("okuyama-global").kernels["okuyama_scatter_global"]),
        ("`okuyama_scatter`", _counted("okuyama").kernels["okuyama_scatter"]),
    ]
    return _table(
        columns,
        [
            ("launches", "launches"),
            ("threads", "threads"),
            ("global loads, per thread", "global_loads"),
            ("load requests, per warp", "load_requests"),
            ("sectors of 32 bytes loaded", "load_sectors"),
            ("transactions, loads and stores, capability 1.1", "transactions_cc10"),
            ("transactions, loads and stores, capability 1.2", "transactions_cc12"),
            ("shared loads and stores, per warp", "shared_requests"),
            ("atomic minima, per thread", "atomics"),
            ("atomic minima, per warp", "atomic_requests"),
            ("divergent branches", "divergent_branches"),
        ],
    )


def _okuyama_short() -> str:
    columns: list[Column] = [("`harish-sssp`", _total(_counted("harish-sssp")))]
    columns += [(f"P = {tasks}", _total(_counted("okuyama", tasks=tasks))) for tasks in (32, 64, 256)]
    return _table(
        columns,
        [
            ("launches", "launches"),
            ("threads", "threads"),
            ("global loads, per thread", "global_loads"),
            ("sectors of 32 bytes loaded", "load_sectors"),
            ("shared loads and stores, per warp", "shared_requests"),
            ("atomic minima, per thread", "atomics"),
            ("barriers of blocks", "barriers"),
            ("barriers of warps", "warp_barriers"),
        ],
    )


def _katz_kider() -> str:
    tiled = _counted("katz-kider", 144)
    columns: list[Column] = [("`relax_pairs` (harish-fw)", _counted("harish-fw", 144).kernels["relax_pairs"])]
    columns += [(f"`{name}`", tiled.kernels[name]) for name in ("primary", "singly_dependent", "doubly_dependent")]
    return _table(
        columns,
        [
            ("launches", "launches"),
            ("blocks", "blocks"),
            ("global loads, per thread", "global_loads"),
            ("global stores, per thread", "global_stores"),
            ("sectors of 32 bytes loaded", "load_sectors"),
            ("transactions, loads and stores, capability 1.0", "transactions_cc10"),
            ("shared loads, per thread", "shared_loads"),
            ("bank conflicts, capability 1.x", "bank_conflicts_cc1"),
            ("barriers", "barriers"),
        ],
    )


def _lab() -> str:
    columns: list[Column] = []
    for side in (4, 8, 16, 32):
        columns.append((f"basic, {side} x {side}", _total(_counted("lab-fw", 128, block=side))))
        columns.append((f"shared, {side} x {side}", _total(_counted("lab-fw-shared", 128, block=side))))
    return _table(
        columns,
        [
            ("launches", "launches"),
            ("blocks", "blocks"),
            ("global loads, per thread", "global_loads"),
            ("load requests, per warp", "load_requests"),
            ("sectors of 32 bytes loaded", "load_sectors"),
            ("shared loads and stores, per warp", "shared_requests"),
            ("bank conflicts", "bank_conflicts"),
            ("divergent branches", "divergent_branches"),
        ],
    )


def _batool() -> str:
    of = {
        frontier: _counted(f"johnson-{frontier}", negative=True, sources=16).kernels
        for frontier in ("flag", "queue", "prefix")
    }
    columns: list[Column] = [
        ("`relax_flagged`", of["flag"]["relax_flagged"]),
        ("`relax_queued`", of["queue"]["relax_queued"]),
        ("`minimum`", of["queue"]["minimum"]),
        ("`update_flags`", of["flag"]["update_flags"]),
        ("`update_queue`", of["queue"]["update_queue"]),
        ("`update_prefix`", of["prefix"]["update_prefix"]),
    ]
    return _table(
        columns,
        [
            ("launches", "launches"),
            ("threads", "threads"),
            ("global loads, per thread", "global_loads"),
            ("load requests, per warp", "load_requests"),
            ("sectors of 32 bytes loaded", "load_sectors"),
            ("atomic operations, per thread", "atomics"),
            ("of these on an address of the same warp", "atomic_collisions"),
            ("divergent branches", "divergent_branches"),
            ("barriers", "barriers"),
        ],
    )


PAGES: dict[str, Callable[[], str]] = {
    "okuyama": _okuyama,
    "okuyama-short": _okuyama_short,
    "katz-kider": _katz_kider,
    "lab": _lab,
    "batool": _batool,
}
"""Page -> its table."""
