"""Many graphs at once: `solve_batch`."""

from apsp.api.batch.front import solve_batch

__all__ = ["solve_batch"]
