"""What an emulated GPU counts, against numbers that follow from the rules by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import apsp
from apsp import _emulated
from apsp.errors import DeviceError
from apsp.gpu import jit
from apsp.gpu.counts import KernelCounts
from apsp.gpu.emulated.run import entered
from apsp.gpu.recorder import Recorder, recording

EVERY_OTHER = 0x55555555


def side_by_side(base: int, size: int, stride: int = 1) -> list[int]:
    return [base + size * stride * thread for thread in range(32)]


@pytest.mark.parametrize(
    ("addresses", "size", "active", "expected"),
    [
        # 32 consecutive words: 4 sectors, one 128-byte line, one transaction of 64 bytes per half-warp.
        (side_by_side(0, 4), 4, ~0, {"sectors": 4, "transactions_128": 1, "transactions_cc10": 2, "bytes_cc10": 128}),
        # Threads that do not take part change nothing for 1.0 (programming guide, figure 5-1, right).
        (side_by_side(0, 4), 4, EVERY_OTHER, {"sectors": 4, "transactions_cc10": 2, "bytes_cc10": 128}),
        # One word further: not aligned, 16 transactions of 32 bytes per half-warp (figure 5-2, right).
        (side_by_side(4, 4), 4, ~0, {"sectors": 5, "transactions_128": 2, "transactions_cc10": 32}),
        # 1.2 takes 128 bytes for the misaligned first half, and 32 + 64 or less where the second crosses a segment.
        (side_by_side(4, 4), 4, 0xFFFF, {"transactions_cc12": 1, "bytes_cc12": 128}),
        (side_by_side(0, 4), 4, ~0, {"transactions_cc12": 2, "bytes_cc12": 128}),
        # Permuted within the segment: 1.0 does not coalesce (figure 5-2, left), 1.2 does.
        ([4, 0, *side_by_side(0, 4)[2:]], 4, 0xFFFF, {"transactions_cc10": 16, "transactions_cc12": 1}),
        # 8-byte words: 8 sectors; 128 bytes per half-warp.
        (side_by_side(0, 8), 8, ~0, {"sectors": 8, "transactions_cc10": 2, "bytes_cc10": 256, "bytes_cc12": 256}),
        # 16-byte words: two transactions of 128 bytes per half-warp.
        (side_by_side(0, 16), 16, ~0, {"sectors": 16, "transactions_cc10": 4, "bytes_cc10": 512}),
        # Bytes: never coalesced by 1.0; one segment of 32 bytes per half-warp, of which one half is used, by 1.2.
        (side_by_side(0, 1), 1, ~0, {"sectors": 1, "transactions_cc10": 32, "transactions_cc12": 2, "bytes_cc12": 64}),
        # A stride of 32 words: every thread its own sector, line and transaction.
        (side_by_side(0, 4, 32), 4, ~0, {"sectors": 32, "transactions_128": 32, "transactions_cc10": 32}),
        (side_by_side(0, 4, 32), 4, ~0, {"transactions_cc12": 32, "bytes_cc12": 1024}),
        # All threads read one word.
        ([64] * 32, 4, ~0, {"sectors": 1, "transactions_cc10": 32, "transactions_cc12": 2, "bytes_cc12": 64}),
    ],
)  # fmt: skip
def test_transactions(addresses: list[int], size: int, active: int, expected: dict[str, int]) -> None:
    found = _emulated.transactions([4096 + each for each in addresses], size, active & 0xFFFFFFFF)
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("stride", "size", "today", "capability_1"),
    [
        (1, 4, 0, 0),
        (2, 4, 1, 2),  # 2-way in 32 banks; 2-way in each half-warp of 16
        (3, 4, 0, 0),
        (16, 4, 15, 30),
        (32, 4, 31, 30),
        (0, 4, 0, 0),  # a broadcast
        (1, 8, 0, 6),  # two words per thread: each half-warp takes 2 + 2 passes instead of 1 (guide, 5.1.2.5)
    ],
)
def test_bank_conflicts(stride: int, size: int, today: int, capability_1: int) -> None:
    found = _emulated.transactions(side_by_side(0, size, stride), size)
    assert (found["bank_conflicts"], found["bank_conflicts_cc1"]) == (today, capability_1)


def launched(name: str, grid: int, block: int, *arguments: Any, order: str = "forward", seed: int = 0) -> Recorder:
    with entered(), recording(order, seed) as recorder:
        kernel = jit.kernels("examples.cu", (f"apsp::{name}",))[f"apsp::{name}"]
        kernel((grid,), (block,), arguments)
    return recorder


def on_device(array: np.ndarray) -> Any:
    with entered():
        return jit.cupy().array(array)


@pytest.mark.parametrize(("stride", "sectors", "cc10"), [(1, 4, 2), (2, 8, 32), (8, 32, 32)])
def test_strided_copy(stride: int, sectors: int, cc10: int) -> None:
    """1,000 values by 4 blocks of 256: 31 whole warps, and one of 8 threads."""
    values, to = on_device(np.arange(8000, dtype=np.int32)), on_device(np.zeros(1000, dtype=np.int32))
    found = launched("strided_copy", 4, 256, values, to, np.int32(1000), np.int32(stride)).kernels["strided_copy"]
    np.testing.assert_array_equal(to.get(), np.arange(0, 1000 * stride, stride))
    last = {1: (1, 1), 2: (2, 8), 8: (8, 8)}[stride]  # sectors and transactions of the 8 threads
    assert found == KernelCounts(
        "strided_copy", launches=1, blocks=4, threads=1024, global_loads=1000, global_stores=1000, load_requests=32,
        store_requests=32, load_sectors=31 * sectors + last[0], store_sectors=31 * 4 + 1,
        transactions_128=found.transactions_128, transactions_cc10=31 * (cc10 + 2) + last[1] + 1,
        bytes_cc10=found.bytes_cc10, transactions_cc12=found.transactions_cc12, bytes_cc12=found.bytes_cc12,
        divergent_branches=1,
    )  # fmt: skip


def test_barriers_and_shared_memory() -> None:
    to = on_device(np.zeros(512, dtype=np.int32))
    recorder = launched("neighbours", 2, 256, to, np.int32(1))
    found = recorder.kernels["neighbours"]
    np.testing.assert_array_equal(to.get(), np.tile((np.arange(256) + 1) % 256, 2))
    assert (found.barriers, found.shared_loads, found.shared_stores, found.shared_requests) == (2, 512, 512, 32)
    assert (found.bank_conflicts, found.global_stores, found.divergent_branches) == (0, 512, 0)
    assert recorder.races == []


@pytest.mark.parametrize("stride", [1, 2, 4, 32])
def test_conflicts_of_a_kernel(stride: int) -> None:
    to = on_device(np.zeros(32, dtype=np.int32))
    found = launched("banks", 1, 32, to, np.int32(stride)).kernels["banks"]
    np.testing.assert_array_equal(to.get(), np.arange(32) * stride % 1024)
    assert found.bank_conflicts == stride - 1


@pytest.mark.parametrize("order", ["forward", "backward", "random"])
def test_races_are_found(order: str) -> None:
    to = on_device(np.zeros(256, dtype=np.int32))
    recorder = launched("neighbours", 1, 256, to, np.int32(0), order=order, seed=3)
    assert recorder.races
    for race in recorder.races:
        first, second = race.threads
        assert (first - second) % 256 in (1, 255), "a thread and its neighbour"
        assert race.kernel == "neighbours"
        assert race.size == 4
        assert "without a barrier between" in str(race)


def test_the_order_shows_a_race() -> None:
    """Without the barrier a thread reads what its neighbour has not written yet, or has: the order decides."""
    results = set()
    for seed in range(4):
        to = on_device(np.full(256, -1, dtype=np.int32))
        launched("neighbours", 1, 256, to, np.int32(0), order="random", seed=seed)
        results.add(to.get().tobytes())
    assert len(results) > 1


def test_threads_that_wait_for_ever() -> None:
    to = on_device(np.zeros(32, dtype=np.int32))
    words = r"stuck: the threads of block \(0, 0\) wait, but not at one barrier"
    with pytest.raises(DeviceError, match=words):
        launched("stuck", 1, 32, to)
    with entered():
        kernel = jit.kernels("examples.cu", ("apsp::stuck",))["apsp::stuck"]
        with pytest.raises(DeviceError, match=words):
            kernel((1,), (32,), (to,))
    test_barriers_and_shared_memory()  # and the next launch works
    with pytest.raises(DeviceError, match=r"parted: the threads of block \(0, 0\) wait, but not at one barrier"):
        launched("parted", 1, 64, to)


@pytest.mark.parametrize(
    ("grid", "block", "arguments", "message"),
    [
        ((1,), (2048,), 4, "1 to 1,024 threads"),
        ((0,), (32,), 4, "at least one block"),
        ((1,), (32,), 3, "takes 4 arguments, not 3"),
        ((1,), (32,), "wide", "has 8 bytes, and the kernel takes 4"),
        ((1,), (32,), "host", "is an array of the host"),
    ],
)
def test_launches_that_are_refused(grid: tuple[int, ...], block: tuple[int, ...], arguments: Any, message: str) -> None:
    device, host = on_device(np.zeros(4, dtype=np.int32)), np.zeros(4, dtype=np.int32)
    given = {
        3: (device, device, np.int32(4)),
        4: (device, device, np.int32(4), np.int32(1)),
        "wide": (device, device, np.int64(4), np.int32(1)),
        "host": (device, host, np.int32(4), np.int32(1)),
    }[arguments]
    with entered(), pytest.raises(ValueError, match=message):
        jit.kernels("examples.cu", ("apsp::strided_copy",))["apsp::strided_copy"](grid, block, given)


def test_unknown_kernel() -> None:
    with entered(), pytest.raises(DeviceError, match=r"no kernel apsp::okuyama_scatter<int, 32, 5>; compiled into"):
        jit.kernels("okuyama.cu", ("apsp::okuyama_scatter<int, 32, 5>",))


def graph(n: int = 96) -> apsp.Graph:
    return apsp.generate("random", n, m=4 * n, seed=7)


def test_floyd_warshall_by_formula() -> None:
    """One launch per pivot, three loads per pair, by hand; the stores are the improvements."""
    n = 96
    found = apsp.profile(graph(n), method="harish-fw").kernel("relax_pairs")
    assert (found.launches, found.blocks, found.threads) == (n, n * n * n // 256, n**3)
    assert found.global_loads == 3 * n**3
    improvements, matrix = 0, apsp.solve(graph(n), method="reference", dtype="int64")
    lengths = np.full((n, n), 1 << 40)
    lengths[graph(n).tails(), graph(n).indices] = graph(n).arc_weights(np.int64)
    lengths[np.arange(n), np.arange(n)] = 0
    for k in range(n):
        through = lengths[:, k : k + 1] + lengths[k : k + 1]
        improvements += int((through < lengths).sum())
        np.minimum(lengths, through, out=lengths)
    assert found.global_stores == improvements
    assert matrix.distances.shape == (n, n)


def test_katz_kider_by_formula() -> None:
    """Three passes per block of pivots; the skipped blocks are not launched (equations 5 to 7)."""
    profile = apsp.profile(graph(90), method="katz-kider")  # 5 blocks of 18
    launches = {each.kernel: (each.launches, each.blocks, each.barriers) for each in profile.kernels}
    assert launches == {
        "primary": (5, 5, 5 * 19),
        "singly_dependent": (5, 5 * 2 * 4, 5 * 2 * 4 * 19),
        "doubly_dependent": (5, 5 * 4 * 4, 5 * 4 * 4),
    }
    cells = 18 * 18
    assert profile.kernel("doubly_dependent").global_loads == 5 * 16 * 3 * cells
    assert profile.kernel("doubly_dependent").global_stores == 5 * 16 * cells


def test_atomics_of_the_two_methods_are_the_same_offers() -> None:
    """Both relax an arc as often: the rounds of a source do not depend on the others of its group."""
    one = apsp.profile(graph(), method="harish-sssp").kernel("harish_scatter")
    many = apsp.profile(graph(), method="okuyama").kernel("okuyama_scatter")
    assert one.atomics == many.atomics > 0
    assert many.launches < one.launches


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "method", ["okuyama", pytest.param("katz-kider", marks=pytest.mark.slow), "lab-fw-shared", "johnson-prefix"]
)
def test_counts_are_the_same_every_time_and_races_are_absent(method: str) -> None:
    runs = [apsp.profile(graph(64), method=method, paths=True) for _ in range(2)]
    assert runs[0].to_dict() == runs[1].to_dict()
    for order in ("backward", "random"):
        other = apsp.profile(graph(64), method=method, order=order, seed=5)
        assert other.races == ()
        np.testing.assert_array_equal(other.result.distances, runs[0].result.distances)
    assert runs[0].races == ()


def test_bytes_over_the_bus() -> None:
    """The matrix goes there and comes back."""
    profile = apsp.profile(graph(), method="harish-fw", dtype="int32")
    assert (profile.bytes_to_device, profile.bytes_to_host) == (96 * 96 * 4, 96 * 96 * 4)
    assert (profile.copies_to_device, profile.copies_to_host) == (1, 1)


def test_nothing_is_counted_outside() -> None:
    with recording() as recorder:
        pass
    apsp.solve(graph(), method="harish-fw", device="emulated")
    assert recorder.kernels == {}
    assert recorder.bytes_to_device == 0


def test_profile_of_a_cpu_method() -> None:
    with pytest.raises(apsp.MethodRefusedError):
        apsp.profile(graph(), method="dijkstra")
    with pytest.raises(apsp.RequestError, match="only what runs on a GPU is counted"):
        apsp.profile(graph(), method="dijkstra", device="cpu")
    with pytest.raises(apsp.RequestError, match="order must be"):
        apsp.profile(graph(), method="okuyama", order="sideways")


def test_table_and_json() -> None:
    import json

    profile = apsp.profile(graph(40), method="okuyama")
    table = profile.table().splitlines()
    assert table[0].split() == ["okuyama_scatter", "okuyama_check", "total"]
    assert any(line.startswith("transactions, capability 1.0") for line in table)
    data = json.loads(json.dumps(profile.to_dict()))
    assert data["total"]["launches"] == sum(each["launches"] for each in data["kernels"])
