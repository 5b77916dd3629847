"""The public functions: validate, plan, solve, return the result."""

from apsp.api.planning import plan
from apsp.api.reaching import reachable
from apsp.api.solving import solve
from apsp.api.streaming import stream
from apsp.running.blocks import Block

__all__ = ["Block", "plan", "reachable", "solve", "stream"]
