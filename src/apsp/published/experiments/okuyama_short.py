"""Okuyama, Ino, Hagihara: Accelerating All-Pairs Shortest Path Problem Using CUDA (the short version, in Japanese).

The kernel listing and the abstract can be read; figures, tables and the sizes of its graphs cannot.
"""

from __future__ import annotations

from apsp.published.experiments.model import Case, Claim, Contestant, Evidence, Input, Paper, Series

__all__ = ["PAPER"]

_K = 1024
_GPU = "GeForce 8800 GTS (G92)"
_HARISH = Contestant("harish-sssp", "harish-sssp")
_SHORT = Contestant("okuyama, P = 32", "okuyama", options={"tasks": 32})
_DIJKSTRA = Contestant("dijkstra", "dijkstra", "cpu")
_ALL = (_HARISH, _SHORT, _DIJKSTRA)
_SOURCES = 32
"""Number of sources counted on an emulated GPU: one group of P."""

_OURS = "Sizes are ours: the axes of the figures cannot be read. The paper prints the range of its speed-ups only."


def _over(*counts: str) -> tuple[Evidence, ...]:
    return tuple(Evidence(count, _HARISH.label, _SHORT.label) for count in counts)


def _from_random(count: str, case: str, label: str) -> Evidence:
    return Evidence(count, label, label, over_case=case, under_case="random", kernels="scatter")


_FASTER = Claim(
    "3.5 to 18 times faster than the existing method", _SHORT.label, _HARISH.label, 3.5, 18,
    evidence=_over("transactions_cc10", "launches", "sectors"),
    because="P sources share a launch, and what does not depend on the source lies in shared memory.",
)  # fmt: skip

_SCALING = Series(
    name="speedup",
    title="Speed-up over the existing method: random graphs, 4 arcs per vertex",
    axis="vertices",
    cases=tuple(Case(f"|V| = {k}K", Input("random", k * _K, 4 * k * _K, "n"), k * _K) for k in (1, 2, 4, 8, 16)),
    contestants=_ALL,
    baseline=_HARISH.label,
    claims=(
        _FASTER,
        Claim(
            "tasks share data, which saves accesses to global memory", _SHORT.label, _HARISH.label,
            evidence=_over("accesses", "requests", "bytes_cc10"),
        ),
    ),
    note=_OURS,
    sources=_SOURCES,
    gpu=_GPU,
)  # fmt: skip

_BY_TOPOLOGY = Series(
    name="characteristics",
    title="The method by the characteristic of the graph, |V| = 4K",
    axis="topology",
    cases=tuple(
        Case(name, drawn)
        for name, drawn in {
            "random": Input("random", 4 * _K, 16 * _K, (1, 4 * _K)),
            "power law": Input("rmat", 4 * _K, 16 * _K, (1, 4 * _K)),
            "grid": Input("grid", 4 * _K, None, (1, 4 * _K)),
            "ring": Input("ring", 4 * _K, None, None),
        }.items()
    ),
    contestants=_ALL,
    baseline=_HARISH.label,
    claims=(
        _FASTER,
        Claim(
            "the performance varies with the characteristic of the graph", _SHORT.label, _SHORT.label,
            evidence=(
                _from_random("launches", "ring", _SHORT.label),
                _from_random("launches", "power law", _SHORT.label),
                _from_random("divergent_branches", "power law", _HARISH.label),
            ),
            because="Launches follow the number of arcs of the longest shortest path.",
        ),
    ),
    note="Graphs and sizes are ours: the abstract says that performance varies, and what it names cannot be read.",
    sources=_SOURCES,
    gpu=_GPU,
)  # fmt: skip

PAPER = Paper(
    name="okuyama-short",
    title="Accelerating All-Pairs Shortest Path Problem Using CUDA",
    authors="T. Okuyama, F. Ino, K. Hagihara",
    where="The short version, in Japanese",
    hardware=("an NVIDIA GPU whose name cannot be read; the long version has a GeForce 8800 GTS (G92)",),
    series=(_SCALING, _BY_TOPOLOGY),
    note="P tasks instead of N, B = 4 vertices per block as in the long version; paths are not recorded.",
)
