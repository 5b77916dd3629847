"""The costs of a transitive closure: by strongly connected components, and by Warshall's algorithm on packed bits.

How many components a directed graph has is only known once they are found, which takes as long as a sparse closure
itself. A dense graph without a vertex that has no arcs is taken for one component, and another one for acyclic.
"""

from __future__ import annotations

from collections.abc import Sequence

from apsp import _cpu
from apsp.facts.gpu_rates import GpuRates, rates_of
from apsp.facts.placement import Placement, usable_on
from apsp.methods.closure.placement import bytes_of_arcs, bytes_on_gpu, strips_in_file, strips_on_gpus
from apsp.methods.closure_cost import ClosureCost, ClosureModel, ClosureWork
from apsp.system.machine import Machine, usable

__all__ = ["COSTS", "PAIRS_A_SECOND"]

# CPU seconds of one core of an EPYC with AVX2 kernels, fitted to the fastest of several runs on random, acyclic,
# bipartite and undirected graphs of 10 to 8,192 vertices and 2 n to n^2 / 4 arcs, while other programs ran.
_CALL, _VERTEX, _WORD = 5e-6, 1e-7, 2e-9  # per call; per vertex, and per word of the result
_ARC, _ARC_UNKNOWN, _ARC_ACYCLIC = 7e-9, 1.2e-8, 1.9e-8  # of one component; not known; between components
_ROW, _TABLE = 5e-7, 1e-9  # of tables: per vertex; per pair of vertices, to make them
_ENTRY, _JOIN = (1.2e-10, 4e-10), (2.5e-10, 1e-9)  # per word read from tables, or joined: in the cache, and beyond
_CACHED = 4 << 20  # bytes of the bits

_OF_ISA = {"baseline": 1.1, "avx512": 0.5}
"""Time of the tables with other kernels; that of AVX-512, where n = 4,096 takes 8.5 ms on an idle machine
(benchmarks/results/closure.json), is rough."""

PAIRS_A_SECOND, _BLOCK = 4e15, 3e-5
"""Pairs of bits per second of Warshall's algorithm on an H200, and seconds of a block of 256 pivots: fitted to
benchmarks/results/gpu_closure.json, where n = 4,096, 16,384 and 65,536 take 0.46, 2.97 and 67.6 ms."""

_LOWER, _FEWER = 1 / 6, 0.6
"""Pairs of a triangular matrix; blocks of the components, of which there are fewer than vertices unless a graph is
acyclic. Acyclic graphs of these sizes with 8 n arcs take 1.43, 3.82 and 28.0 ms, random ones with 2 n 0.94, 2.02 and
8.4 ms."""

_FIND_ARC, _FIND_VERTEX = 1e-8, 4e-8
"""Seconds of one core to find the components, for a GPU."""

_FILE = 1e9
"""Bytes per second of a file."""

_PIVOTS, _ROWS_A_THREAD = 256, 4096


class _StrongComponents(ClosureModel):
    def on_cpu(self, work: ClosureWork, threads: int, free: int | None) -> ClosureCost:  # noqa: ARG002
        n, m = work.n, work.m
        seconds = _CALL + n * _VERTEX + n * work.words * _WORD / threads
        if work.sinks is None and work.directed:
            return ClosureCost(seconds + m * _ARC_UNKNOWN)
        if not work.sinks or not work.directed:  # an acyclic graph has a vertex without arcs
            return ClosureCost(seconds + m * _ARC)
        joined = min(2 * work.sinks / n, 1.0) * m
        return ClosureCost(seconds + m * _ARC_ACYCLIC + joined * work.words * _JOIN[work.bytes_bits > _CACHED])

    def on_gpus(self, work: ClosureWork, machine: Machine, gpus: Sequence[int]) -> ClosureCost:
        n, gpu = work.n, machine.gpus[gpus[0]]
        rates = rates_of(gpu)
        seconds = work.m * _FIND_ARC + n * _FIND_VERTEX + _there_and_back(work, rates)
        seconds += _LOWER * n**3 / (PAIRS_A_SECOND * rates.scale) + _FEWER * n / _PIVOTS * _BLOCK
        needed, limit = bytes_on_gpu(n) + bytes_of_arcs(n, work.m), usable_on(gpu, work.gpu_memory)
        if needed > limit:
            why = "it works in the memory of one GPU"
            return ClosureCost(seconds, beyond=why, bytes_one_gpu=needed, origin=rates.origin)
        return ClosureCost(seconds, 0, Placement("device", tuple(gpus[:1]), needed), origin=rates.origin)


class _Warshall(ClosureModel):
    def on_cpu(self, work: ClosureWork, threads: int, free: int | None) -> ClosureCost:
        n = work.n
        tables = _ENTRY[work.bytes_bits > _CACHED] * n**3 / 512 + _TABLE * n**2
        tables *= _OF_ISA.get(_cpu.isa(), 1.0)
        seconds = _CALL + n * _ROW + tables / min(max(n // _ROWS_A_THREAD, 1), threads)
        if not work.in_file:
            return ClosureCost(seconds + n * work.words * _WORD / threads)
        assert free is not None
        seconds += 2 * work.bytes_bits / _FILE
        cut = strips_in_file(n, free)
        size = 0 if isinstance(cut, str) else cut.device_bytes + cut.staging_bytes
        return ClosureCost(seconds, size, beyond=cut if isinstance(cut, str) else "")

    def on_gpus(self, work: ClosureWork, machine: Machine, gpus: Sequence[int]) -> ClosureCost:
        n, numbers = work.n, tuple(gpus)
        rates = rates_of(machine.gpus[numbers[0]])
        limit = min(usable_on(machine.gpus[number], work.gpu_memory) for number in numbers)
        rate = PAIRS_A_SECOND * rates.scale * (1 if len(numbers) == 1 else len(numbers) * rates.together)
        seconds = float(n) ** 3 / rate + n / _PIVOTS * _BLOCK + _there_and_back(work, rates)
        arcs = bytes_of_arcs(n, work.m)
        needed = bytes_on_gpu(n) + arcs
        if len(numbers) == 1 and not work.in_file and needed <= limit:
            return ClosureCost(seconds, 0, Placement("device", numbers, needed), origin=rates.origin)
        cut = strips_on_gpus(n, work.m, len(numbers), limit, usable(machine), in_file=work.in_file)
        if isinstance(cut, str):
            return ClosureCost(seconds, beyond=cut, bytes_one_gpu=needed, origin=rates.origin)
        if cut.where == "host":
            seconds += 2 * work.bytes_bits / rates.pages + work.bytes_bits / rates.pinning
        elif cut.where == "file":
            seconds += 2 * work.bytes_bits / _FILE
        placement = Placement(cut.where, numbers, cut.device_bytes + arcs, cut.staging_bytes)
        return ClosureCost(seconds, cut.staging_bytes, placement, origin=rates.origin)


def _there_and_back(work: ClosureWork, rates: GpuRates) -> float:
    """Seconds to start the GPU, to copy the graph to it, and the bits to the host."""
    start = 0.0 if work.started else rates.start
    back = 0.0 if work.stays or work.in_file else work.bytes_bits / rates.to_host
    return start + bytes_of_arcs(work.n, work.m) / rates.from_host + back


COSTS: dict[str, ClosureModel] = {
    "strong-components": _StrongComponents("strong-components"),
    "warshall": _Warshall("warshall"),
}
