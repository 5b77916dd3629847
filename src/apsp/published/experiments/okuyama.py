"""Okuyama, Ino, Hagihara: section 6. Figures 10 to 14 and table 1.

The points of the figures cannot be read as numbers; the printed numbers are those of table 1 and the ratios of the
text.
"""

from __future__ import annotations

from typing import Any

from apsp.published.experiments.model import Case, Claim, Contestant, Evidence, Input, Paper, Series

__all__ = ["PAPER"]

_K = 1024
_HARISH = Contestant("harish-sssp", "harish-sssp")
_GLOBAL = Contestant("okuyama-global", "okuyama-global")
_OKUYAMA = Contestant("okuyama", "okuyama")
_DIJKSTRA = Contestant("dijkstra", "dijkstra", "cpu")
_ALL = (_HARISH, _GLOBAL, _OKUYAMA, _DIJKSTRA)
_RECORDING = Contestant("okuyama, paths", "okuyama", paths=True)
_GPU = "GeForce 8800 GTS (G92)"
_SOURCES = 32
"""Number of sources counted on an emulated GPU: one group of N."""


def _ratio(count: str, over: str = "harish-sssp", under: str = "okuyama", **more: Any) -> Evidence:
    return Evidence(count, over, under, **more)


_TASKS = (_ratio("transactions_cc10"), _ratio("launches"), _ratio("sectors"))
_SHARED = (
    _ratio("transactions_cc10", "okuyama-global"),
    _ratio("transactions_cc10", "okuyama", "okuyama-global", low=0.84, high=0.84),
    _ratio("accesses", "okuyama", "okuyama-global", low=0.84, high=0.84),
)  # fmt: skip


def _by_vertices() -> tuple[Case, ...]:
    sizes = [1, 2, 4, 8, 16, 32, 64]
    return tuple(Case(f"|V| = {k}K", Input("random", k * _K, 4 * k * _K, "n"), k * _K) for k in sizes)


_SCALING = Series(
    name="figure10",
    title="Figures 10 and 11: random graphs, |E| = 4 |V|, w_max = |V|",
    axis="vertices",
    cases=_by_vertices(),
    contestants=_ALL,
    baseline="harish-sssp",
    claims=(
        Claim(
            "2.8 to 13 times faster than the previous method, most for few vertices", "okuyama", "harish-sssp", 2.8, 13,
            evidence=_TASKS,
            because="32 sources share a launch and lie side by side in memory, so that a half-warp moves them in one "
            "transaction; a thread of the previous method has a vertex of its own.",
        ),
        Claim(
            "without shared memory at least 1.9 times faster", "okuyama-global", "harish-sssp", 1.9,
            evidence=(_ratio("launches", under="okuyama-global"), _ratio("transactions_cc10", under="okuyama-global")),
            because="32 sources share a launch and the wait for its flag. Transactions are not saved without shared "
            "memory: threads of a warp that read the same arc make a transaction each by the rules of 1.0 and 1.1.",
        ),
        Claim(
            "shared memory gives 1.2 to 1.4 and eliminates about 16% of the accesses to device memory",
            "okuyama", "okuyama-global", 1.2, 1.4,
            evidence=_SHARED,
            because="All 32 threads of a vertex read the same arc; the rules of 1.0 and 1.1 make a transaction for "
            "each thread of it, shared memory one read for all.",
        ),
    ),
    sources=_SOURCES,
    gpu=_GPU,
    note="The paper prints no numbers for the points of this figure.",
)  # fmt: skip

_BY_ARCS = Series(
    name="figure12",
    title="Figure 12: random graphs of |V| = 4K by the number of arcs",
    axis="arcs",
    cases=tuple(Case(f"|E| = {k}K", Input("random", 4 * _K, k * _K, "n"), k * _K) for k in (8, 16, 32, 64, 128)),
    contestants=_ALL,
    baseline="harish-sssp",
    claims=(
        Claim(
            "shared memory gains more the more arcs there are", "okuyama", "okuyama-global",
            evidence=(
                _ratio("transactions_cc10", "okuyama-global"),
                _ratio("accesses", "okuyama-global"),
            ),
            because="With more arcs per vertex the reads of arcs, which are shared, outweigh the rest.",
        ),
    ),
    sources=_SOURCES,
    gpu=_GPU,
    note="The numbers of arcs are ours: the axis of the figure cannot be read.",
)  # fmt: skip

_BY_WEIGHT = Series(
    name="figure13",
    title="Figure 13: random graphs of |V| = 4K, |E| = 16K by the largest weight",
    axis="largest weight",
    cases=tuple(
        Case(f"w_max = {largest:,}", Input("random", 4 * _K, 16 * _K, (1, largest)), largest)
        for largest in (1, 16, 256, 4096, 65536)
    ),
    contestants=_ALL,
    baseline="harish-sssp",
    claims=(
        Claim(
            "larger weights need more iterations, and slowly more time", "harish-sssp", "harish-sssp",
            evidence=(
                _ratio(
                    "launches", "harish-sssp", "harish-sssp", over_case="w_max = 65,536", under_case="w_max = 1"
                ),
                _ratio("atomics", "okuyama", "okuyama", over_case="w_max = 65,536", under_case="w_max = 1"),
            ),
            because="With weights of 1 every search is breadth first, and no cost is lowered twice.",
        ),
    ),
    sources=_SOURCES,
    gpu=_GPU,
    note="The weights are ours: the axis of the figure cannot be read. The time grows with w_max, slowly.",
)  # fmt: skip

