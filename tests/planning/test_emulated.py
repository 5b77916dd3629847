"""Plans for emulated GPUs: where they are chosen, what they say, what fits into host memory."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest

import apsp
from apsp.errors import DeviceError, MemoryLimitError, MethodRefusedError
from apsp.facts.emulated import CHOSEN, memory_of_each, with_emulated_gpus
from apsp.methods import registry
from apsp.planning import Gpu, Request, attempts, make_plan, planner
from apsp.planning.attempts import attempt
from apsp.published.task_size import TASKS
from invented import GIB, LAPTOP, SERVER, TINY, bounded, constants, graph

H200 = Gpu("NVIDIA H200", 140 * GIB, 138 * GIB, (9, 0), multiprocessors=132, clock=1_980_000_000)
NONE = replace(LAPTOP, no_gpu="none is plugged in")
EMULATED = [row.name for row in registry.METHODS.values() if "emulated" in row.devices]
TUNED = [row.name for row in registry.METHODS.values() if row.automatic and "emulated" in row.devices]
WEIGHTED = [name for name in EMULATED if registry.get(name).weighted]
RANDOM, HOPS = graph(1024, 4096), graph(1024, 4096, dtype=None, high=1)


def plan_of(statistics, machine=NONE, **request):
    return make_plan(statistics, machine, Request(**request), constants(machine))


def test_every_published_method_of_gpus_is_emulated():
    on_gpus = [row.name for row in registry.METHODS.values() if row.family == "published" and "cuda" in row.devices]
    assert len(on_gpus) == 10
    assert set(on_gpus) <= set(EMULATED)


def test_emulated_gpus_replace_those_of_the_machine():
    machine = replace(LAPTOP, gpus=(H200,))
    one, three = (with_emulated_gpus(machine, Request(device=device)) for device in ("emulated", "emulated:2,0"))
    assert [gpu.name for gpu in one.gpus] == ["emulated GPU (this CPU)"]
    assert (one.gpus[0].capability, one.gpus[0].unusable, one.memory_available) == ((7, 0), None, 12 * GIB)
    assert len(three.gpus) == 3, "as many as the largest number needs"
    assert one.gpus[0].memory_free == pytest.approx(0.475 * 12 * GIB, rel=0.01), "half of what is usable"
    assert three.gpus[0].memory_free == one.gpus[0].memory_free // 3
    assert memory_of_each(LAPTOP, 11 * GIB, 1) > 11 * GIB, "as much as is named"
    assert memory_of_each(LAPTOP, 11 * GIB, 2) == 6 * GIB, "as far as it is there"
    with pytest.raises(DeviceError, match=r"no emulated GPU 64; they are numbered from 0 to 63"):
        with_emulated_gpus(LAPTOP, Request(device="emulated:64"))


@pytest.mark.parametrize("name", EMULATED)
def test_every_plan_can_be_explained(name):
    statistics = RANDOM if registry.get(name).weighted else HOPS
    plan = plan_of(statistics, method=name, device="emulated", paths=True)
    assert (plan.method, plan.device, plan.gpus) == (name, "emulated", (0,))
    assert plan.bytes_output == 1024 * 1024 * (plan.dtype.itemsize + 4), "the result comes to the host"
    assert plan.bytes_work >= plan.bytes_on_gpu > 0, "the memory of the GPU is host memory"
    assert plan.gpu_memory == pytest.approx(0.475 * 0.95 * 12 * GIB, rel=0.01)
    assert 0.01 < plan.seconds < 600
    words = plan.explain()
    assert "It runs on an emulated GPU: " in words
    assert "the result comes to host memory" in words
    assert "The memory of emulated GPUs is a part of it." in words
    assert CHOSEN not in words, "it was named"
    assert "none is plugged in" not in words
    told = json.loads(json.dumps(plan.to_dict()))
    assert (told["device"], told["gpus"], told["gpu_memory"]) == ("emulated", [0], plan.gpu_memory)


@pytest.mark.parametrize("machine", [LAPTOP, NONE], ids=["not looked for", "looked for"])
@pytest.mark.parametrize("name", EMULATED)
def test_without_a_gpu_a_method_of_gpus_is_emulated(name, machine):
    if "cpu" in registry.get(name).devices:
        pytest.skip("it runs on the CPU itself")
    plan = plan_of(RANDOM, machine, method=name)
    assert plan.device == "emulated"
    assert CHOSEN in plan.reasons
    assert ("No GPU: none is plugged in." in plan.reasons) == (machine is NONE)


def test_with_a_gpu_nothing_is_emulated():
    machine = replace(SERVER, gpus=(H200,))
    for device in ("auto", "cuda"):
        plan = plan_of(RANDOM, machine, method="okuyama", device=device)
        assert (plan.device, plan.gpus) == ("cuda", (0,))
        assert "emulated" not in plan.explain()
    assert plan_of(RANDOM, machine, method="okuyama", device="emulated").device == "emulated"


def test_the_planner_emulates_nothing_by_itself():
    for n, m in ((30, 900), (5000, 20_000)):
        plan = plan_of(graph(n, m))
        assert plan.device == "cpu"
        assert "emulated" not in plan.explain()


def test_a_tuned_method_is_picked_on_an_emulated_gpu():
    sparse, dense = (plan_of(graph(600, m), device="emulated") for m in (1200, 300_000))
    assert (sparse.device, dense.device) == ("emulated", "emulated")
    assert sparse.method in TUNED
    assert (dense.method, dense.matrix_in) == ("floyd-warshall", "device")
    assert plan_of(graph(3000, 6000, dtype=None, high=1, depth=9), device="emulated").method == "bit-bfs"
    assert plan_of(bounded(0, 30_000), device="emulated").dtype == "uint16"
    assert plan_of(graph(100, 400, low=-3), device="emulated").method in TUNED
    assert plan_of(graph(300, 1200), method="label-correcting").device == "cpu", "named, it runs where it is fastest"


def test_floyd_warshall_is_emulated_in_core_alone():
    with pytest.raises(MethodRefusedError, match=r"it runs on one emulated GPU, but 2 are requested"):
        plan_of(graph(300, 60_000), device="emulated:1,0", method="floyd-warshall")
    with pytest.raises(MemoryLimitError):
        plan_of(graph(300, 60_000), device="emulated", method="floyd-warshall", gpu_memory="200kB")
    with pytest.raises(MethodRefusedError, match=r"pages_file"):
        plan_of(graph(300, 60_000), device="emulated", method="floyd-warshall", pages_file="matrix.bin")


def test_refusals():
    with pytest.raises(MethodRefusedError, match=r"runs on cpu, not on emulated") as caught:
        plan_of(RANDOM, method="dijkstra", device="emulated")
    assert caught.value.accepting == WEIGHTED
    with pytest.raises(MethodRefusedError, match=r"runs on cuda or emulated, not on cpu"):
        plan_of(RANDOM, method="okuyama", device="cpu")
    with pytest.raises(MethodRefusedError, match=r"cannot be used: the graph has negative arcs; .*johnson"):
        plan_of(graph(100, 400, low=-3), method="okuyama")
    with pytest.raises(MethodRefusedError, match=r"it runs on one GPU, but 2 are requested; .*katz-kider"):
        plan_of(RANDOM, method="okuyama", device="emulated:0,1")
    with pytest.raises(DeviceError, match=r"device='cuda': none is plugged in; okuyama .* device='emulated' runs its"):
        plan_of(RANDOM, method="okuyama", device="cuda")
    with pytest.raises(DeviceError, match=r"none is plugged in; use device='cpu'"):
        plan_of(RANDOM, device="cuda")


def test_several_devices_with_little_memory_work_in_pages():
    one = plan_of(RANDOM, method="katz-kider", device="emulated")
    two = plan_of(RANDOM, method="katz-kider", device="emulated:0,1", gpu_memory="1MB")
    assert (one.matrix_in, two.matrix_in) == ("device", "host")
    assert (two.gpus, two.gpu_memory) == ((0, 1), 1_000_000)
    assert two.bytes_on_gpu <= 1_000_000
    assert two.bytes_work >= 2 * two.bytes_on_gpu + 1024**2 * 8, "pages on each, and the cells on the host"
    assert "It runs on emulated GPUs 0 and 1: the matrix lies in host memory as cells, and 6 x 6 pages" in two.explain()
    assert two.seconds > one.seconds, "the same cores do the work, and pages are copied"
    last = plan_of(RANDOM, method="okuyama", device="emulated:3")
    assert last.gpus == (3,)
    assert "It runs on emulated GPU 3: " in last.explain()


def test_too_little_device_memory():
    request = {"method": "okuyama", "device": "emulated"}
    with pytest.raises(MemoryLimitError, match=r"okuyama with .* on GPU 0 \(emulated\)") as caught:
        plan_of(RANDOM, **request, gpu_memory="100kB")
    needed = caught.value.needed
    assert f"gpu_memory='{math.ceil(needed / 1024)}KiB' or more" in str(caught.value)
    assert "method='auto' with device='auto', which picks what fits" in str(caught.value)
    assert plan_of(RANDOM, **request, gpu_memory=needed).bytes_on_gpu == needed
    with pytest.raises(MemoryLimitError):
        plan_of(RANDOM, **request, gpu_memory=needed - 1)
    assert needed > TASKS * 1024 * 4 * 4


@pytest.mark.parametrize("device", ["auto", "emulated"])
@pytest.mark.parametrize("name", ["harish-fw", "katz-kider", "okuyama", "johnson-queue"])
def test_host_memory_holds_results_and_devices(name, device):
    """The largest graph that is planned fits, and a larger one is refused before the work."""
    tiny = replace(TINY, no_gpu="none")

    def of(n):
        return plan_of(graph(n, 4 * n), tiny, method=name, device=device)

    low, high = 64, 1 << 16
    while high - low > 1:
        middle = (low + high) // 2
        try:
            plan = of(middle)
        except MemoryLimitError:
            high = middle
        else:
            low = middle
            assert plan.bytes_output + plan.bytes_work <= 0.95 * GIB
    with pytest.raises(MemoryLimitError) as caught:
        of(high)
    assert caught.value.needed > caught.value.available * 0.45
    on_host = 8 if name == "johnson-queue" else 4
    assert low < (0.95 * GIB / on_host) ** 0.5 * 1.5


def test_remedies_are_given_only_where_they_fit():
    machine, large = replace(LAPTOP, no_gpu="none"), graph(50_000, 200_000)
    with pytest.raises(MemoryLimitError) as caught:
        plan_of(large, machine, method="okuyama", device="emulated", paths=True)
    words = str(caught.value)
    assert "by okuyama on an emulated GPU, whose memory is a part of host memory, needs 18.7 GiB" in words
    assert "paths=False (" in words
    sources = int(re.search(r"sources=range\((\d+)\)", words)[1])
    request = {"method": "okuyama", "device": "emulated"}
    assert plan_of(large, machine, **request, paths=True, sources=sources).device == "emulated"
    with pytest.raises(MemoryLimitError):
        plan_of(large, machine, **request, paths=True, sources=sources + 1)
    assert plan_of(large, machine, **request).bytes_output == 50_000**2 * 4
    assert "device='cpu'" not in words, "the CPU cannot keep the paths either"
    with pytest.raises(MemoryLimitError, match=r"device='cpu' with method='auto' \(.* GiB\)"):
        plan_of(graph(36_000, 144_000), machine, method="harish-fw", device="emulated", paths=True)


def test_rows_are_streamed():
    plan = plan_of(graph(200_000, 800_000), method="okuyama", mode="stream")
    assert (plan.device, plan.dtype) == ("emulated", np.int32)
    assert plan.block_rows * 200_000 * 4 <= 256 << 20
    with pytest.raises(MethodRefusedError, match=r"computes all n x n distances at once"):
        plan_of(RANDOM, method="katz-kider", mode="stream")


def test_sixteen_bits_hold_what_they_hold_on_a_gpu():
    for device in ("auto", "emulated"):
        assert plan_of(bounded(0, 30_000), method="johnson-queue", device=device).dtype == np.uint16
        assert plan_of(bounded(0, 60_000), method="johnson-queue", device=device).dtype == np.int32


def test_seconds():
    def seconds(method, n, **request):
        return plan_of(graph(n, 4 * n), method=method, device="emulated", **request).seconds

    assert 6 < seconds("harish-fw", 2048) / seconds("harish-fw", 1024) < 8.5, "n^3"
    assert seconds("okuyama", 1024, sources=32) < seconds("okuyama", 1024) / 8
    eight = plan_of(graph(2048, 8192), replace(NONE, cores=16), method="lab-fw", device="emulated").seconds
    assert eight < seconds("lab-fw", 2048) / 4, "blocks are spread over the cores"
    assert seconds("okuyama", 4096) > plan_of(graph(4096, 16_384), replace(LAPTOP, gpus=(H200,)),
                                              method="okuyama").seconds  # fmt: skip


def test_gpus_are_looked_for_before_a_method_is_emulated(monkeypatch):
    looked = []
    ring = apsp.generate("ring", 20, weights=(1, 9))
    monkeypatch.setattr(planner, "with_gpus", lambda machine: looked.append(1) or replace(machine, gpus=(H200,)))
    assert planner.plan_for(ring, Request(method="okuyama")).device == "cuda"
    monkeypatch.setattr(planner, "with_gpus", lambda machine: looked.append(1) or replace(machine, no_gpu="none here"))
    plan = planner.plan_for(ring, Request(method="okuyama"))
    assert plan.device == "emulated"
    assert "No GPU: none here." in plan.explain()
    assert len(looked) == 2
    assert planner.plan_for(ring, Request(method="okuyama", device="emulated")).device == "emulated"
    assert len(looked) == 2, "it was named, so no GPU is looked for"


def test_the_note_of_a_run_says_that_it_was_chosen(monkeypatch):
    ring = apsp.generate("ring", 20, weights=(1, 9))
    plan = plan_of(RANDOM, method="okuyama")
    monkeypatch.setattr(attempts, "plan_for", lambda *_: plan)
    assert attempt(ring, Request(method="okuyama"), lambda decided: decided.device) == ("emulated", CHOSEN)
    assert attempt(ring, Request(method="okuyama", device="emulated"), lambda _: 1) == (1, None)
    with pytest.raises(MemoryLimitError):
        attempt(ring, Request(method="okuyama"), _fail)


def _fail(_):
    raise MemoryLimitError("pages", 2, 1, ["less"])


@pytest.mark.parametrize("call", [
    lambda graph: apsp.solve_batch([graph], device="emulated"),
    lambda graph: apsp.prepare(graph, device="emulated"),
])  # fmt: skip
def test_what_is_not_emulated_says_so(call):
    with pytest.raises(apsp.RequestError, match=r"emulated GPU"):
        call(apsp.generate("ring", 20, weights=(1, 9)))
