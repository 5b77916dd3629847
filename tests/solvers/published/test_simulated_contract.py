"""The contract of test_contract.py for the published methods of GPUs, their kernels run on the CPU."""

from __future__ import annotations

import pytest

import test_contract as contract
from apsp.solvers.registry import METHODS
from contract import GRAPHS, HOP_GRAPHS, ring

RUNS = [name + contract.ON_GPU for name, row in METHODS.items() if row.family == "published" and "cuda" in row.devices]
NEGATIVE_RUNS = [run for run in RUNS if contract.row_of(run).negative]
LARGE = ("several panels", "not a multiple of anything", "ring", "star")
ROUNDS = [
    (name, contract.WEIGHTS[number % len(contract.WEIGHTS)])
    for number, name in enumerate(name for name in GRAPHS if name not in LARGE)
]
HOPS = ("zero cycle", "terminals", "undirected", "no vertex")

pytestmark = pytest.mark.usefixtures("gpu_of_cpu")


@pytest.mark.parametrize(("name", "weights"), ROUNDS)
@pytest.mark.parametrize("run", RUNS)
def test_distances_and_paths(run: str, name: str, weights: str) -> None:
    contract.test_distances_and_paths(run, name, weights)


@pytest.mark.parametrize("name", [name for name in HOP_GRAPHS if name in HOPS])
@pytest.mark.parametrize("run", RUNS)
def test_hops(run: str, name: str) -> None:
    contract.test_hops(run, name)


@pytest.mark.parametrize("run", RUNS)
def test_dtypes_sources_targets_cutoff_and_output(run: str) -> None:
    for dtype in ("uint16", "int32", "int64", "float32", "float64"):
        contract.test_asked_dtype(run, dtype)
    contract.test_near_overflow(run)
    contract.test_some_sources_targets_and_cutoff(run)
    contract.test_output_in_a_wider_array(run)


@pytest.mark.parametrize("weights", ["int64", "float32"])
@pytest.mark.parametrize("run", NEGATIVE_RUNS)
@pytest.mark.parametrize("edges", [[(0, 0, -1)], [(0, 1, 1), (1, 0, -2)], [*ring(29, -1), (29, 0, 5)]])
def test_negative_cycles(run: str, edges: list[tuple[int, int, int]], weights: str) -> None:
    contract.test_negative_cycle(run, 30, edges, weights)
