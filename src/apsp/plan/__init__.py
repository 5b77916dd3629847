"""What will run: the machine, the cost of every method, and the choice."""

from apsp.plan.machine import Gpu, Machine, threads_from
from apsp.plan.plan import Plan
from apsp.plan.planner import make_plan, plan_for
from apsp.plan.request import Request
from apsp.plan.statistics import GraphStatistics, statistics_of

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
