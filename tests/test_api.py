"""The front door: what it takes, what it refuses and with which words."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import apsp
from apsp.errors import DeviceError
from apsp.facts.request import Request
from apsp.methods import registry
from apsp.methods.problem import Problem, Solver
from apsp.planning import Gpu, Machine
from apsp.running.blocks import BlockArrays, blocks
from apsp.running.planned_rows import planned_rows
from apsp.running.summing import sums_of
from apsp.system.array_device import to_host
from contract import GRAPHS, assert_paths_replay, assert_same_distances, graph_of, random_edges


@pytest.fixture
def graph() -> apsp.Graph:
    return GRAPHS["not a multiple of anything"]("int32")


def test_anything_that_is_a_graph() -> None:
    dense = np.array([[0, 3, np.inf], [np.inf, 0, 4], [1, np.inf, 0]])
    expected = [[0, 3, 7], [5, 0, 4], [1, 4, 0]]
    arcs = [(0, 1, 3), (1, 2, 4), (2, 0, 1)]
    directed = nx.DiGraph()
    directed.add_weighted_edges_from(arcs)
    sparse = sp.csr_array(([3.0, 4.0, 1.0], ([0, 1, 2], [1, 2, 0])), shape=(3, 3))
    for given in (dense, directed, sparse, sparse.tocoo(), graph_of(3, arcs)):
        assert to_host(apsp.solve(given).distances).tolist() == expected


@pytest.mark.parametrize("given", ["rome99.gr", 3, None, [0, 1], object()])
def test_what_is_no_graph(given: object) -> None:
    with pytest.raises(apsp.GraphError, match="is not a graph"):
        apsp.solve(given)


def test_distances_and_paths_by_name() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [5, 6], labels=["Rome", "Siena", "Pisa"])
    result = apsp.solve(graph)
    assert result.distance("Rome", "Pisa") == 11
    assert result.path("Rome", "Pisa") == ["Rome", "Siena", "Pisa"]
    assert result.next_hop("Rome", "Pisa") == "Siena"
    assert result.distance("Pisa", "Rome") == math.inf
    with pytest.raises(apsp.NoPathError, match="no path from 'Pisa' to 'Rome'"):
        result.path("Pisa", "Rome")
    with pytest.raises(apsp.GraphError, match="no vertex 'Paris'"):
        result.distance("Paris", "Rome")
    with pytest.raises(apsp.GraphError, match="no vertex 3"):
        result.distance(3, 0)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"method": "dijkstar"}, apsp.UnknownMethodError, "did you mean 'dijkstra'"),
        ({"method": "bfs"}, apsp.MethodRefusedError, "counts hops.*methods that accept it: .*dijkstra"),
        ({"dtype": "uint8"}, apsp.RequestError, "uint8.*there are"),
        ({"device": "tpu"}, apsp.RequestError, "unknown device"),
        ({"sources": [131]}, apsp.ApspError, "vertex 131"),
        ({"targets": [-1]}, apsp.ApspError, "vertex -1"),
        ({"sources": np.array([0.5])}, apsp.GraphError, "there is no vertex 0.5"),
        ({"cutoff": -1}, apsp.RequestError, "cutoff"),
        ({"cutoff": float("nan")}, apsp.RequestError, "cutoff"),
        ({"threads": 0}, apsp.RequestError, "threads"),
        ({"semiring": "max_plus"}, apsp.RequestError, "semiring must be one of"),
        ({"out": np.empty((3, 3), dtype=np.int32), "dtype": "int32"}, apsp.RequestError, "out must be a int32 array"),
        ({"out": np.empty((131, 131))}, apsp.RequestError, "out must be"),
    ],
)
def test_requests_that_make_no_sense(
    graph: apsp.Graph, options: dict[str, object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        apsp.solve(graph, **options)  # type: ignore[arg-type]


def test_negative_cycle_is_printed() -> None:
    graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [1, 1, -3], labels=["a", "b", "c"])
    with pytest.raises(apsp.NegativeCycleError, match="-> ") as caught:
        apsp.solve(graph)
    assert sorted(caught.value.cycle) == ["a", "b", "c"]
    assert sorted(caught.value.positions) == [0, 1, 2]


def test_too_large_for_memory_says_what_fits() -> None:
    graph = apsp.from_edges(np.arange(999_999), np.arange(1, 1_000_000), n=1_000_000)
    with pytest.raises(apsp.MemoryLimitError, match="stream") as caught:
        apsp.solve(graph)
    assert caught.value.needed > 10**12 > caught.value.available
    assert "sources" in str(caught.value)
    with pytest.raises(apsp.MemoryLimitError):
        apsp.reachable(graph).bits  # noqa: B018
    assert apsp.solve(graph, sources=[0], targets=[999_999]).distance(0, 999_999) == 999_999


def test_plan_says_what_solve_does(graph: apsp.Graph) -> None:
    decided = apsp.plan(graph)
    result = apsp.solve(graph)
    assert result.info["method"] == decided.method
    assert result.distances.dtype == decided.dtype
    assert decided.method in decided.explain()


def test_a_plan_names_what_it_is_for(graph: apsp.Graph) -> None:
    stored = apsp.plan(graph)
    assert (stored.purpose, stored.block_rows) == ("solve", graph.n)
    assert "Planned for apsp.solve:" in stored.explain()
    for purpose in ("stream", "summary"):
        planned = apsp.plan(graph, for_=purpose, rows=7)
        assert (planned.purpose, planned.block_rows) == (purpose, 7)
        assert planned.to_dict()["purpose"] == purpose
        assert planned.bytes_output == 2 * 7 * graph.n * planned.dtype.itemsize
        assert f"Planned for apsp.{purpose}" in planned.explain()
        assert "two blocks of rows" in planned.explain()
    assert apsp.plan(graph, for_="stream", targets=[0], paths=True, rows=1).bytes_output == 2 * (
        planned.dtype.itemsize + 4 * graph.n
    )


def test_what_does_not_fit_may_be_planned_as_a_stream() -> None:
    graph = apsp.from_edges(np.arange(999_999), np.arange(1, 1_000_000), n=1_000_000)
    with pytest.raises(apsp.MemoryLimitError):
        apsp.plan(graph)
    planned = apsp.plan(graph, for_="summary", method="dijkstra")
    assert planned.bytes_output + planned.bytes_work < planned.bytes_available


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"for_": "store"}, "for_ must be one of solve, stream, summary"),
        ({"for_": None}, "for_ must be one of"),
        ({"rows": 3}, "plan with for_='stream'"),
        ({"for_": "stream", "rows": 0}, "rows must be"),
        ({"for_": "stream", "semiring": "max_min"}, "shortest paths only"),
        ({"for_": "summary", "targets": [0]}, "without targets and paths"),
        ({"for_": "summary", "paths": True}, "without targets and paths"),
    ],
)
def test_what_cannot_be_planned_for(graph: apsp.Graph, options: dict[str, object], words: str) -> None:
    with pytest.raises(apsp.RequestError, match=words):
        apsp.plan(graph, **options)


@pytest.mark.few(4)
@pytest.mark.parametrize("reuse", [False, True])
@pytest.mark.parametrize("rows", [1, 7, 131, 1000, None])
def test_stream_is_solve_in_blocks(graph: apsp.Graph, rows: int | None, reuse: bool) -> None:
    whole = apsp.solve(graph, method="reference", dtype="int32")
    parts, sources, preds = [], [], []
    for block in apsp.stream(graph, rows=rows, reuse=reuse, paths=True):
        parts.append(block.distances.copy())
        sources.append(block.sources)
        assert block.has_predecessors
        preds.append(block.predecessors.copy())
    assert np.concatenate(sources).tolist() == list(range(graph.n))
    assert_same_distances(np.concatenate(parts), whole.distances)
    assert_paths_replay(apsp.Result(graph, whole.distances, pred=np.concatenate(preds)))


def test_stream_fails_at_the_call() -> None:
    graph = graph_of(2, [(0, 1, 1), (1, 0, -2)])
    with pytest.raises(apsp.NegativeCycleError):
        apsp.stream(graph)
    with pytest.raises(apsp.RequestError, match="rows"):
        apsp.stream(graph, rows=0)


def test_paths_without_kept_predecessors(graph: apsp.Graph) -> None:
    result = apsp.solve(graph)
    assert not result.has_predecessors
    with pytest.raises(apsp.PathsNotKeptError, match="paths=True"):
        _ = result.predecessors
    for source, target in ((0, 1), (5, 5), (130, 64)):
        path = result.path(source, target)
        assert path[0] == source
        assert path[-1] == target
        assert apsp.result.paths.replay(graph, path) == result.distance(source, target)
    some = apsp.solve(graph, targets=[1, 2])
    with pytest.raises(apsp.PathsNotKeptError, match="targets"):
        some.path(0, 1)


def test_progress_is_told_and_may_stop_the_work(graph: apsp.Graph) -> None:
    seen = []
    apsp.solve(graph, progress=lambda stage, done, total: seen.append((stage, done, total)))
    assert seen[-1][1:] == (131, 131)

    class StopHereError(Exception):
        pass

    def stop(*_: object) -> None:
        raise StopHereError

    with pytest.raises(StopHereError):
        apsp.solve(graph, progress=stop)


def test_threads_variable(graph: apsp.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APSP_NUM_THREADS", "3")
    assert apsp.plan(graph).threads == 3
    assert apsp.plan(graph, threads=1).threads == 1
    monkeypatch.setenv("APSP_NUM_THREADS", "many")
    with pytest.raises(apsp.RequestError, match="APSP_NUM_THREADS"):
        apsp.plan(graph)


INTERRUPTED = """
import apsp, numpy as np, sys
n = 6000
graph = apsp.generate("random", n, seed=1, weights=(1, 1000))
print("ready", flush=True)
try:
    for _ in range(100):
        apsp.solve(graph, method=sys.argv[1])
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.few(1)
@pytest.mark.parametrize("method", ["floyd-warshall", "dijkstra", "johnson"])
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_an_interrupt_stops_the_work(method: str) -> None:
    with subprocess.Popen([sys.executable, "-c", INTERRUPTED, method], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        os.kill(process.pid, signal.SIGINT)
        assert process.communicate(timeout=60)[0] == "interrupted\n"


def test_widest_and_minimax_paths() -> None:
    graph = graph_of(70, random_edges(70, 300, 1, 1000, 5), dtype="int32")
    matrix = graph.to_dense().astype(float)
    widest = np.where(np.isfinite(matrix), matrix, -np.inf)
    np.fill_diagonal(widest, np.inf)
    minimax = matrix.copy()
    np.fill_diagonal(minimax, -np.inf)
    for k in range(70):
        widest = np.maximum(widest, np.minimum(widest[:, k, None], widest[None, k]))
        minimax = np.minimum(minimax, np.maximum(minimax[:, k, None], minimax[None, k]))
    off = ~np.eye(70, dtype=bool) & np.isfinite(widest)
    np.testing.assert_array_equal(apsp.solve(graph, semiring="max_min").distances[off], widest[off])
    np.testing.assert_array_equal(apsp.solve(graph, semiring="min_max").distances[off], minimax[off])


NOT_IMPORTED = {
    "cupy", "dask", "joblib", "matplotlib", "networkx", "pandas", "polars", "pyarrow", "sklearn", "threadpoolctl",
    "torch", "xarray", "click", "rich",
    "apsp._emulated", "apsp.api.batch", "apsp.api.oracle", "apsp.result.profile", "apsp.cli", "apsp.compat",
    "apsp.figures.map", "apsp.gpu.counts", "apsp.gpu.machine_code", "apsp.gpu.nvrtc", "apsp.graph.files.options",
    "apsp.graph.files.source", "apsp.planning.tune", "apsp.published.cost", "apsp.published.experiments",
    "apsp.result.file",
    *(method.module for method in apsp.list_methods()),
}  # fmt: skip
"""Modules that `import apsp` does not need: each costs time at the start of every program."""


def test_import_is_light() -> None:
    code = f"import sys, apsp; print(sorted({NOT_IMPORTED!r} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_names_that_are_imported_at_their_first_use() -> None:
    code = (
        "import apsp; assert set(apsp.__all__) <= set(dir(apsp)); from apsp import *;"
        "print(prepare.__module__, Oracle.__name__, Profile.__name__, solve_batch.__name__, profile.__name__);"
        "apsp.profiles"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "apsp.api.oracle.preparing Oracle Profile solve_batch profile\n"
    assert done.stderr.count("AttributeError: module 'apsp' has no attribute 'profiles'") == 1


def test_modules_are_imported_at_their_first_use() -> None:
    code = (
        "import sys, apsp; assert 'apsp.csgraph' not in sys.modules;"
        "assert apsp.csgraph.dijkstra and apsp.spmd.plan and apsp.sklearn.GeodesicDistance;"
        "print(*sorted(set(dir(apsp)) - set(apsp.__all__)))"
    )
    pytest.importorskip("sklearn")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "csgraph sklearn spmd\n"


NO_THREADS = """
import threading
import apsp
try:
    threading.Thread(target=print).start()
except RuntimeError:
    pass
else:
    raise SystemExit("the limits let threads through")
graph = apsp.generate("random", 300, seed=1, weights=(1, 1000))
expected = apsp.solve(graph, method="reference", dtype="int32").distances
for method in ("floyd-warshall", "dijkstra", "johnson"):
    assert (apsp.solve(graph, method=method, dtype="int32", threads=8).distances == expected).all()
print("solved")
"""


def no_room_for_threads() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_STACK, (8 << 30, 8 << 30))  # the size of a thread's stack, too large for ...
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))  # ... all memory of the process


