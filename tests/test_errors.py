"""Errors travel: between processes they are pickled."""

from __future__ import annotations

import pickle

import pytest

import apsp
from apsp.graph.labels import labels_of

ERRORS = [
    apsp.GraphError("no graph"),
    apsp.FileFormatError("a.gr", "no number", line=3, column=4),
    apsp.NegativeCycleError([1, 2], -3, labels_of(["a", "b", "c"])),
    apsp.NoArcError("a", "b"),
    apsp.NoPathError("a", "b"),
    apsp.MemoryLimitError("the work", 1 << 40, 1 << 30, ["dtype='uint16'"]),
    apsp.UnknownArgumentError("solve", "cutof", ["graph", "cutoff"]),
    apsp.UnknownMethodError("dijkstr", ["dijkstra"]),
    apsp.MethodRefusedError("bfs", "it counts hops", ["dijkstra"]),
    apsp.MissingDependencyError("networkx", "a NetworkX graph", "networkx"),
    apsp.OutputError("cannot write"),
    apsp.StoreAccessError("s3://bucket: zarr.json cannot be read"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_pickle(error: apsp.ApspError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_errors_of_inherited_methods_name_the_class_of_the_caller():
    city = apsp.generate("city", 100, seed=1)
    day = city.with_periods([city.weights])
    for value in (city, apsp.solve(city), apsp.prepare(city), day, apsp.prepare(day)):
        with pytest.raises(apsp.UnknownArgumentError, match=rf"^{type(value).__name__}\.explore\(\) has no argument"):
            value.explore(heigth=300)
