"""Many graphs at once: `solve_batch`."""

from apsp.api.batch.batch_paths import BatchPaths
from apsp.api.batch.solving import solve_batch

__all__ = ["BatchPaths", "solve_batch"]
