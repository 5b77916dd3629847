"""Blocks of sources that share what is computed once: the same bits as without."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import apsp
from apsp import _cpu
from apsp.graph.csr import arc_arrays
from apsp.methods.elimination.tree import elimination_tree
from apsp.methods.flows import first_by_tree
from apsp.methods.flows.flows import Demand
from apsp.system.cached import PartsCache
from by_method import flows


@pytest.fixture
def city() -> apsp.Graph:
    return apsp.generate("city", 500, seed=6)


@pytest.mark.parametrize("split", [True, False])
@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_bits(split: bool, threads: int, city: apsp.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = {"counted_arcs": 0, "sound_factor": 0}

    def counted(module: Any, name: str) -> None:
        real = getattr(module, name)

        def call(*arguments: Any, **options: Any) -> Any:
            calls[name] += 1
            return real(*arguments, **options)

        monkeypatch.setattr(module, name, call)

    counted(_cpu, "counted_arcs")
    counted(first_by_tree, "sound_factor")
    demand = Demand(np.arange(city.n, dtype=np.int32), np.random.default_rng(0).random(city.n))
    cache, options = PartsCache(), {"along": True, "threads": threads, "split": split, "by": "elimination"}
    blocks = [demand.part(start, start + 125) for start in range(0, city.n, 125)]
    found = [flows(city, block, cache=cache, **options) for block in blocks]
    assert calls == {"counted_arcs": int(split), "sound_factor": int(not split)}
    for mine, block in zip(found, blocks, strict=True):
        alone = flows(city, block, **options)
        assert mine.method == alone.method == "elimination"
        for name, sums in mine.sums().items():
            assert np.array_equal(sums, alone.sums()[name])
    assert cache
    assert pickle.loads(pickle.dumps(cache)) == PartsCache()


def test_counted_arcs_of_another_tree(city: apsp.Graph) -> None:
    other = apsp.generate("city", 500, seed=7)
    trees = [elimination_tree(graph) for graph in (city, other)]
    assert not np.array_equal(trees[0].order, trees[1].order)

    counted = _cpu.counted_arcs(trees[1], arc_arrays(other, other.arc_weights(np.float64)))
    arcs, n = arc_arrays(city, city.arc_weights(np.float64)), city.n
    arrays = _cpu.FlowArrays(
        sources=np.zeros(1, np.int32), to=np.ones(n), through=np.zeros(n), arrived=np.zeros(n), served=np.zeros(1)
    )
    with pytest.raises(ValueError, match="the counted arcs must be those of the tree"):
        _cpu.flows_by_elimination(trees[0], arcs, arrays, cutoff=np.inf, counted=counted)
