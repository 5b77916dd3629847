"""Plans for invented graphs on invented machines."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from apsp.errors import (
    DeviceError,
    MemoryLimitError,
    MethodRefusedError,
    NegativeCycleError,
    RequestError,
    UnknownMethodError,
)
from apsp.facts.constants import Constants
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.planning import Gpu, Machine, Request, make_plan, plan_for, statistics_of
from apsp.semiring import MAX_MIN, OR_AND
from invented import GIB, LAPTOP, SERVER, TINY, bounded, constants, graph


def plan_of(statistics, machine=LAPTOP, **request):
    return make_plan(statistics, machine, Request(**request), constants(machine))


ROADS = graph(264_346, 730_100, high=10_000)


@pytest.mark.parametrize("machine", [LAPTOP, TINY, SERVER])
def test_dense_graphs_go_dense_and_sparse_graphs_go_sparse(machine):
    assert plan_of(graph(1000, 500_000, dtype="float32"), machine).method == "floyd-warshall"
    assert plan_of(graph(1000, 500_000, low=-3), machine).method == "floyd-warshall"
    assert plan_of(graph(16_000, 40_000, dtype="float64"), machine, sources=2).method.startswith("dijkstra")
    assert plan_of(graph(16_000, 40_000), machine, mode="stream").method == "label-correcting"
    assert plan_of(graph(16_000, 40_000, low=-3), machine, mode="stream").method == "label-correcting"
    assert plan_of(graph(16_000, 40_000, low=-3, dtype="float32"), machine, mode="stream").method == "johnson"
    assert plan_of(graph(16_000, 40_000, dtype=None, high=1), machine, mode="stream").method == "bit-bfs"


def test_label_correcting_where_it_is_worth_it():
    few = plan_of(graph(16_000, 64_000), sources=1)
    assert few.method.startswith("dijkstra"), "a batch that is not full costs as much"
    many = plan_of(graph(16_000, 64_000), sources=64)
    assert many.method == "label-correcting"
    wide, narrow = (plan_of(graph(16_000, 64_000, high=high), dtype="int32").seconds for high in (10**4, 1))
    assert narrow < wide, "16-bit labels serve twice as many sources"
    signed = graph(500, 2000, low=-3, dtype="float64")
    assert "negative floats are computed by johnson" in dict(plan_of(signed).rejected)["label-correcting"]
    assert plan_of(signed, method="label-correcting").bytes_work == plan_of(signed, method="johnson").bytes_work


@pytest.mark.parametrize("dtype", ["uint16", "int32", "int64"])
def test_lanes_and_bits_take_a_tenth_of_the_output(dtype):
    weighted, hops = graph(4677, 4 * 4677, high=9), graph(16_384, 65_536, dtype=None, high=1)
    for statistics, method in ((weighted, "label-correcting"), (hops, "bit-bfs")):
        plan = plan_of(replace(statistics, bound=bounded(0, 1000).bound), SERVER, method=method, dtype=dtype, threads=2)
        assert plan.bytes_work < 0.1 * plan.bytes_output


def test_few_sources_never_compute_everything():
    assert plan_of(graph(4000, 800_000, dtype="float32"), sources=3).method.startswith("dijkstra")


def test_more_cores_take_less_time():
    one, many = plan_of(ROADS, TINY, mode="stream"), plan_of(ROADS, SERVER, mode="stream")
    assert many.seconds < one.seconds / 50
    assert (one.threads, many.threads) == (1, 128)
    assert plan_of(ROADS, SERVER, threads=3, mode="stream").threads == 3
    oversubscribed = plan_of(ROADS, TINY, threads=64, mode="stream")
    assert oversubscribed.threads == 64
    assert oversubscribed.seconds >= one.seconds * 0.9


def test_small_labels_take_less_time():
    """The kernel uses labels of one byte, for distances only; in 16 bits half as many sources are searched at once."""
    small, large = (graph(2000, 12_000, high=high, depth=7) for high in (20, 32))
    seconds = [plan_of(g, method="label-correcting", threads=1).seconds for g in (small, large)]
    assert seconds[0] < 0.8 * seconds[1]
    paths = [plan_of(g, method="label-correcting", threads=1, paths=True).seconds for g in (small, large)]
    assert paths[0] == paths[1]


def test_no_more_threads_are_started_than_save_time():
    small = plan_of(graph(200, 800, high=9), SERVER)
    assert small.threads <= 4
    assert f"(of {SERVER.cores}: more would not be faster)" in small.explain()
    middle = plan_of(graph(3000, 12_000, high=9), SERVER)
    assert small.threads < middle.threads
    everything = plan_of(graph(200, 800, high=9), SERVER, threads=128)
    assert everything.threads == 128
    assert everything.seconds > 2 * small.seconds
    assert "would not be faster" not in everything.explain()


@pytest.mark.parametrize("name", [name for name, row in registry.METHODS.items() if "cpu" in row.devices])
def test_every_method_runs_by_name_and_has_a_cost(name):
    method = registry.get(name)
    statistics = graph(100, 500) if method.weighted else graph(100, 500, dtype=None, high=1)
    machine = replace(LAPTOP, gpus=(Gpu("NVIDIA H200", 140 * GIB, 139 * GIB, (9, 0)),))
    plan = plan_of(statistics, machine, method=name, device=method.devices[0])
    assert plan.method == name
    assert 0 < plan.seconds < 60
    assert plan.bytes_work + plan.bytes_on_gpu > 0
    assert "as requested" in plan.explain()


def test_a_method_may_share_the_cost_of_another(monkeypatch):
    new = replace(registry.get("dijkstra"), name="new-heap")
    monkeypatch.setitem(registry.METHODS, "new-heap", new)
    like, plan = plan_of(graph(100, 500), method="dijkstra"), plan_of(graph(100, 500), method="new-heap")
    assert plan.seconds == like.seconds


def test_references_are_never_picked():
    for statistics in (graph(2, 1), graph(3, 2, low=-1), graph(5, 8, dtype=None)):
        plan = plan_of(statistics)
        assert plan.method != "reference"
        assert "reference" not in dict(plan.rejected)


def test_unknown_and_refusing_methods():
    with pytest.raises(UnknownMethodError, match="did you mean 'floyd-warshall'"):
        plan_of(graph(9, 9), method="floydwarshall")
    with pytest.raises(MethodRefusedError, match=r"negative arcs.*floyd-warshall, label-correcting, johnson") as caught:
        plan_of(graph(9, 9, low=-1), method="dijkstra")
    assert caught.value.accepting == ["floyd-warshall", "label-correcting", "johnson", "elimination"]
    with pytest.raises(MethodRefusedError, match="counts hops"):
        plan_of(graph(9, 9), method="bfs")
    with pytest.raises(MethodRefusedError, match=r"all n x n.*dijkstra"):
        plan_of(graph(9, 9), method="floyd-warshall", mode="stream")
    with pytest.raises(MethodRefusedError, match=r"not in max_min.*floyd-warshall"):
        plan_of(graph(9, 9), method="dijkstra", semiring=MAX_MIN)
    with pytest.raises(MethodRefusedError, match="no method accepts this request"):
        plan_of(graph(9, 9), semiring=OR_AND)


def test_a_named_method_gets_a_dtype_that_it_computes_in(monkeypatch):
    narrow = replace(registry.get("dijkstra"), name="only-64", dtypes=("int64", "float64"))
    monkeypatch.setitem(registry.METHODS, "only-64", narrow)
    assert plan_of(graph(50, 99), method="only-64").dtype == np.int64
    assert "only-64 needs" in plan_of(graph(50, 99), method="only-64").explain()
    with pytest.raises(MethodRefusedError, match=r"int64, float64, not in int32.*dijkstra"):
        plan_of(graph(50, 99), method="only-64", dtype="int32")


def test_a_gpu_that_is_not_there():
    with pytest.raises(DeviceError, match=r"no GPU.*device='cpu'"):
        plan_of(graph(9, 9), device="cuda")


def test_a_gpu():
    machine = replace(SERVER, gpus=(Gpu("NVIDIA H200", 140 * GIB, 139 * GIB, (9, 0)),))
    plan = plan_of(graph(20_000, 40_000_000), machine, device="cuda")
    assert (plan.device, plan.method) == ("cuda", "floyd-warshall")
    assert "NVIDIA H200" in plan.explain()
    assert plan_of(graph(20_000, 400_000), machine).device == "cpu"
    with pytest.raises(MethodRefusedError, match=r"runs on cpu, not on cuda.*floyd-warshall"):
        plan_of(graph(9, 9), machine, device="cuda", method="dijkstra")
    with pytest.raises(MemoryLimitError, match=r"NVIDIA H200.*device='cpu'.*at most"):
        plan_of(graph(250_000, 400_000, high=10), machine, device="cuda", gpu_memory="100MiB")


def test_sixteen_bits_on_a_gpu_hold_half_as_much():
    machine = replace(SERVER, gpus=(Gpu("NVIDIA H200", 140 * GIB, 139 * GIB, (9, 0)),))
    statistics = graph(4, 6, high=12_000)
    assert plan_of(statistics, machine).dtype == np.uint16
    assert plan_of(statistics, machine, device="cuda").dtype == np.int32


def test_memory_of_a_matrix():
    plan = plan_of(graph(1000, 3000))
    assert plan.bytes_output == 1000 * 1000 * plan.dtype.itemsize
    assert plan_of(graph(1000, 3000), paths=True).bytes_output == plan.bytes_output + 4_000_000
    assert plan_of(graph(1000, 3000), out_given=True).bytes_output == 0
    assert plan_of(graph(1000, 3000), out_given=True, paths=True).bytes_output == 4_000_000
    assert plan_of(graph(1000, 3000), sources=10, targets=7).bytes_output == 70 * plan.dtype.itemsize
    large = plan_of(graph(4000, 12_000))
    assert large.bytes_work < 0.1 * large.bytes_output


def test_what_cannot_fit_says_what_would():
    with pytest.raises(MemoryLimitError) as caught:
        plan_of(ROADS, TINY, dtype="int64", paths=True)
    error, words = caught.value, str(caught.value)
    assert error.needed > 264_346**2 * 12
    assert error.available == GIB
    assert "264,346 x 264,346 distances in int64 with predecessors" in words
    assert "apsp.stream(graph, rows=" in words
    count = int(words.split("sources=range(")[1].split(")")[0])
    assert plan_of(ROADS, TINY, dtype="int64", paths=True, sources=count).bytes_output < GIB
    with pytest.raises(MemoryLimitError):
        plan_of(ROADS, TINY, dtype="int64", paths=True, sources=count + 1)
    for options, named in (({"cutoff": 120}, True), ({}, False), ({"cutoff": 120, "paths": True}, False)):
        with pytest.raises(MemoryLimitError) as caught:
            plan_of(ROADS, TINY, **options)
        assert ("apsp.within(graph, 120), only the pairs within the cutoff" in str(caught.value)) == named


def test_remedies_are_given_only_where_they_fit():
    n = 20_000
    short = bounded(0, 1000)
    short = replace(short, n=n, m=60_000)
    with pytest.raises(MemoryLimitError, match=r"dtype='uint16', proven.*763"):
        plan_of(short, TINY, dtype="int32")
    assert plan_of(short, TINY).dtype == np.uint16
    with pytest.raises(MemoryLimitError, match="paths=False"):
        plan_of(short, TINY, paths=True)
    with pytest.raises(MemoryLimitError, match=r"rows=\d+") as caught:
        plan_of(ROADS, TINY, mode="stream", rows=100_000)
    assert "apsp.stream" not in str(caught.value)
    full = Machine(cores=1, isa="avx2", memory_total=GIB, memory_available=1000)
    with pytest.raises(MemoryLimitError, match="a machine with more memory"):
        plan_of(ROADS, full)


def test_a_slower_method_that_fits_is_taken():
    # Two sources: the dense method would need all n x n while it works, and Johnson is made to look slow.
    statistics = graph(30_000, 9_000_000, low=-1, dtype="float32")
    costs = constants(SERVER).values
    slow = Constants(costs | {"johnson": dict.fromkeys(costs["johnson"], 1.0)}, "invented")
    assert make_plan(statistics, SERVER, Request(sources=2), slow).method == "floyd-warshall"
    tight = Machine(cores=2, isa="avx512", memory_total=6 * GIB, memory_available=3 * GIB)
    plan = make_plan(statistics, tight, Request(sources=2), slow)
    assert plan.method == "johnson"
    assert dict(plan.rejected)["floyd-warshall"].startswith("too large: it needs")


@pytest.mark.parametrize("machine", [LAPTOP, TINY, SERVER])
@pytest.mark.parametrize("paths", [False, True])
def test_blocks_fit(machine, paths):
    plan = plan_of(ROADS, machine, mode="stream", paths=paths)
    one_row = 264_346 * (plan.dtype.itemsize + 4 * paths)
    assert 1 <= plan.block_rows <= 264_346
    assert plan.block_rows * one_row <= max(256 << 20, machine.cores * one_row)
    assert plan.block_rows >= min(machine.cores, 264_346)
    assert plan.bytes_output == 2 * plan.block_rows * one_row


def test_rows_of_blocks():
    assert plan_of(graph(100, 300), mode="stream", rows=7).block_rows == 7
    assert plan_of(graph(100, 300), mode="stream", rows=700).block_rows == 100
    assert plan_of(graph(100, 300), mode="stream", sources=20).block_rows == 20
    assert plan_of(graph(100, 300)).block_rows == 100


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("mode", ["matrix", "stream"])
def test_graphs_of_next_to_nothing(n, mode):
    for m in (0, 1) if n else (0,):
        plan = plan_of(graph(n, m, bound=bounded(0, 0).bound), mode=mode, paths=True)
        assert plan.explain()
        json.dumps(plan.to_dict())
    assert plan_of(graph(5, 4), sources=0, targets=0).bytes_output == 0


def test_explain_says_what_why_what_not_how_long_and_how_large():
    plan = plan_of(graph(4677, 18_708), paths=True, cutoff=300, sources=1000)
    words = plan.explain()
    for needed in (
        "4,677 vertices, 18,708 arcs",
        "integer weights from 1 to 100",
        "from 1,000 to all of 4,677",
        "above 300",
        plan.method,
        "2 threads",
        "avx2",
        plan.dtype.name,
        "at most 467,600",
        "MiB for the result",
        "12.0 GiB are available",
        "at most",
        "constants shipped for avx2",
        "Not chosen",
        "bfs - cannot be used: it counts hops",
        "times as long",
    ):
        assert needed in words, needed
    assert plan.method not in dict(plan.rejected)


def test_plans_are_pure_and_json_ready():
    plan = plan_of(ROADS, mode="stream", paths=True)
    assert plan == plan_of(ROADS, mode="stream", paths=True)
    data = json.loads(json.dumps(plan.to_dict()))
    assert data["method"] == plan.method
    assert data["dtype"] == plan.dtype.name
    assert data["bound"]["high"] == plan.bound.high
    assert {"method", "reason"} == set(data["rejected"][0])


@pytest.mark.parametrize(
    "wrong",
    [
        {"device": "tpu"},
        {"threads": 0},
        {"threads": 1.5},
        {"rows": 0},
        {"rows": True},
        {"cutoff": -1},
        {"cutoff": float("nan")},
        {"dtype": "uint8"},
        {"gpu_memory": "16 cows"},
        {"pages_file": 3},
        {"pages_file": "."},
        {"pages_file": "no/such/folder/pages"},
    ],
)
def test_requests_that_make_no_sense(wrong):
    with pytest.raises(RequestError, match=next(iter(wrong))):
        Request(**wrong)


def test_plan_for_a_graph(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("APSP_NUM_THREADS", "3")
    ring = Graph(np.arange(6), [1, 2, 3, 4, 0], np.array([5, 0, 7, 1, 2]))
    plan = plan_for(ring)
    assert plan.threads == 3
    assert plan.dtype == np.uint16
    assert plan_for(ring, Request(threads=1)).threads == 1
    (tmp_path / "apsp").mkdir()
    (tmp_path / "apsp" / "tuned.json").write_text("{")
    assert "was ignored" in plan_for(ring).explain()


def test_statistics_of_graphs():
    star = Graph([0, 3, 3, 4, 4], [1, 2, 3, 2], np.array([5, 0, 7, 4], dtype=np.int64))
    taken = statistics_of(star)
    assert (taken.n, taken.m, taken.weight_dtype, taken.min_weight, taken.max_weight) == (4, 4, "int64", 0, 7)
    assert (taken.has_zero_arc, taken.has_negative_arc, taken.has_integer_weights) == (True, False, True)
    assert (taken.max_out_degree, taken.out_degree_skew, taken.density) == (3, 3.0, 4 / 12)
    assert taken.bound.high >= 7
    assert statistics_of(star) is taken
    hops = statistics_of(star.unweighted())
    assert (hops.is_weighted, hops.weight_dtype, hops.max_weight, hops.has_integer_weights) == (False, None, 1, True)
    floats = statistics_of(Graph([0, 1, 1], [1], np.array([-2.5])))
    assert (floats.has_negative_arc, floats.has_integer_weights, floats.min_weight) == (True, False, -2.5)
    for n in (0, 1, 3):
        empty = statistics_of(Graph(np.zeros(n + 1, dtype=int), []))
        assert (empty.n, empty.m, empty.max_weight, empty.density) == (n, 0, 0, 0.0)


def test_a_negative_cycle_matters_only_to_sums():
    cycle = Graph([0, 1, 2], [1, 0], np.array([-2, 1]))
    with pytest.raises(NegativeCycleError):
        plan_for(cycle)
    plan = plan_for(cycle, Request(semiring=MAX_MIN))
    assert (plan.bound.low, plan.bound.high) == (-2, 1)


def test_statistics_say_what_the_registry_asks():
    negative = Graph([0, 1, 1], [1], np.array([-2]))
    for method in registry.METHODS.values():
        for dtype in ("int32", "float32"):
            of_graph = registry.refusal(method, negative, np.dtype(dtype))
            assert registry.refusal(method, statistics_of(negative), np.dtype(dtype)) == of_graph


def test_memory_of_the_arcs_of_a_dense_graph():
    """Rows need the arcs as pairs of 8 bytes; Floyd-Warshall none of them, but for paths."""
    dense = graph(20_000, 20_000 * 19_999, dtype="float32")
    output = 20_000**2 * 4
    work = {
        (method, paths): make_plan(dense, LAPTOP, Request(method=method, paths=paths), constants()).bytes_work
        for method, paths in (("floyd-warshall", False), ("dijkstra", False))
    }
    assert work["floyd-warshall", False] < output / 50
    assert 2 * output < work["dijkstra", False] < 2.1 * output


def test_one_thread_is_one_thread() -> None:
    decided = plan_of(graph(100, 400), method="fw-sequential", threads=4)
    assert decided.threads == 1
    assert any("on 1 thread of" in reason for reason in decided.reasons)
