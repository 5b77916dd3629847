"""Many graphs at once: `solve_batch`."""

from apsp.batch.front import solve_batch

__all__ = ["solve_batch"]
