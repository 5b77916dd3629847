"""Dense graphs and closures over many processes: of MPI (`pip install 'apsp[mpi]'`), or started by torchrun."""

from __future__ import annotations

from apsp.api.spmd.planning import plan, plan_reachable
from apsp.api.spmd.reaching import reachable
from apsp.api.spmd.solving import solve

__all__ = ["plan", "plan_reachable", "reachable", "solve"]
