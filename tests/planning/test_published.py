"""Plans for the published methods: never chosen, honest about seconds and bytes, refused with a remedy."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apsp.errors import MemoryLimitError, MethodRefusedError
from apsp.methods import registry
from apsp.planning import Gpu, Request, make_plan
from apsp.published.gpu_cost import frontiers_of_random, rounds_of_random
from invented import GIB, SERVER, constants, graph

H200 = Gpu("NVIDIA H200", 140 * GIB, 138 * GIB, (9, 0), multiprocessors=132, clock=1_980_000_000)
SMALL = Gpu("NVIDIA GeForce GTX 1050", 2 * GIB, 2 * GIB, (7, 5), multiprocessors=5, clock=1_450_000_000)
GPUS = replace(SERVER, gpus=(H200, H200))
PUBLISHED = [row for row in registry.METHODS.values() if row.family == "published"]
ON_GPUS = [row.name for row in PUBLISHED if "cuda" in row.devices]


def plan_of(statistics, machine=GPUS, **request):
    return make_plan(statistics, machine, Request(**request), constants(machine))


def seconds(method, n, m, **request):
    return plan_of(graph(n, m), method=method, device="cuda", **request).seconds


def test_the_planner_never_picks_one():
    assert not any(row.automatic for row in PUBLISHED)
    for n, m in ((30, 900), (5000, 20_000), (5000, 20_000_000)):
        for device in ("auto", "cpu", "cuda"):
            plan = plan_of(graph(n, m), device=device)
            assert registry.get(plan.method).automatic
            assert not {name for name, _ in plan.rejected} & {row.name for row in PUBLISHED}


@pytest.mark.parametrize("name", ON_GPUS)
def test_every_plan_of_a_gpu_can_be_explained(name):
    plan = plan_of(graph(4000, 16_000), method=name, device="cuda", paths=True)
    assert (plan.device, plan.gpus, plan.matrix_in) == ("cuda", (0,), "device")
    assert "of the published methods measured on an H200" in plan.explain()
    assert "in its memory" in plan.explain() or "into its memory" in plan.explain()
    assert 0.2 < plan.seconds < 60
    assert plan.bytes_on_gpu > 4000 * 4000 * 8, "distances and predecessors stay there"
    auto = plan_of(graph(4000, 16_000), method=name)
    assert auto.device == "cuda"
    assert auto.bytes_on_gpu < plan.bytes_on_gpu
    assert auto.bytes_output == 4000 * 4000 * (2 if auto.dtype == "uint16" else 4)


@pytest.mark.parametrize(
    ("method", "dtype", "measured"),
    [
        ("harish-fw", "int32", 0.411), ("harish-fw", "int64", 0.456), ("lab-fw", "int32", 1.175),
        ("lab-fw-shared", "float64", 1.232), ("katz-kider", "int32", 0.302), ("katz-kider", "float64", 0.511),
    ],
)  # fmt: skip
def test_seconds_are_those_measured(method, dtype, measured):
    """On an H200 with n = 4,800; a request starts CUDA too, which takes 0.2 s of the prediction."""
    kind = dtype if dtype.startswith("float") else "int32"
    found = plan_of(graph(4800, 19_195, dtype=kind), method=method, device="cuda", dtype=dtype).seconds
    assert found - 0.2 == pytest.approx(measured, rel=0.15)


def test_what_the_papers_say_is_faster_is_predicted_to_be():
    assert seconds("okuyama", 16_384, 65_536) < seconds("harish-sssp", 16_384, 65_536) / 5
    assert seconds("katz-kider", 16_384, 65_536) < seconds("harish-fw", 16_384, 65_536) / 2
    assert seconds("okuyama", 4677, 4677) > 50 * seconds("okuyama", 4677, 16_384), "a ring"
    assert seconds("johnson-queue", 4096, 16_384, sources=10) < seconds("johnson-queue", 4096, 16_384)
    slower = make_plan(graph(4800, 20_000), replace(SERVER, gpus=(SMALL,)),
                       Request(method="harish-fw", device="cuda"), constants(SERVER)).seconds  # fmt: skip
    assert slower > 10 * seconds("harish-fw", 4800, 20_000)


@pytest.mark.parametrize(("n", "rounds", "frontiers"), [(64, 9.1, 17), (1024, 14.6, 57), (16_384, 21.4, 139)])
def test_rounds_and_frontiers_are_those_of_random_graphs(n, rounds, frontiers):
    """Counted on graphs with four arcs per vertex and lengths up to 100."""
    assert rounds_of_random(n) == pytest.approx(rounds, rel=0.2)
    assert frontiers_of_random(n, 4 * n) == pytest.approx(frontiers, rel=0.3)


def test_too_little_device_memory_names_what_would_fit():
    with pytest.raises(MemoryLimitError, match="method='katz-kider', which needs less") as caught:
        plan_of(graph(200_000, 800_000), method="harish-fw", device="cuda", gpu_memory="4GiB", dtype="int32")
    assert caught.value.needed == 200_000**2 * 4
    with pytest.raises(MemoryLimitError, match=r"gpu_memory='72MiB' or more.*method='harish-sssp', which needs less"):
        plan_of(graph(100_000, 400_000), method="okuyama", device="cuda", gpu_memory="20MB", mode="stream")
    with pytest.raises(MemoryLimitError, match="johnson-queue with"):
        plan_of(graph(100_000, 400_000), method="johnson-queue", gpu_memory="20MB", mode="stream")


def test_katz_kider_works_in_pages():
    small = plan_of(graph(20_000, 80_000), method="katz-kider", device="cuda", gpu_memory="1GiB")
    assert small.matrix_in == "host"
    assert small.bytes_on_gpu <= GIB
    assert "3 x 3 pages of it pass through" in small.explain()
    two = plan_of(graph(20_000, 80_000), method="katz-kider", device="cuda:0,1")
    assert two.gpus == (0, 1)
    assert "3 x 3 pages" in two.explain()


@pytest.mark.parametrize("name", [name for name in ON_GPUS if name != "katz-kider"])
def test_one_gpu_methods_refuse_several(name):
    with pytest.raises(MethodRefusedError, match="it runs on one GPU, but 2 are requested"):
        plan_of(graph(100, 400), method=name, device="cuda:0,1")
