"""Small work: the short way runs what `apsp.plan` explains, without a look at the machine."""

from __future__ import annotations

import types
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import apsp
from apsp.errors import MemoryLimitError, RequestError
from apsp.facts.request import Request
from apsp.graph.dense_facts import DenseFacts
from apsp.graph.device import DeviceGraph
from apsp.methods import registry
from apsp.planning import attempts
from apsp.planning.planner import Machine, Plan, plan_for
from apsp.planning.small import plan_small
from apsp.semiring import MAX_MIN


def random_graph(rng: np.random.Generator, low: float, dtype: str) -> apsp.Graph:
    n = int(rng.integers(1, 60))
    m = int(rng.integers(0, 4 * n))
    tails, heads = rng.integers(0, n, m), rng.integers(0, n, m)
    heights = rng.integers(0, 50, n)
    weights = rng.integers(1, 50, m) + (heights[tails] - heights[heads] if low < 0 else 0)
    return apsp.from_edges(tails, heads, weights.astype(dtype), n=n)


@pytest.mark.few(3)
@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("low", [0, -1])
def test_it_runs_what_the_plan_explains(dtype: str, low: int) -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        graph = random_graph(rng, low, dtype)
        sources = None if rng.random() < 0.5 else [0, graph.n - 1]
        result = apsp.solve(graph, sources=sources, paths=True)
        explained = apsp.plan(graph, sources=sources, paths=True)
        assert (result.info["method"], result.info["dtype"], result.info["threads"]) == (
            explained.method, explained.dtype.name, explained.threads,
        )  # fmt: skip
        np.testing.assert_array_equal(
            result.distances, apsp.solve(graph, sources=sources, method="reference", dtype=explained.dtype).distances
        )
        result.verify()


def test_the_machine_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def detect(root: Path = Path("/")) -> Machine:
        raise AssertionError("small work needs no facts of the machine")

    monkeypatch.setattr(Machine, "detect", detect)
    sparse = sp.csr_array([[0.0, 2, 0], [0, 0, 3], [1, 0, 0]])
    assert apsp.solve(sparse).distances.tolist() == [[0, 2, 5], [4, 0, 3], [1, 3, 0]]
    assert apsp.diameter(sparse) is not None
    assert len(list(apsp.stream(sparse, rows=2))) == 2
    with pytest.raises(AssertionError, match="no facts"):
        apsp.solve(apsp.generate("ring", 500))


def test_what_is_not_small(tmp_path: Path) -> None:
    graph = apsp.generate("ring", 50)
    assert plan_small(graph, Request()) is not None
    assert plan_small(graph, Request(device="cpu", mode="stream")).block_rows == 50  # type: ignore[union-attr]
    for request in (
        Request(method="dijkstra"), Request(device="cuda"), Request(device="emulated"),
        Request(pages_file=tmp_path / "pages"), Request(semiring=MAX_MIN),
    ):  # fmt: skip
        assert plan_small(graph, request) is None
    assert plan_small(apsp.generate("ring", 500), Request()) is None, "many sources"
    assert plan_small(apsp.generate("ring", 500), Request(sources=1)) is not None
    assert plan_small(apsp.generate("ring", 5000), Request(sources=1)) is None, "a large graph"


def test_the_explanation_says_that_nothing_was_compared() -> None:
    explained = plan_for(apsp.generate("ring", 50))
    assert "the work is so small that comparing methods would take longer" in explained.explain()
    assert explained.rejected == ()
    assert explained.bytes_output == 50 * 50 * explained.dtype.itemsize


@pytest.mark.parametrize(("name", "value"), [("APSP_NUM_THREADS", "many"), ("APSP_GPU_MEMORY", "much")])
def test_the_environment_is_checked(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(RequestError, match=name):
        apsp.solve(apsp.generate("ring", 5))


def test_threads_that_are_requested_are_used() -> None:
    graph = apsp.generate("ring", 50)
    assert apsp.solve(graph).info["threads"] == 1
    assert apsp.solve(graph, threads=2).info["threads"] == 2


def test_progress_is_reported_once_and_may_stop_the_work() -> None:
    seen: list[tuple[str, int, int]] = []
    apsp.solve(apsp.generate("ring", 50), progress=lambda *told: seen.append(told))
    assert [told[1:] for told in seen] == [(50, 50)]

    def stop(*told: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        apsp.solve(apsp.generate("ring", 50), progress=stop)


class OnGpu(DeviceGraph):
    """A dense graph of ones, as if its matrix lay on a GPU."""

    def __init__(self, n: int, gpu: int) -> None:
        self.matrix = types.SimpleNamespace(
            device=types.SimpleNamespace(id=gpu), dtype=np.dtype("float32"), __len__=lambda: n
        )
        self._n, self._hops, self.directed, self.zones = n, False, True, None
        self.facts = DenseFacts(n * (n - 1), 0, 1.0, 1.0, float(n), n - 1, 0)

    @property
    def n(self) -> int:
        return self._n


def test_small_matrices_on_a_gpu_are_closed_there() -> None:
    found = plan_small(OnGpu(256, 0), Request(device="cuda"))
    assert found is not None
    assert (found.device, found.gpus, found.matrix_in, found.dtype.name) == ("cuda", (0,), "device", "float32")
    assert "cuda" in registry.get(found.method).devices
    assert plan_small(OnGpu(256, 1), Request(device="cuda:1")).gpus == (1,)  # type: ignore[union-attr]
    for graph, request in (
        (OnGpu(256, 1), Request(device="cuda")), (OnGpu(256, 0), Request(device="cpu")),
        (OnGpu(256, 0), Request(device="cuda:0,1")), (OnGpu(256, 0), Request(device="cuda", gpu_memory=1 << 30)),
        (OnGpu(256, 0), Request(device="cuda", mode="stream")), (OnGpu(2000, 0), Request(device="cuda")),
    ):  # fmt: skip
        assert plan_small(graph, request) is None


def test_a_full_gpu_is_planned_for(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, planned = OnGpu(256, 0), apsp.plan(apsp.generate("ring", 5))
    monkeypatch.setattr(attempts, "plan_for", lambda *_: planned)
    ran = []

    def work(decided: Plan) -> str:
        ran.append(decided.device)
        if decided.device == "cuda":
            raise MemoryLimitError("the matrix", 2, 1, [])
        return decided.device

    assert attempts.attempt(graph, Request(device="cuda"), work) == ("cpu", None)
    assert ran == ["cuda", "cpu"]