_N = 4677
_TOPOLOGIES = {
    "random": Input("random", _N, 16 * _K, (1, 4096)),
    "power law": Input("rmat", _N, 16 * _K, (1, 4096)),
    "ring": Input("ring", _N, None, None),
    "complete": Input("complete", _N, None, None),
}
_TABLE1 = {
    "harish-sssp": (4.39, 6.37, 687.0, 5730.0),
    "okuyama-global": (0.884, 1.73, 53.7, 175.0),
    "okuyama": (0.669, 0.942, 58.2, 77.3),
    "dijkstra": (0.835, 0.437, 0.0962, 158.0),
}

_BY_TOPOLOGY = Series(
    name="table1",
    title="Table 1: four topologies, |V| = 4,677",
    axis="topology",
    cases=tuple(Case(name, drawn) for name, drawn in _TOPOLOGIES.items()),
    contestants=_ALL,
    baseline="harish-sssp",
    printed={
        (topology, label): seconds
        for label, row in _TABLE1.items()
        for topology, seconds in zip(_TOPOLOGIES, row, strict=True)
    },
    claims=(
        Claim(
            "6.6 to 74 times faster (from table 1)", "okuyama", "harish-sssp", 6.56, 74.1,
            evidence=_TASKS,
            because="The ring has a launch of one busy vertex for every step; the complete graph moves 22 million arcs "
            "per source.",
        ),
        Claim(
            "the ring needs 203 times more launches than the random graph (4,677 to 23 per source)",
            "harish-sssp", "harish-sssp",
            evidence=(
                _ratio(
                    "launches", "harish-sssp", "harish-sssp", over_case="ring", under_case="random",
                    kernels="scatter", low=203, high=203,
                ),
                Evidence("launches", "harish-sssp", kernels="scatter"),
            ),
            because="A launch lowers the cost of one vertex of the ring.",
        ),
        Claim(
            "the power law needs 28% less launches than the random graph", "harish-sssp", "harish-sssp",
            evidence=(
                _ratio(
                    "launches", "harish-sssp", "harish-sssp", over_case="power law", under_case="random",
                    kernels="scatter", low=0.72, high=0.72,
                ),
            ),
            because="Its few vertices of large degree shorten the paths; they also make one thread of a warp work for "
            "834 arcs, which launches do not show, but divergent branches do.",
        ),
        Claim(
            "from 0.92 (ring) to 2.3 (complete) by shared memory (from table 1)",
            "okuyama",
            "okuyama-global",
            0.92,
            2.27,
            evidence=_SHARED,
            because="On the ring one arc is shared, and its way through shared memory is the longer one.",
        ),
    ),
    sources=_SOURCES,
    gpu=_GPU,
    note="The power law is R-MAT with probabilities 0.45, 0.15, 0.15, 0.25 (GTgraph's). The ring is directed: one arc "
    "leaves a vertex.",
)  # fmt: skip

_PATHS = Series(
    name="figure14",
    title="Figure 14: the cost of recording paths, random graphs, |E| = 4 |V|",
    axis="vertices",
    cases=_by_vertices(),
    contestants=(_OKUYAMA, _RECORDING),
    baseline="okuyama",
    overhead=("okuyama", "okuyama, paths"),
    claims=(
        Claim(
            "recording adds 3.0 to 7.7%", "okuyama", "okuyama, paths", 1.030, 1.077,
            evidence=(
                _ratio("transactions_cc10", "okuyama, paths", "okuyama"),
                _ratio("launches", "okuyama, paths", "okuyama"),
            ),
            because="The recording kernel looks at every arc once per source, scattering and checking go on for all "
            "rounds.",
        ),
    ),
    sources=_SOURCES,
    gpu=_GPU,
    note="Back-tracing on the host is left out, as in the paper; here the predecessors also leave the kernel's layout.",
)  # fmt: skip

PAPER = Paper(
    name="okuyama",
    title="A Task Parallel Algorithm for Finding All-Pairs Shortest Paths Using the GPU",
    authors="T. Okuyama, F. Ino, K. Hagihara",
    where="International Journal of High Performance Computing and Networking, section 6",
    hardware=(
        "NVIDIA GeForce 8800 GTS (G92, 16 multiprocessors of 8, 512 MB), CUDA 2.0",
        "Dijkstra: Intel Xeon 5440, 4 cores at 2.83 GHz, 4 threads",
    ),
    series=(_SCALING, _BY_ARCS, _BY_WEIGHT, _BY_TOPOLOGY, _PATHS),
)
