"""Plans on invented GPUs: when they are worth it, what fits, and what the plan says about it."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest

import apsp
from apsp.errors import DeviceError, MemoryLimitError, MethodRefusedError
from apsp.facts.depth import with_depth
from apsp.facts.gpu_rates import rates_of
from apsp.facts.statistics import Fill, statistics_of
from apsp.facts.work import Work
from apsp.methods.floyd_warshall.cost import seconds_on_gpus
from apsp.methods.floyd_warshall.placement import placement_of
from apsp.methods.floyd_warshall.strips.cuts import strip_plan
from apsp.planning import Gpu, Machine, Request, make_plan, planner
from invented import GIB, LAPTOP, SERVER, constants, graph

H200 = Gpu("NVIDIA H200", 140 * GIB, 139 * GIB, (9, 0), multiprocessors=132, clock=1_980_000_000)
SMALL = Gpu("NVIDIA RTX 4060", 8 * GIB, 7 * GIB, (8, 9), multiprocessors=24, clock=2_460_000_000)
OLD = replace(H200, name="Tesla P100", unusable="it has compute capability 6.0, but at least 7.0 is needed")


def with_gpus(*gpus: Gpu, machine: Machine = LAPTOP) -> Machine:
    return replace(machine, gpus=gpus)


def plan_of(statistics, machine=with_gpus(H200), **request):  # noqa: B008
    return make_plan(statistics, machine, Request(**request), constants(machine))


DENSE = graph(20_000, 20_000 * 10_000, dtype="float32")
SPARSE = graph(20_000, 40_000, dtype="float32")


def test_dense_graphs_go_to_the_gpu_and_sparse_ones_stay():
    plan = plan_of(DENSE)
    assert (plan.device, plan.gpus, plan.method, plan.matrix_in) == ("cuda", (0,), "floyd-warshall", "device")
    assert plan.seconds < 5
    assert plan.bytes_on_gpu > 20_000**2 * 4
    assert plan.bytes_output == 20_000**2 * 4, "the result of device='auto' lies in host memory"
    words = plan.explain()
    assert "It runs on GPU 0, NVIDIA H200: the matrix lies in its memory; the result comes to host memory." in words
    assert "Device memory: " in words
    assert "139.0 GiB are free" in words
    assert "measured on an NVIDIA H200" in words
    assert "floyd-warshall - slower: about" in words
    sparse = plan_of(SPARSE, with_gpus(H200, machine=SERVER))
    assert (sparse.device, sparse.gpus, sparse.matrix_in, sparse.bytes_on_gpu) == ("cpu", (), "host", 0)
    assert dict(sparse.rejected)["floyd-warshall on cuda:0"].startswith("slower: about")
    json.dumps(plan.to_dict())


def test_few_sources_stay_on_the_cpu():
    assert plan_of(DENSE, sources=3).device == "cpu"
    assert plan_of(graph(2_000, 8_000), mode="stream").device == "cpu"


def test_blocks_of_rows_come_from_the_gpu_where_that_is_faster():
    plan = plan_of(DENSE, mode="stream")
    assert (plan.device, plan.method, plan.matrix_in) == ("cuda", "label-correcting", "rows")
    assert "rows are computed in its memory and leave it block by block" in plan.explain()
    named = plan_of(DENSE, mode="stream", device="cuda")
    assert (named.matrix_in, named.bytes_output) == ("device", 0)


def test_sparse_methods_on_a_gpu():
    random = graph(60_000, 240_000)
    plan = plan_of(random, with_gpus(H200, machine=SERVER), device="cuda")
    assert (plan.method, plan.matrix_in, plan.bytes_output) == ("label-correcting", "device", 0)
    assert 60_000**2 * 4 < plan.bytes_on_gpu < 60_000**2 * 4 + (1 << 30)
    small = plan_of(random, with_gpus(SMALL, machine=SERVER), device="cuda")
    assert (small.method, small.matrix_in) == ("label-correcting", "rows")
    assert small.bytes_output == 60_000**2 * 4
    assert small.bytes_on_gpu < GIB
    hops = replace(random, is_weighted=False, weight_dtype=None)
    assert plan_of(hops, with_gpus(H200, machine=SERVER), device="cuda").method == "bit-bfs"
    with pytest.raises(MethodRefusedError, match="it runs on one GPU, but 2 are requested"):
        plan_of(random, with_gpus(H200, H200), device="cuda:0,1", method="okuyama")
    negative = graph(3_000, 12_000, low=-3.0, dtype="float32")
    why = dict(plan_of(negative, with_gpus(H200)).rejected)["label-correcting on cuda"]
    assert "johnson" in why


def test_sources_are_shared_between_gpus():
    random, machine = graph(100_000, 400_000), with_gpus(H200, H200, machine=SERVER)
    one = plan_of(random, machine, device="cuda", mode="stream")
    plan = plan_of(random, machine, device="cuda:0,1", mode="stream")
    assert (plan.method, plan.gpus, plan.matrix_in) == ("label-correcting", (0, 1), "rows")
    assert one.seconds / 2 < plan.seconds < one.seconds
    assert 0 <= plan.block_rows - 2 * one.block_rows <= 64, "as many on each, in whole batches"
    assert one.block_rows > 2 * plan_of(random, machine, device="cpu", mode="stream").block_rows
    words = plan.explain()
    assert "It runs on GPU 0, NVIDIA H200 and GPU 1, NVIDIA H200: the graph lies in the memory of each" in words
    assert "on each GPU; 139.0 GiB are free" in words
    whole = plan_of(random, machine, device="cuda:0,1")
    assert (whole.matrix_in, whole.bytes_output) == ("rows", 100_000**2 * 4), "the result comes to the host"
    hops = replace(random, is_weighted=False, weight_dtype=None)
    assert plan_of(hops, machine, device="cuda:1,0", mode="stream").gpus == (1, 0)


def test_the_block_that_is_gathered_on_one_of_several_gpus_is_counted():
    random, machine = graph(30_000, 120_000), with_gpus(*[H200] * 8, machine=SERVER)
    asked = {"device": "cuda:" + ",".join(map(str, range(8))), "mode": "stream", "method": "label-correcting"}
    plan = plan_of(random, machine, **asked)
    assert plan.bytes_on_gpu > plan.block_rows * 30_000 * plan.dtype.itemsize > GIB
    with pytest.raises(MemoryLimitError):
        plan_of(random, machine, gpu_memory=GIB, **asked)
    assert plan_of(random, machine, gpu_memory=GIB, rows=1024, **asked).bytes_on_gpu < GIB


def test_the_smallest_of_several_gpus_decides():
    random, full = graph(60_000, 240_000), replace(H200, memory_free=GIB // 8)
    asked = {"device": "cuda:0,1", "method": "label-correcting", "mode": "stream"}
    with pytest.raises(MemoryLimitError, match=r"on GPU 0 .*, GPU 1 .*device='cuda:0', which has room"):
        plan_of(random, with_gpus(H200, full, machine=SERVER), **asked)


@pytest.mark.parametrize("changes", [{}, {"paths": True}, {"mode": "stream"}, {"sources": 5}])
def test_what_would_fit_a_sparse_method_on_a_gpu_does(changes):
    machine, random = with_gpus(H200, machine=SERVER), graph(60_000, 240_000)
    asked = {"device": "cuda", "method": "label-correcting"} | changes
    with pytest.raises(MemoryLimitError, match="label-correcting with 60,000 vertices") as caught:
        plan_of(random, machine, gpu_memory=1 << 20, **asked)
    assert "device='cpu'" in str(caught.value)
    words = re.search(r"gpu_memory='(\d+)MiB'", str(caught.value))
    assert words is not None
    assert plan_of(random, machine, gpu_memory=f"{words[1]}MiB", **asked).bytes_on_gpu <= caught.value.needed
    with pytest.raises(MemoryLimitError):
        plan_of(random, machine, gpu_memory=f"{int(words[1]) - 1}MiB", **asked)


def test_an_explicit_gpu_keeps_the_result():
    plan = plan_of(DENSE, device="cuda")
    assert plan.bytes_output == 0
    assert "the result stays on the GPU" in plan.explain()


def test_the_named_gpu_works():
    machine = with_gpus(H200, replace(H200, name="NVIDIA H100"), OLD)
    plan = plan_of(DENSE, machine, device="cuda:1")
    assert plan.gpus == (1,)
    assert "GPU 1, NVIDIA H100" in plan.explain()
    with pytest.raises(DeviceError, match=r"no GPU 7; there are 0 \(NVIDIA H200\), 1 \(NVIDIA H100\), 2 \(Tesla P100"):
        plan_of(DENSE, machine, device="cuda:7")
    with pytest.raises(DeviceError, match=r"GPU 2 \(Tesla P100\) cannot be used: .*at least 7.0 is needed"):
        plan_of(DENSE, machine, device="cuda:2")
    assert plan_of(DENSE, with_gpus(OLD, H200), device="cuda").gpus == (1,)
    assert plan_of(DENSE, with_gpus(OLD, H200)).gpus == (1,)


def test_why_there_is_no_gpu():
    none = replace(LAPTOP, no_gpu="GPU solvers need CuPy: pip install it")
    assert "No GPU: GPU solvers need CuPy: pip install it." in plan_of(DENSE, none).explain()
    assert "GPU detection skipped" in plan_of(DENSE, LAPTOP).explain()
    assert "GPU" not in plan_of(DENSE, none, device="cpu").explain()
    with pytest.raises(DeviceError, match=r"device='cuda': GPU solvers need CuPy: pip install it; use device='cpu'"):
        plan_of(DENSE, none, device="cuda")


def test_unknown_gpus_are_scaled_from_the_known_one():
    known, half = rates_of(H200), rates_of(replace(H200, name="NVIDIA X", multiprocessors=66))
    assert half.pairs["int32"] == pytest.approx(known.pairs["int32"] / 2)
    assert "scaled by multiprocessors and clock to 50%" in half.origin
    small = rates_of(SMALL)
    assert small.pairs["float64"] / known.pairs["float64"] < small.pairs["int32"] / known.pairs["int32"] / 20
    assert rates_of(replace(SMALL, multiprocessors=0)).pairs["int32"] > 0
    assert set(apsp.list_methods()[0].dtypes) <= set(known.pairs)


@pytest.mark.parametrize(
    ("n", "gpus", "dtype", "memory", "seconds"),
    [
        (8192, 1, "float32", None, 0.0369),
        (16384, 1, "float32", None, 0.280),
        (32768, 1, "float32", None, 2.205),
        (32768, 1, "int32", None, 2.110),
        (32768, 1, "uint16", None, 1.205),
        (65536, 1, "float32", None, 17.57),
        (65536, 2, "float32", None, 8.785),
        (65536, 4, "float32", None, 4.400),
        (131072, 1, "float32", None, 140.2),
        (131072, 2, "float32", None, 69.7),
        (131072, 4, "float32", None, 34.87),
        (262144, 4, "float32", None, 278.2),
        (32768, 1, "float32", "3GiB", 2.353),
        (131072, 1, "float32", "16GiB", 141.5),
    ],
)
def test_what_was_measured_on_the_known_gpu_is_foretold(n, gpus, dtype, memory, seconds):
    """The seconds are of closing alone: the graph is there, the pages are pinned, and the result stays."""
    machine = with_gpus(*[H200] * gpus, machine=SERVER)
    statistics = replace(graph(n, n * n, dtype="float32" if dtype == "float32" else "int32"), lies_on_gpu=True)
    request = Request(device="cuda:" + ",".join(map(str, range(gpus))), gpu_memory=memory)
    placement = placement_of(statistics, machine, request, dtype, request.gpus)
    assert placement is not None
    assert placement.where == ("host" if memory else "device" if gpus == 1 else "devices")
    work = Work(rows=n, threads=1, dtype=dtype, paths=False, output_bytes=0)
    rates = replace(rates_of(H200), start=0.0, pinning=math.inf)
    told = seconds_on_gpus(statistics, work, rates, placement, sums=True, to_host=False)
    assert told == pytest.approx(seconds, rel=0.03)


HUGE = graph(60_000, 10**6, high=10)
DENSELY = {"method": "floyd-warshall"}


def test_a_matrix_larger_than_the_gpu_lies_in_host_memory():
    plan = plan_of(HUGE, with_gpus(SMALL, machine=SERVER), device="cuda", **DENSELY)
    assert (plan.matrix_in, plan.gpus) == ("host", (0,))
    assert plan.bytes_on_gpu <= 7 * GIB
    assert plan.bytes_output == 60_000**2 * 4
    words = plan.explain()
    assert "the matrix lies in host memory and passes through it in pages; the result comes to host memory" in words
    limited = plan_of(HUGE, with_gpus(H200, machine=SERVER), device="cuda", **DENSELY, gpu_memory="4GiB")
    assert limited.matrix_in == "host"
    assert limited.bytes_on_gpu <= 4 * GIB
    assert limited.gpu_memory == 4 * GIB
    some = plan_of(HUGE, with_gpus(SMALL, machine=SERVER), device="cuda", **DENSELY, sources=5)
    assert some.bytes_work >= 60_000**2 * 4, "all are computed before five are taken"
    in_core = plan_of(HUGE, with_gpus(H200, machine=SERVER), device="cuda", **DENSELY)
    assert in_core.seconds < limited.seconds < 1.3 * in_core.seconds


def test_several_gpus():
    one = plan_of(HUGE, with_gpus(H200, H200, machine=SERVER), device="cuda", **DENSELY)
    both = plan_of(HUGE, with_gpus(H200, H200, machine=SERVER), device="cuda:0,1", **DENSELY)
    assert (both.gpus, both.matrix_in) == ((0, 1), "devices")
    assert one.bytes_on_gpu / 2 < both.bytes_on_gpu < one.bytes_on_gpu * 0.6
    assert both.seconds < one.seconds * 0.8
    assert both.bytes_output == 60_000**2 * 4
    words = both.explain()
    assert "GPU 0, NVIDIA H200 and GPU 1, NVIDIA H200: the matrix lies in their memories, a part in each" in words
    assert "on each GPU" in words
    paged = plan_of(HUGE, with_gpus(H200, SMALL, machine=SERVER), device="cuda:0,1", **DENSELY, gpu_memory="2GiB")
    assert (paged.gpus, paged.matrix_in) == ((0, 1), "host")
    assert "passes through them in pages" in paged.explain()


def test_a_matrix_that_fits_nowhere():
    with pytest.raises(MemoryLimitError) as caught:
        plan_of(
            HUGE, with_gpus(SMALL, H200, machine=SERVER), device="cuda", dtype="int64", paths=True, gpu_memory="9MiB"
        )
    words = str(caught.value)
    assert "60,000 x 60,000 distances in int64 with paths on GPU 0 (NVIDIA RTX 4060)" in words
    assert "device='cpu'" in words
    assert "a graph of at most" in words
    assert caught.value.available == 9 << 20
    least = int(words.split("gpu_memory='")[1].split("MiB'")[0])
    request = {"device": "cuda", "dtype": "int64", "paths": True}
    assert plan_of(HUGE, with_gpus(SMALL, machine=SERVER), **request, gpu_memory=f"{least}MiB").matrix_in == "host"
    with pytest.raises(MemoryLimitError):
        plan_of(HUGE, with_gpus(SMALL, machine=SERVER), **request, gpu_memory=f"{least - 1}MiB")


def test_remedies_on_a_gpu_are_given_only_where_they_fit():
    full = replace(H200, memory_free=200 << 20)
    narrow = replace(HUGE, bound=replace(HUGE.bound, low=0, high=30_000))

    def words(machine, statistics=narrow, **request):
        with pytest.raises(MemoryLimitError) as caught:
            plan_of(statistics, replace(machine, memory_available=2000 * GIB), device="cuda", **request)
        return str(caught.value)

    told = words(with_gpus(full), dtype="int64")
    assert "dtype='uint16', proven" in told
    assert "device='cuda:" not in told
    told = words(with_gpus(full, H200), dtype="int64")
    assert "device='cuda:1', which has room (NVIDIA H200)" in told
    assert "dtype" not in words(with_gpus(replace(H200, memory_free=20 << 20)), dtype="uint16")


def test_what_others_hold_is_said():
    held = replace(H200, memory_free=GIB // 8, memory_held=10 * GIB)
    with pytest.raises(MemoryLimitError, match=r"other programs hold 129\.9 GiB of the 140\.0 GiB of GPU 0") as caught:
        plan_of(HUGE, with_gpus(held, machine=SERVER), device="cuda", dtype="int64")
    assert "arrays of this program hold 10.0 GiB" in str(caught.value)


def test_sixteen_bits_are_the_same_whatever_device_is_chosen():
    between = graph(20_000, 20_000 * 10_000, bound=replace(graph(2, 1).bound, low=0, high=40_000))
    plan = plan_of(between)
    assert (plan.device, plan.dtype) == ("cpu", np.uint16)
    assert "below 32,767" in dict(plan.rejected)["floyd-warshall on cuda"]
    assert plan_of(between, device="cuda").dtype == np.int32
    assert plan_of(replace(between, bound=replace(between.bound, high=30_000))).device == "cuda"


def test_paths_of_negative_floats_come_from_johnson():
    negative = graph(3_000, 3_000 * 1_500, low=-3.0, dtype="float32")
    plan = plan_of(negative, LAPTOP, paths=True)
    assert plan.method == "johnson"
    assert "johnson finds the paths" in dict(plan.rejected)["floyd-warshall"]
    named = plan_of(negative, LAPTOP, paths=True, method="floyd-warshall")
    assert "distances and predecessors come from johnson, on the CPU" in named.explain()
    assert named.seconds == pytest.approx(plan.seconds, rel=0.01)
    assert plan_of(negative, LAPTOP).method == "floyd-warshall"
    assert "johnson, on the CPU" not in plan_of(negative, LAPTOP, method="floyd-warshall").explain()
    integers = graph(3_000, 3_000 * 1_500, low=-3)
    assert plan_of(integers, LAPTOP, paths=True).method == "floyd-warshall"


def test_a_file_for_pages(tmp_path):
    place = tmp_path / "pages"
    for machine, device in ((LAPTOP, "auto"), (with_gpus(H200), "cuda")):
        plan = plan_of(SPARSE, machine, pages_file=place, device=device)
        assert (plan.method, plan.matrix_in, plan.pages_file) == ("floyd-warshall", "file", place)
        assert f"in the file {place}" in plan.explain()
        assert json.loads(json.dumps(plan.to_dict()))["pages_file"] == str(place)
    with pytest.raises(
        MethodRefusedError, match=r"'johnson' cannot be used: on cpu it cannot keep its matrix in a file.*floyd"
    ):
        plan_of(SPARSE, LAPTOP, pages_file=place, method="johnson")
    negative = graph(3_000, 3_000 * 1_500, low=-3.0, dtype="float32")
    assert plan_of(negative, LAPTOP, pages_file=place).method == "floyd-warshall"
    with pytest.raises(MethodRefusedError, match=r"johnson finds the paths, which keeps nothing in a file.*paths=True"):
        plan_of(negative, LAPTOP, pages_file=place, paths=True)
    with pytest.raises(MethodRefusedError, match=r"no GPU: none here; methods|no GPU: none here; no method"):
        plan_of(SPARSE, replace(LAPTOP, no_gpu="none here"), pages_file=place, mode="stream")


def test_a_file_of_pages_on_the_cpu_counts_panels_and_strips_but_not_the_matrix(tmp_path):
    request = {"pages_file": tmp_path / "pages", "device": "cpu"}
    whole, part = plan_of(SPARSE, LAPTOP, **request), plan_of(SPARSE, LAPTOP, sources=3, **request)
    cut = strip_plan(20_000, 4, 1, 4 << 30, int(LAPTOP.memory_available * 0.95) // 4, where=("file",))
    assert whole.bytes_output == 0
    assert whole.bytes_work >= cut.device_bytes + cut.staging_bytes > 2 * cut.panel * 20_000 * 4
    assert part.bytes_work == whole.bytes_work, "the rows are taken from the file"
    assert plan_of(graph(0, 0), LAPTOP, **request).bytes_work < 1 << 20


def test_remedies_count_host_memory():
    with pytest.raises(MemoryLimitError) as caught:
        plan_of(graph(3_000_000, 10**7), device="cuda", gpu_memory=1)
    for wrong in ("gpu_memory=", "device='cpu'", "cuda:"):
        assert wrong not in str(caught.value)
    with pytest.raises(MemoryLimitError, match=r"What would fit: .*device='cpu'"):
        plan_of(DENSE, device="cuda", gpu_memory=1)


def test_gpus_are_looked_for_only_where_the_cpu_takes_long(monkeypatch):
    looked = []
    monkeypatch.setattr(planner, "with_gpus", lambda machine: looked.append(1) or replace(machine, no_gpu="none here"))
    ring = apsp.generate("ring", 500, weights=(1, 9))
    assert "GPU detection skipped" in planner.plan_for(ring).explain()
    assert not looked
    long = apsp.generate("ring", 200_000, weights=(1, 9))
    planner.plan_for(long, Request(mode="stream", device="cpu"))
    planner.plan_for(long, Request(mode="stream", method="dijkstra"))
    assert not looked
    assert "No GPU: none here." in planner.plan_for(long, Request(mode="stream")).explain()
    assert len(looked) == 1, "rows can come from a GPU too"


def test_grids_and_roads_are_swept_on_a_gpu():
    fill = Fill(entries=3_700_000, nodes=13_000, factor_pairs=2.7e8, row_pairs=1.5e6, climb_pairs=2.2e5)
    grid = replace(graph(62_500, 249_000, high=1000), fill=fill, separators_sought=True, max_out_degree=4)
    server = with_gpus(H200, machine=SERVER)
    plan = plan_of(grid, server, device="cuda", threads=16)
    assert (plan.method, plan.matrix_in, plan.bytes_output) == ("elimination", "device", 0)
    assert 62_500**2 * 4 < plan.bytes_on_gpu < 62_500**2 * 4 + 3 * GIB
    assert plan.seconds < 0.5
    assert "label-correcting on cuda:0 - slower" in plan.explain() or "label-correcting - slower" in plan.explain()
    assert plan_of(grid, server, device="cuda", mode="stream").bytes_on_gpu > plan.bytes_on_gpu / 4
    small = plan_of(grid, with_gpus(SMALL, machine=SERVER), device="cuda", method="elimination")
    assert (small.method, small.matrix_in) == ("elimination", "rows")
    assert small.bytes_on_gpu < 7 * GIB
    unknown = replace(grid, fill=None, separators_sought=False)
    assert plan_of(unknown, server, device="cuda").method == "label-correcting"
    dense = replace(fill, entries=60_000_000, factor_pairs=6e11, row_pairs=3e7, climb_pairs=3e7)
    expander = replace(graph(16_384, 65_536, high=1000), fill=dense, separators_sought=True)
    assert plan_of(expander, server, device="cuda").method == "label-correcting"


def test_few_rows_of_a_deep_graph_take_as_long_as_their_rounds():
    def seconds(n: int, depth: int, rows: int, m: int | None = None) -> float:
        roads = replace(graph(n, m or 3 * n, high=1000), max_out_degree=5, depth=depth)
        plan = plan_of(roads, device="cuda", method="label-correcting", sources=rows)
        return plan.seconds - plan_of(roads, device="cuda", method="label-correcting", sources=0).seconds

    assert seconds(250_000, 7000, 1) > 4 * seconds(250_000, 700, 1) > 0
    assert seconds(250_000, 700, 1) > 5e-3, "a search has one multiprocessor, and its labels are outside"
    assert seconds(250_000, 700, 1) == pytest.approx(seconds(250_000, 700, 100), rel=0.5)
    assert seconds(250_000, 700, 1320) > 8 * seconds(250_000, 700, 132)
    assert seconds(1_000_000, 700, 1) > 2 * seconds(250_000, 700, 1)
    assert 0.03 < seconds(1 << 20, 10, 64, m=8 << 20) < 0.2


@pytest.mark.parametrize("kind", ["grid", "city"])
def test_few_rows_of_generated_roads_take_longer_where_they_are_deeper(kind):
    request, found = Request(sources=4, device="cuda", mode="stream", dtype="int32"), []
    for n in (60_000, 240_000):
        roads = apsp.generate(kind, n, seed=1)
        statistics = with_depth(statistics_of(roads), roads)
        plan = make_plan(statistics, with_gpus(H200), request, constants(LAPTOP))
        none = make_plan(statistics, with_gpus(H200), replace(request, sources=0), constants(LAPTOP))
        found.append((statistics.likely_depth, plan.seconds - none.seconds))
    (flat, soon), (deep, late) = found
    assert deep > 1.8 * flat
    assert late > 1.8 * soon > 0
    assert late > deep * 1.5e-6, "a round per arc at least"


def test_sources_of_elimination_are_shared_between_gpus():
    fill = Fill(entries=8_700_000, nodes=18_700, factor_pairs=1.4e9, row_pairs=4e6, climb_pairs=4e5)
    roads = replace(graph(264_346, 730_100, high=1000), fill=fill, separators_sought=True, max_out_degree=8)
    machine = with_gpus(H200, H200, machine=SERVER)
    one = plan_of(roads, machine, device="cuda:1", mode="stream", threads=16)
    plan = plan_of(roads, machine, device="cuda:0,1", mode="stream", threads=16)
    assert (plan.method, plan.gpus, plan.matrix_in) == ("elimination", (0, 1), "rows")
    assert one.seconds / 2 < plan.seconds < one.seconds, "order and factor take as long"
    words = plan.explain()
    assert "the factor, which the CPU computes, lies in the memory of each" in words
    asked = {"device": "cuda:0,1", "method": "elimination", "mode": "stream"}
    with pytest.raises(MemoryLimitError, match=r"on GPU 0 .*, GPU 1 .*device='cuda:0', which has room"):
        plan_of(roads, with_gpus(H200, replace(H200, memory_free=GIB // 8), machine=SERVER), **asked)


@pytest.mark.parametrize("changes", [{}, {"mode": "stream"}, {"sources": 5000}])
def test_what_would_fit_elimination_on_a_gpu_does(changes):
    machine, roads = with_gpus(H200, machine=SERVER), graph(60_000, 240_000)
    asked = {"device": "cuda", "method": "elimination"} | changes
    with pytest.raises(MemoryLimitError, match="elimination with 60,000 vertices") as caught:
        plan_of(roads, machine, gpu_memory=1 << 20, **asked)
    words = re.search(r"gpu_memory='(\d+)MiB'", str(caught.value))
    assert words is not None
    assert plan_of(roads, machine, gpu_memory=f"{words[1]}MiB", **asked).bytes_on_gpu <= int(words[1]) << 20
