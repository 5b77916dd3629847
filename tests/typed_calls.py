"""Calls whose types mypy checks: an option of a wrong type or name is an error for the caller's type checker, too.

Nothing runs here. Where an error is expected, mypy reports a comment that ignores none.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

import apsp


def options_of_measures(graph: apsp.Graph) -> npt.NDArray[np.float64]:
    apsp.diameter(graph, cutoff=2.5, threads=2, progress=True)
    apsp.diameter(graph, threads="two")  # type: ignore[arg-type]
    apsp.diameter(graph, thread=2)  # type: ignore[call-arg]
    apsp.diameter(graph, store="here.zarr")  # type: ignore[call-arg]
    return apsp.farness(graph, executor="processes", store="here.zarr")


def options_of_overloads(graph: apsp.Graph) -> npt.NDArray[np.float64]:
    best: apsp.MostCentral = apsp.closeness_centrality(graph, top=3, device="cpu")
    apsp.closeness_centrality(graph, top=3, gpu_memory=1.5)  # type: ignore[call-overload]
    del best
    return apsp.closeness_centrality(graph, device="cpu", rows=4)


def options_of_results(graph: apsp.Graph) -> Iterator[object]:
    result: apsp.Result = apsp.solve(graph, paths=True, counts=True, dtype="int32")
    apsp.solve(graph, rows=4)  # type: ignore[call-arg]
    apsp.skim(graph, executor="thread")  # type: ignore[call-overload]
    apsp.within(graph, 3, device=None)  # type: ignore[arg-type]
    del result
    return apsp.stream(graph, rows=4, reuse=True, executor="processes")


def maps(graph: apsp.Graph, oracle: apsp.Oracle, day: apsp.Periods, result: apsp.Result) -> list[apsp.Map]:
    graph.explore("map.html", height=400)  # type: ignore[call-overload]
    oracle.explore("map.html").save("again.html")  # type: ignore[attr-defined]
    return [
        graph.explore(height=400), oracle.explore(unit="s"), day.explore(period="am"), result.explore(target=3),
        day.explore(None, sources=[3]),
    ]  # fmt: skip
