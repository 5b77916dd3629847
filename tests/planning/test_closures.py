"""The plan of a transitive closure: method, device, memory and errors, by the cost models of the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import apsp
from apsp.api.reaching import bits_of
from apsp.errors import DeviceError, MemoryLimitError, MethodRefusedError, UnknownMethodError
from apsp.methods import registry
from apsp.methods.closure_cost import ClosureWork
from apsp.planning import Gpu, Machine, Request
from apsp.planning.closures import ClosureChoice, choose_closure
from invented import GIB, LAPTOP, SERVER, TINY

H200 = Gpu("NVIDIA H200", 140 * GIB, 139 * GIB, (9, 0), multiprocessors=132, clock=1_980_000_000)
WITH_GPU = replace(SERVER, gpus=(H200,))
COMPONENTS, WARSHALL, PUBLISHED = registry.CLOSURES


def chosen(
    n: int, m: int, machine: Machine = LAPTOP, look: Machine | None = None, work: dict[str, object] | None = None,
    **options: object,
) -> ClosureChoice:  # fmt: skip
    request = Request(**({"threads": 4} | options))
    named = request.device == "cuda" and len(request.gpus) <= 1
    given = {"stays": named, "gpu_memory": request.gpu_memory, "in_file": request.pages_file is not None}
    return choose_closure(
        ClosureWork(n, m, **(given | (work or {}))),
        request,
        machine,
        lambda _: look or machine,
    )


def test_components_of_sparse_graphs_and_warshall_of_dense_ones() -> None:
    for n in (1000, 4096, 16384):
        assert chosen(n, 4 * n).best.method.name == COMPONENTS
        assert chosen(n, n * (n - 1) // 2, device="cpu", work={"sinks": 1}).best.method.name == WARSHALL
    assert chosen(16384, 2 * 16384, WITH_GPU, device="cuda").best.method.name == COMPONENTS
    assert chosen(4096, 4096**2 // 2, WITH_GPU, device="cuda").best.method.name == WARSHALL
    assert chosen(16384, 16384**2 // 2, WITH_GPU, device="cuda").best.method.name == WARSHALL


def test_dense_graphs_of_one_component_are_told_from_acyclic_ones() -> None:
    n = 2048
    for work in ({"directed": False}, {"sinks": 0}):
        assert chosen(n, n * n // 8, work=work).best.method.name == COMPONENTS
    for work in ({"sinks": 1}, {"sinks": n // 2}):
        assert chosen(n, n * n // 8, work=work).best.method.name == WARSHALL


def test_work_grows_with_the_graph_and_shrinks_with_threads() -> None:
    for name in (COMPONENTS, WARSHALL):
        sizes = [chosen(n, 8 * n, method=name, device="cpu").best.seconds for n in (100, 1000, 5000, 20_000, 60_000)]
        assert all(before < after for before, after in pairwise(sizes))
        arcs = [chosen(5000, m, method=name, device="cpu").best.seconds for m in (5000, 50_000, 500_000)]
        assert arcs == sorted(arcs)
        assert (
            chosen(40_000, 80_000, SERVER, method=name, device="cpu", threads=8).best.seconds
            < chosen(40_000, 80_000, SERVER, method=name, device="cpu", threads=1).best.seconds
        )


def test_little_work_takes_one_thread() -> None:
    assert chosen(10, 30, threads=None).best.threads == 1
    assert chosen(30_000, 30_000**2 // 2, SERVER, threads=None, device="cpu").best.threads > 1


def test_gpus_are_detected_where_the_cpu_takes_long() -> None:
    looked: list[Machine] = []

    def look(machine: Machine) -> Machine:
        looked.append(machine)
        return replace(machine, gpus=(H200,))

    def device_of(n: int, m: int, **work: object) -> str:
        looked.clear()
        request = Request(threads=4)
        return choose_closure(ClosureWork(n, m, **work), request, SERVER, look).best.device

    assert (device_of(20_000, 40_000), looked) == ("cpu", [])
    assert (device_of(65_536, 65_536**2 // 2), looked) == ("cuda", [SERVER])
    assert (device_of(20_000, 20_000**2 // 2, started=True), len(looked)) == ("cuda", 1)


def test_no_gpu_is_no_error_unless_it_is_named() -> None:
    none = replace(SERVER, no_gpu="it is too old")
    assert chosen(60_000, 60_000**2 // 2, none).best.device == "cpu"
    for device in ("cuda", "cuda:1"):
        with pytest.raises(DeviceError, match=f"device='{device}': it is too old; use device='cpu'"):
            chosen(50, 100, none, device=device)
    with pytest.raises(DeviceError, match=f"{PUBLISHED} runs on GPUs only: device='emulated'"):
        chosen(50, 100, none, device="cuda", method=PUBLISHED)
    with pytest.raises(DeviceError, match="no GPU 3"):
        chosen(50, 100, WITH_GPU, device="cuda:3")


def test_several_gpus_share_a_dense_graph() -> None:
    two = replace(SERVER, gpus=(H200, H200))
    dense, sparse = (chosen(65_536, m, two, device="cuda:0,1").best for m in (65_536**2 // 2, 2 * 65_536))
    assert dense.placement is not None
    assert sparse.placement is not None
    assert (dense.method.name, dense.placement.gpus, dense.placement.where) == (WARSHALL, (0, 1), "devices")
    assert (sparse.method.name, sparse.placement.gpus, sparse.placement.where) == (COMPONENTS, (0,), "device")


def test_more_bits_than_a_gpu_holds_go_by_strips() -> None:
    small = chosen(100_000, 10**6, WITH_GPU, device="cuda", gpu_memory="1GiB")
    assert small.best.method.name == WARSHALL
    assert small.best.placement is not None
    assert small.best.placement.where == "host"
    assert small.best.bytes.output == 100_000 * 1563 * 8
    assert small.best.placement.bytes_on_gpu <= GIB
    assert chosen(100_000, 10**6, WITH_GPU, device="cuda").best.bytes.output == 0, "the bits stay"
    with pytest.raises(MemoryLimitError, match=r"GPU 0 \(NVIDIA H200\) \(.*more gpu_memory") as caught:
        chosen(100_000, 10**6, WITH_GPU, device="cuda", gpu_memory="3MiB")
    assert caught.value.needed > 3 << 20


def test_bits_that_do_not_fit_are_refused_with_what_would(tmp_path: Path) -> None:
    with pytest.raises(MemoryLimitError, match=r"one bit each.*pages_file=.*at most [0-9,]+ vertices") as caught:
        chosen(200_000, 10**6, TINY)
    assert caught.value.needed == 200_000 * 3125 * 8
    fitting = int(str(caught.value).split("at most ")[1].split(" vertices")[0].replace(",", ""))
    assert chosen(fitting, 10**6, TINY).best.bytes.total <= TINY.memory_available
    in_file = chosen(200_000, 10**6, TINY, pages_file=tmp_path / "bits")
    assert in_file.best.bytes.output == 0
    assert 0 < in_file.best.bytes.work < TINY.memory_available
    with pytest.raises(MemoryLimitError, match=f"by {PUBLISHED} .* one bit per pair") as caught:
        chosen(15_000, 10**6, TINY, device="emulated", method=PUBLISHED)
    assert caught.value.needed > 15_000**2 * 4 + GIB // 3, "the cells, and those on the device"


def test_refusals_name_what_accepts_the_request(tmp_path: Path) -> None:
    with pytest.raises(MethodRefusedError, match=f"automatically for an emulated GPU: name one; .*{PUBLISHED}"):
        chosen(50, 100, device="emulated")
    with pytest.raises(MethodRefusedError, match=f"it runs on cuda or emulated, not on cpu; .*{COMPONENTS}") as caught:
        chosen(50, 100, method=PUBLISHED, device="cpu")
    assert caught.value.accepting == [COMPONENTS, WARSHALL]
    for name in (COMPONENTS, PUBLISHED):
        with pytest.raises(MethodRefusedError, match=f"pages_file.*accept it: {WARSHALL}$"):
            chosen(50, 100, WITH_GPU, method=name, pages_file=tmp_path / "bits")
    with pytest.raises(MethodRefusedError, match="zones"):
        chosen(50, 100, WITH_GPU, method=PUBLISHED, work={"zones": True})
    with pytest.raises(
        MethodRefusedError, match=f"zones, and no other .* on emulated .leave device out.; .*{WARSHALL}"
    ):
        chosen(50, 100, method=PUBLISHED, device="emulated", work={"zones": True})
    with pytest.raises(UnknownMethodError, match=f"did you mean '{WARSHALL}'"):
        chosen(50, 100, method="warshal")


def test_a_published_method_is_emulated_without_a_gpu() -> None:
    plans = [
        apsp.plan(apsp.generate("ring", 20), for_="reachable", method=PUBLISHED, device=d) for d in ("auto", "emulated")
    ]
    assert [plan.device for plan in plans] == ["emulated", "emulated"] or plans[0].device == "cuda"
    assert chosen(50, 100, WITH_GPU, method=PUBLISHED).best.device == "cuda"


@pytest.mark.parametrize(("device", "gpu_memory"), [("auto", None), ("emulated", None), ("emulated:0,1", "8kB")])
def test_emulated_closures(device: str, gpu_memory: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apsp.gpu.jit.why_no_gpu", lambda: "none is plugged in")
    random = apsp.generate("random", 60, m=90, seed=3)
    found = apsp.reachable(random, method=PUBLISHED, device=device, gpu_memory=gpu_memory)
    np.testing.assert_array_equal(found.to_numpy(), apsp.reachable(random, device="cpu").to_numpy())
    assert isinstance(found.bits, np.ndarray)


def plans(graph: apsp.Graph, folder: Path) -> Iterator[apsp.Plan]:
    for options in ({}, {"method": COMPONENTS}, {"method": WARSHALL}, {"device": "cpu", "threads": 2}):
        yield apsp.plan(graph, for_="reachable", **options)
    yield apsp.plan(graph, for_="reachable", pages_file=folder / "bits")


def test_a_plan_says_what_runs(tmp_path: Path) -> None:
    graph = apsp.generate("random", 300, m=900, seed=1)
    expected = apsp.reachable(graph).bits
    for plan in plans(graph, tmp_path):
        assert (plan.purpose, plan.dtype, plan.block_rows) == ("reachable", np.dtype(bool), 300)
        assert plan.seconds > 0
        assert plan.bytes_output == (300 * 5 * 8 if plan.pages_file is None else 0)
        assert "Planned for the bits of apsp.reachable" in plan.explain()
        assert "Expected time: about" in plan.explain()
        np.testing.assert_array_equal(bits_of(graph, plan), expected)
    assert {name for name, _ in apsp.plan(graph, for_="reachable").rejected} == {WARSHALL}


def test_a_plan_takes_the_options_of_reachable_alone() -> None:
    graph = apsp.generate("ring", 20)
    for wrong in (
        {"sources": [0]}, {"cutoff": 3}, {"dtype": "int32"}, {"paths": True}, {"rows": 2}, {"executor": "processes"},
        {"semiring": "max_min"},
    ):  # fmt: skip
        with pytest.raises(apsp.RequestError, match=f"the bits of all pairs, which have no {next(iter(wrong))}"):
            apsp.plan(graph, for_="reachable", **wrong)


def test_weights_are_not_read() -> None:
    negative_cycle = apsp.from_edges([0, 1], [1, 0], [-5, 1])
    assert "integer weights from -5 to 1" in apsp.plan(negative_cycle, for_="reachable").explain()


def test_what_is_planned_for_gpus_runs_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels need a GPU; here the calls are recorded, and the CPU computes."""
    graph, calls = apsp.generate("random", 200, m=600, seed=1), []
    expected = apsp.reachable(graph).bits

    def recorded(name: str) -> Callable[..., object]:
        def compute(_: apsp.Graph, *arguments: object, **options: object) -> object:
            calls.append((name, *(each for each in arguments if isinstance(each, int | tuple)), *options.values()))
            return expected

        return compute

    monkeypatch.setattr("apsp.planning.closures.with_gpus", lambda machine: replace(machine, gpus=(H200, H200)))
    monkeypatch.setattr("apsp.methods.closure.on_gpu.closure_on_gpu", recorded("one"))
    monkeypatch.setattr("apsp.methods.closure.closing.closure_by_strips", recorded("strips"))
    monkeypatch.setattr("apsp.methods.closure.closing.closure_in_file", recorded("file"))
    for options, call in (
        ({"device": "cuda:1", "method": WARSHALL}, ("one", 1, False)),
        ({"device": "cuda", "method": COMPONENTS}, ("one", 0, True)),
        ({"device": "cuda:1,0", "method": COMPONENTS}, ("one", 1, True)),
        ({"device": "cuda:1,0", "method": WARSHALL}, ("strips", (1, 0))),
        ({"device": "cuda", "method": WARSHALL, "gpu_memory": "2.5MB"}, ("strips", (0,), 2_500_000)),
        ({"device": "cuda:1", "pages_file": tmp_path / "bits", "threads": 3}, ("file", (1,), 3)),
        ({"device": "cpu", "pages_file": tmp_path / "bits", "threads": 2}, ("file", (), 2)),
    ):
        calls.clear()
        np.testing.assert_array_equal(apsp.reachable(graph, **options).bits, expected)
        assert calls == [call]