@pytest.mark.skipif(sys.platform != "linux", reason="limits as on Linux")
def test_a_system_that_refuses_threads_still_gets_its_distances() -> None:
    done = subprocess.run(
        [sys.executable, "-c", NO_THREADS],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        preexec_fn=no_room_for_threads,
    )
    assert done.stdout == "solved\n", done.stderr


LINE = apsp.from_edges([0, 1], [1, 2], [3, 4], labels=["a", "b", "c"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sources": [1.5]}, "no vertex 1.5"),
        ({"sources": [True, False, True]}, "no vertex True"),
        ({"sources": np.ones(3, dtype=bool)}, "not a mask"),
        ({"targets": object()}, "no vertex <object"),
        ({"cutoff": "5"}, "cutoff must be a number of at least 0, not '5'"),
        ({"threads": "2"}, "threads must be a whole number"),
        ({"threads": float("nan")}, "threads must be a whole number"),
        ({"out": [1]}, "out must be a NumPy array, not a list"),
        ({"out": np.zeros((3, 3), dtype=">u2")}, "out must be a uint16 array"),
        ({"out": np.zeros((3, 3), dtype=np.uint16)[::-1]}, "rows must not overlap"),
        ({"out": np.lib.stride_tricks.as_strided(np.zeros(9, np.uint16), (3, 3), (2, 2))}, "rows must not overlap"),
        ({"out": np.zeros(3, dtype=[("tag", "i1"), ("row", "u2", (3,))])["row"]}, "begin at whole elements"),
        ({"out": np.zeros(19, np.uint8)[1:].view(np.uint16).reshape(3, 3)}, "begin at whole elements"),
    ],
)
def test_arguments_of_the_wrong_kind(options: dict[str, object], message: str) -> None:
    with pytest.raises((apsp.RequestError, apsp.GraphError), match=message):
        apsp.solve(LINE, **options)


