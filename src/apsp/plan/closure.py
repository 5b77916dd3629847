"""Memory preflight of the transitive closure, whose result is n^2 bits whatever the weights."""

from __future__ import annotations

from apsp.errors import MemoryLimitError
from apsp.plan.machine import Machine
from apsp.plan.memory import usable

__all__ = ["check_closure_memory"]


def check_closure_memory(n: int, machine: Machine | None = None) -> int:
    """Bytes of the bit-packed closure of n vertices, if they fit.

    Parameters
    ----------
    n : int
    machine : Machine, optional
        This one by default.

    Raises
    ------
    MemoryLimitError
        If n rows of n bits (in whole 64-bit words) do not fit; the message says how many vertices would.
    """
    machine = Machine.detect() if machine is None else machine
    needed = n * -(-n // 64) * 8
    limit = usable(machine)
    if needed > limit:
        fitting = int((8 * limit) ** 0.5) // 64 * 64
        raise MemoryLimitError(
            f"the reachability of {n:,} x {n:,} pairs at one bit each",
            needed,
            machine.memory_available,
            [
                f"a part of the graph of at most {fitting:,} vertices",
                "apsp.stream with rows of the vertices of interest",
            ],
        )
    return needed
