"""Dense graphs and closures over many processes: of MPI (`pip install 'apsp[mpi]'`), or started by torchrun."""

from __future__ import annotations

from apsp.spmd.planning import plan, plan_reachable
from apsp.spmd.reaching import reachable
from apsp.spmd.solving import solve

__all__ = ["plan", "plan_reachable", "reachable", "solve"]