def test_names_as_an_array() -> None:
    for names in (np.array(["c", "a"]), np.array(["c", "a"], dtype=object)):
        assert apsp.solve(LINE, sources=names).sources.tolist() == ["c", "a"]


def test_sums_that_overflow_float64_are_refused() -> None:
    with pytest.raises(apsp.DtypeRangeError, match="may overflow to infinity"):
        apsp.solve(apsp.from_edges([0, 1], [1, 2], [1.7e308, 1.7e308]))


def test_no_gpu(monkeypatch):
    monkeypatch.setattr("apsp.gpu.jit.why_no_gpu", lambda: "there is none; plug one in")
    with pytest.raises(apsp.DeviceError, match=r"device='cuda': there is none; plug one in; use device='cpu'"):
        apsp.solve(np.ones((3, 3)), device="cuda")


def test_a_file_of_pages_is_the_result(tmp_path) -> None:
    graph = graph_of(300, random_edges(300, 1200, 1, 50, 1), dtype="int32")
    expected = apsp.solve(graph, method="floyd-warshall", paths=True)
    for _ in range(2):  # the second time nothing is left to do
        result = apsp.solve(graph, pages_file=tmp_path / "pages", paths=True)
        assert isinstance(result.distances, np.memmap)
        assert not result.distances.flags.writeable
        np.testing.assert_array_equal(result.distances, expected.distances)
        result.verify()
    some = apsp.solve(graph, pages_file=tmp_path / "pages", sources=[3, 4], targets=[7])
    np.testing.assert_array_equal(some.distances, expected.distances[[3, 4]][:, [7]])
    with pytest.raises(apsp.MethodRefusedError, match="cannot keep its matrix in a file"):
        apsp.solve(graph, pages_file=tmp_path / "pages", method="dijkstra")


