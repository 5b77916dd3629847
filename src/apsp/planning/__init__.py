"""The choice of what runs, from the cost of every method on this machine."""

from apsp.facts.request import Request
from apsp.facts.statistics import GraphStatistics, statistics_of
from apsp.planning.plan import Plan
from apsp.planning.planner import make_plan, plan_for
from apsp.system.machine import Gpu, Machine, threads_from

__all__ = [
    "Gpu",
    "GraphStatistics",
    "Machine",
    "Plan",
    "Request",
    "make_plan",
    "plan_for",
    "statistics_of",
    "threads_from",
]
