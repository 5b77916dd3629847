"""The model of the papers' GPUs, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apsp.gpu.counts import KernelCounts
from apsp.published.experiments.hardware import GPUS, Copies, Hardware, predict

GPU = Hardware("made up", 2, 8, 1.0, 10.0, (1, 0), 24, 2.0, 4.0, 10e-6, 20e-6, "by hand")
"""2 multiprocessors that issue a quarter of a warp instruction per cycle each: 0.5e9 instructions per second."""


def test_launches_and_copies():
    found = predict([KernelCounts("k", launches=100)], Copies(3, 2, 4_000_000, 2_000_000), GPU)
    assert found.launches == pytest.approx(100 * 10e-6)
    assert found.copies == pytest.approx(5 * 20e-6 + 4e6 / 2e9 + 2e6 / 4e9)
    assert found.kernels == 0
    assert found.whole == pytest.approx(found.launches + found.copies)
    assert found.bound == "copies"


def test_memory_by_the_rules_of_the_gpu():
    kernel = KernelCounts(
        "k", launches=1, bytes_cc10=10_000_000_000, bytes_cc12=5_000_000_000, load_sectors=100_000_000,
        store_sectors=25_000_000, atomics=50_000_000, atomic_sectors=10_000_000,
    )  # fmt: skip
    seconds = {
        capability: predict([kernel], Copies(), replace(GPU, capability=capability)).memory
        for capability in ((1, 0), (1, 1), (1, 3), (5, 0))
    }
    assert seconds[1, 0] == seconds[1, 1] == pytest.approx((10e9 + 64 * 5e7) / 10e9)
    assert seconds[1, 3] == pytest.approx((5e9 + 64 * 5e7) / 10e9)
    assert seconds[5, 0] == pytest.approx(32 * (125e6 + 2 * 10e6) / 10e9)
    assert predict([kernel], Copies(), GPU).bound == "memory"


def test_instructions():
    kernel = KernelCounts(
        "k", launches=1, threads=3200, load_requests=50, store_requests=30, atomic_requests=10, shared_requests=10,
        bank_conflicts=7, bank_conflicts_cc1=5, divergent_branches=4,
    )  # fmt: skip
    instructions = 12 * 100 + 4 * (50 + 30 + 10 + 10) + 5 + 2 * 4
    assert predict([kernel], Copies(), GPU).issue == pytest.approx(instructions / 0.5e9)
    today = predict([kernel], Copies(), replace(GPU, capability=(6, 1), cores=128))
    assert today.issue == pytest.approx((instructions + 2) / 8e9)


def test_waiting_for_answers():
    """1,000 launches of one warp each wait one after another; launches of 100 warps wait 48 at a time, which is all."""
    few = KernelCounts("k", launches=1000, threads=32 * 1000, load_requests=3000, atomic_requests=500)
    assert predict([few], Copies(), GPU).latency == pytest.approx(500 * 3500 / 1e9)
    many = replace(few, threads=32 * 100 * 1000)
    assert predict([many], Copies(), GPU).latency == pytest.approx(500 * 3500 / 48 / 1e9)


def test_atomics_on_one_address_go_one_after_another():
    kernel = KernelCounts("k", launches=1, threads=32, atomics=31_000_000, atomic_collisions=30_000_000)
    found = predict([kernel], Copies(), GPU)
    assert found.atomics == pytest.approx(30e6 * 40e-9)
    assert (found.kernels, found.bound) == (found.atomics, "atomics")
    assert predict([kernel], Copies(), replace(GPU, capability=(6, 1))).atomics == pytest.approx(30e6 / 1e9)


def test_kernels_run_one_after_another():
    """The slowest part of each kernel counts, not that of the sum."""
    one = KernelCounts("one", launches=1, bytes_cc10=10_000_000_000)
    other = KernelCounts("other", launches=1, threads=32, load_requests=1_000_000)
    found = predict([one, other], Copies(), GPU)
    assert found.kernels == pytest.approx(1.0 + 500 * 1e6 / 1e9)
    assert predict([], Copies(), GPU).whole == 0


def test_gpus_of_the_papers():
    """Peak rates as their data sheets print them: bus width x memory clock, and cores x clock."""
    assert {name: (gpu.multiprocessors * gpu.cores, gpu.capability) for name, gpu in GPUS.items()} == {
        "GeForce 8800 GTS (G92)": (128, (1, 1)),
        "Quadro FX 5600": (128, (1, 0)),
        "GeForce 8800 GT": (112, (1, 1)),
        "Tesla C870": (128, (1, 0)),
        "GeForce GTX 1050": (640, (6, 1)),
        "the laboratory's GPU": (384, (5, 0)),
    }
    assert GPUS["GeForce 8800 GTS (G92)"].bandwidth == pytest.approx(256 / 8 * 2 * 0.970, rel=1e-3)
    assert GPUS["Quadro FX 5600"].bandwidth == pytest.approx(384 / 8 * 2 * 0.8, rel=1e-3)
    laboratory = GPUS["the laboratory's GPU"]
    assert (laboratory.bandwidth, laboratory.bus_to_device, laboratory.bus_to_host) == (26.004, 6.106, 6.538)
    for gpu in GPUS.values():
        assert gpu.origin in gpu.words