def test_bits_in_a_file(tmp_path) -> None:
    graph = graph_of(300, random_edges(300, 350, 1, 50, 1), dtype="int32")
    graph = apsp.Graph(graph.indptr, graph.indices, graph.weights, zones=np.arange(300) % 7 == 3)
    expected, place = apsp.reachable(graph), tmp_path / "bits"
    heavier = apsp.Graph(graph.indptr, graph.indices, graph.weights * 2, zones=graph.zones)
    for given in (graph, graph, heavier):  # computed, then loaded: lengths do not matter
        found = apsp.reachable(given, pages_file=str(place), device="cpu")
        assert (found.count(), found.device) == (expected.count(), "cpu")
        np.testing.assert_array_equal(found.to_numpy(), expected.to_numpy())
        assert not found.bits.flags.writeable
    for wrong, message in ((LINE, "rows is 300, not 3"), (apsp.Graph(graph.indptr, graph.indices), "its graph is")):
        with pytest.raises(apsp.RequestError, match=rf"pages of another run: .*{message}|another run: {message}"):
            apsp.reachable(wrong, pages_file=place)
    with pytest.raises(apsp.RequestError, match="pages of another run: its columns is 5, not 300"):
        apsp.solve(graph, pages_file=place)
    with pytest.raises(apsp.RequestError, match="there is no folder"):
        apsp.reachable(graph, pages_file=tmp_path / "none" / "bits")
    for n in (0, 1):
        assert apsp.reachable(apsp.from_edges([], [], n=n), pages_file=tmp_path / f"bits of {n}").count() == n


