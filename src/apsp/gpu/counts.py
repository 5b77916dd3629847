"""Counts of a run on a GPU: launches, memory accesses, transactions, conflicts, bytes over the bus.

An emulated GPU counts everything below; a real one counts launches, blocks, threads and bytes, and the rest is zero.
Counts depend on the graph and the method alone, so they are the same on every machine and in every run.

A warp is 32 threads, and a warp access is one load or store instruction that the active threads of a warp execute
together. The rules by which a warp access becomes transactions:

- since capability 3.0: one 32-byte sector for each distinct aligned 32 bytes that are touched;
- capability 1.0 and 1.1 (CUDA programming guide 2.0, section 5.1.2.1): per half-warp one transaction (two for 16-byte
  words) if thread k accesses word k of an aligned segment, else one 32-byte transaction per active thread;
- capability 1.2 and 1.3: per half-warp one transaction for each segment touched, 32, 64 or 128 bytes long.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

__all__ = ["COUNTED", "KernelCounts", "Race"]


@dataclass(frozen=True)
class KernelCounts:
    """The counts of all launches of one kernel.

    Attributes
    ----------
    kernel : str
        Its name, without template arguments.
    launches, blocks, threads : int
    global_loads, global_stores : int
        Accesses to global memory, counted per thread; atomics are not among them.
    load_requests, store_requests : int
        The same, counted per warp access.
    load_sectors, store_sectors : int
        32-byte sectors touched by these requests.
    transactions_128 : int
        Aligned 128-byte lines touched by these requests.
    transactions_cc10, bytes_cc10 : int
        Transactions of loads and stores by the rules of capability 1.0 and 1.1, and the bytes that they move.
    transactions_cc12, bytes_cc12 : int
        The same by the rules of capability 1.2 and 1.3.
    shared_loads, shared_stores : int
        Accesses to shared memory, counted per thread.
    shared_requests : int
        The same, counted per warp access.
    bank_conflicts : int
        Passes beyond the first that requests to shared memory need: 32 banks of 4 bytes, a whole warp at a time.
    bank_conflicts_cc1 : int
        The same with the 16 banks and half-warps of capability 1.x.
    atomics : int
        Atomic operations on global memory, counted per thread.
    atomic_requests, atomic_sectors : int
        The same, counted per warp access, and their 32-byte sectors.
    atomic_collisions : int
        Atomics of a warp access beyond the first on the same address.
    divergent_branches : int
        Number of times that the active threads of a warp took different sides of a branch.
    barriers, warp_barriers : int
        Barriers passed by blocks, and by warps.
    """

    kernel: str
    launches: int = 0
    blocks: int = 0
    threads: int = 0
    global_loads: int = 0
    global_stores: int = 0
    load_requests: int = 0
    store_requests: int = 0
    load_sectors: int = 0
    store_sectors: int = 0
    transactions_128: int = 0
    transactions_cc10: int = 0
    bytes_cc10: int = 0
    transactions_cc12: int = 0
    bytes_cc12: int = 0
    shared_loads: int = 0
    shared_stores: int = 0
    shared_requests: int = 0
    bank_conflicts: int = 0
    bank_conflicts_cc1: int = 0
    atomics: int = 0
    atomic_requests: int = 0
    atomic_sectors: int = 0
    atomic_collisions: int = 0
    divergent_branches: int = 0
    barriers: int = 0
    warp_barriers: int = 0

    def __add__(self, other: KernelCounts) -> KernelCounts:
        """The sum, under the name of the first."""
        sums = {name: getattr(self, name) + getattr(other, name) for name in COUNTED}
        return replace(self, **sums)

    def to_dict(self) -> dict[str, Any]:
        """Name and counts, ready for JSON."""
        return asdict(self)


COUNTED = tuple(each.name for each in fields(KernelCounts) if each.name != "kernel")
"""The names of the counts, in the order of the emulation."""


@dataclass(frozen=True)
class Race:
    """Two threads of a block that accessed the same cell of shared memory between two barriers, at least one of them
    writing.

    Attributes
    ----------
    kernel : str
    block : (int, int)
    threads : (int, int)
        Numbers in the block: threadIdx.y * blockDim.x + threadIdx.x.
    offset : int
        Bytes from the lowest shared address that the block accessed.
    size : int
        Bytes of the access.
    kind : str
        'write-write', 'read-write' or 'write-read', in the order of the run.
    """

    kernel: str
    block: tuple[int, int]
    threads: tuple[int, int]
    offset: int
    size: int
    kind: str

    def __str__(self) -> str:
        """One line."""
        return (
            f"{self.kernel}: threads {self.threads[0]} and {self.threads[1]} of block {self.block} touch {self.size} "
            f"bytes at offset {self.offset} of shared memory without a barrier between ({self.kind})"
        )
