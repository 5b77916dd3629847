from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.gpu import nvrtc
from apsp.methods.elimination.factor import factorise
from apsp.methods.elimination.kernels.factorise import expressions
from apsp.methods.elimination.tree import elimination_tree
from apsp.methods.elimination.values_on_gpu import FactorsOnGpu
from compiling import ARCHITECTURES, needs_compiler
from emulation import Launches, emulated_gpus

DTYPES = ["uint16", "int32", "int64"]


def values_there(graph: apsp.Graph, dtype: str, weights: Any) -> Any:
    """The values of a factor that the kernels compute."""
    tree = elimination_tree(graph, threads=1)
    assert tree is not None
    graphs = [graph._with(weights=each) for each in weights]
    factors = FactorsOnGpu(tree, 0).factors(graphs, np.dtype(dtype), threads=2)
    assert factors is not None
    return [factor.values for factor in factors]


def graphs() -> dict[str, apsp.Graph]:
    rng = np.random.default_rng(5)
    some = rng.integers(0, 150, (2, 400))
    closed = rng.random(150) < 0.2
    return {
        "city": apsp.generate("city", 400, seed=1),
        "grid": apsp.generate("grid", shape=(50, 40), seed=2),
        "complete": apsp.generate("complete", 130, seed=3),
        "random": apsp.from_edges(*some, rng.integers(0, 90, 400), n=150),
        "zones": apsp.from_edges(*some, rng.integers(0, 90, 400), n=150, zones=closed),
        "one": apsp.from_edges([], [], [], n=1),
        "apart": apsp.from_edges([0, 3], [1, 3], [4, 2], n=5),
    }


@pytest.fixture
def gpu_of_cpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[Launches]:
    with emulated_gpus(monkeypatch) as launches:
        yield launches


@pytest.mark.gpu
@pytest.mark.parametrize("name", list(graphs()))
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_values_are_those_of_the_cpu_on_a_gpu(cupy: Any, name: str, dtype: str) -> None:
    check(name, dtype)


@pytest.mark.parametrize("name", list(graphs()))
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_values_are_those_of_the_cpu(gpu_of_cpu: Launches, name: str, dtype: str) -> None:
    check(name, dtype)


def check(name: str, dtype: str) -> None:
    graph = graphs()[name]
    periods = [graph.arc_weights(np.int64) // part for part in (7, 1 if dtype != "uint16" else 3, 2)]
    found = values_there(graph, dtype, np.array(periods).reshape(3, graph.m))
    for weights, values in zip(periods, found, strict=True):
        tree = elimination_tree(graph, threads=1)
        assert tree is not None
        changed = graph._with(weights=weights)
        expected = factorise(changed, np.dtype(dtype), tree)
        assert expected is not None
        np.testing.assert_array_equal(values, expected.values)


def test_more_large_fronts_and_periods_than_blocks(gpu_of_cpu: Launches) -> None:
    tails, heads = np.nonzero(~np.eye(110, dtype=bool))
    apart = 110 * np.arange(5).repeat(len(tails))
    lengths = np.random.default_rng(3).integers(1, 99, 5 * len(tails))
    graph = apsp.from_edges(np.tile(tails, 5) + apart, np.tile(heads, 5) + apart, lengths, n=550)
    tree = elimination_tree(graph, threads=1)
    assert tree is not None
    graphs = [graph._with(weights=graph.weights // part) for part in (1, 2, 3)]
    factors = FactorsOnGpu(tree, 0, most_blocks=2).factors(graphs, np.dtype("int32"), threads=1)
    assert factors is not None
    for factor in factors:
        expected = factorise(factor.graph, np.dtype("int32"), tree)
        assert expected is not None
        np.testing.assert_array_equal(factor.values, expected.values)


@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_kernels_compile_without_spills(capability: tuple[int, int]) -> None:
    wanted = [name for dtype in DTYPES for name in expressions(dtype)]
    compiled = nvrtc.compile_for("factorise.cu", wanted, capability)
    assert set(compiled.spilled_bytes) == set(wanted)
    assert not any(compiled.spilled_bytes.values()), compiled.spilled_bytes