def test_a_stopped_run_of_bits_is_resumed(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("apsp.methods.floyd_warshall.strips.by_strips.COMMIT_SECONDS", 0.0)
    monkeypatch.setattr("apsp.methods.floyd_warshall.strips.cuts._FILE_PANEL", 128)
    graph = graph_of(700, random_edges(700, 1000, 1, 50, 1), dtype="int32")
    told: list[int] = []

    def stop(_: str, done: int, total: int) -> None:
        if done > 400:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        apsp.reachable(graph, pages_file=tmp_path / "bits", device="cpu", progress=stop)
    with (tmp_path / "bits").open("rb") as file:
        assert b'"next_pivot": 384' in file.read(8192)
    found = apsp.reachable(
        graph, pages_file=tmp_path / "bits", device="cpu", progress=lambda _, done, total: told.append(done)
    )
    assert told[0] >= 384
    np.testing.assert_array_equal(found.bits, apsp.reachable(graph).bits)


@pytest.mark.slow
def test_a_closure_on_a_gpu_that_nobody_asked_for_fails_quietly(tmp_path, monkeypatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise apsp.DeviceError("GPU 0 failed")

    def with_gpu(machine: Machine) -> Machine:
        return replace(
            machine, gpus=(Gpu("NVIDIA H200", 140 << 30, 139 << 30, (9, 0), multiprocessors=132, clock=10**9),)
        )

    monkeypatch.setattr("apsp.methods.closure.on_gpu.closure_on_gpu", broken)
    monkeypatch.setattr("apsp.methods.closure.by_strips._on_gpus", broken)
    monkeypatch.setattr("apsp.planning.closures.with_gpus", with_gpu)
    monkeypatch.setattr("apsp.methods.closure.cost._CALL", 10.0)
    for pages_file in (None, tmp_path / "bits"):
        assert apsp.reachable(LINE, pages_file=pages_file).reaches("a", "c")
        with pytest.raises(apsp.DeviceError, match="GPU 0 failed"):
            apsp.reachable(LINE, device="cuda", pages_file=pages_file)


def test_a_failed_run_of_bits_leaves_no_file(tmp_path, monkeypatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise apsp.MemoryLimitError("a strip", 2, 1, ["less"])

    monkeypatch.setattr("apsp.methods.closure.by_strips.close_by_strips", broken)
    with pytest.raises(apsp.MemoryLimitError):
        apsp.reachable(LINE, device="cpu", pages_file=tmp_path / "bits")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_stream_goes_on_without_a_gpu_that_fails():
    graph = apsp.generate("random", 50, seed=1)
    decided = apsp.plan(graph, method="dijkstra", device="cpu")
    sound = registry.prepare(registry.get("dijkstra"))(Problem(graph, decided.dtype))
    filled = []

    class Failing:
        def fill(self, sources, dist, pred, progress=None):
            filled.append(len(sources))
            if len(filled) == 2:
                raise DeviceError("the GPU is gone")
            sound.fill(sources, dist, pred)

    def rows_of(instead):
        filled.clear()
        arrays = BlockArrays((50, None), decided.dtype, True, None)
        wanted = np.arange(50, dtype=np.int32)
        plan = replace(decided, block_rows=20)
        return np.concatenate([b.distances.copy() for b in blocks(Failing(), plan, wanted, arrays, False, instead)])

    np.testing.assert_array_equal(rows_of(lambda: sound), apsp.solve(graph, method="dijkstra").distances)

    def refusing():
        raise apsp.MethodRefusedError("okuyama", "it runs on cuda, not on cpu", [])

    for instead in (None, refusing):
        with pytest.raises(DeviceError, match="gone"):
            rows_of(instead)


def test_sums_go_on_without_a_gpu_that_fails():
    graph = apsp.generate("grid", 64, seed=1)
    rows = planned_rows(graph, None, None, Request(mode="stream", method="elimination", dtype="int32"))

    class Failing(Solver):
        can_measure = True

        def fill(self, sources, dist, pred, progress=None): ...

        def measure(self, sources, progress=None):
            raise DeviceError("the GPU is gone")

    broken = replace(rows, solver=Failing(), plan=replace(rows.plan, device="cuda", gpus=(0,)))
    found = apsp.reductions.summarize(sums_of(broken, False), 64).closeness_centrality("out")
    np.testing.assert_array_equal(found, apsp.closeness_centrality(graph, direction="out", method="dijkstra"))
    for named in (replace(broken, request=replace(rows.request, device="cuda")), replace(rows, solver=Failing())):
        with pytest.raises(DeviceError, match="gone"):
            list(sums_of(named, False))


def test_blocks_name_what_results_name() -> None:
    graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2], labels=["a", "b", "c"])
    chosen = {"sources": ["c", "a"], "targets": ["b", "c"], "paths": True}
    result, (block,) = apsp.solve(graph, **chosen), apsp.stream(graph, **chosen)
    for name in ("sources", "source_positions", "targets", "target_positions", "distances", "predecessors"):
        np.testing.assert_array_equal(getattr(block, name), getattr(result, name))
    (whole,) = apsp.stream(graph)
    assert whole.targets.tolist() == ["a", "b", "c"]
    assert not whole.has_predecessors
    with pytest.raises(apsp.PathsNotKeptError, match=r"stream\(\.\.\., paths=True\) keeps them"):
        _ = whole.predecessors
