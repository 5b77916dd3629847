"""The planner of today takes a method within 1.3 times of the fastest, by the seconds that were measured and committed.

Nothing is timed: benchmarks/planner.py did that, on the machine whose numbers lie beside its results. Graphs are made
again (or their statistics read, where they come from a file), and the planner is asked as it is now.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from apsp.plan import Gpu, GraphStatistics, Machine, Plan, make_plan
from apsp.plan.bounds import DistanceBound
from apsp.plan.constants import Constants, shipped_constants
from apsp.plan.planner import plan_on
from apsp.plan.statistics import Fill
from benchmarks.planner_cases import case_of, graph_of, request_of

RESULTS = Path(__file__).resolve().parents[2] / "benchmarks" / "results"
WITHIN = 1.3
WORDS = (
    "random, n = 4,677", "random, n = 16,384", "R-MAT", "ring", "grid 128 x 128", "hops", "negative, n = 2,048",
    "complete", "CAIDA", "New York", "path", "tree", "n = 200",
)  # fmt: skip


def documents() -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted(RESULTS.glob("planner*.json"))]


DOCUMENTS = documents()
ROWS = [(number, row) for number, document in enumerate(DOCUMENTS) for row in document["rows"]]


def machine_of(document: dict[str, Any]) -> Machine:
    facts = dict(document["machine"])
    gpus = [gpu | {"capability": tuple(gpu["capability"]), "peers": tuple(gpu["peers"])} for gpu in facts.pop("gpus")]
    return Machine(**facts, gpus=tuple(Gpu(**gpu) for gpu in gpus))


def constants_of(document: dict[str, Any]) -> Constants:
    """What a user of that machine plans with: the shipped ones, or those that `apsp tune` found there."""
    shipped = shipped_constants(document["machine"]["isa"])
    if document["constants"] == "shipped":
        return shipped
    return Constants(document["constants"], "measured on that machine")


def statistics_of(data: dict[str, Any]) -> GraphStatistics:
    fill = None if data["fill"] is None else Fill(**data["fill"])
    return GraphStatistics(**(data | {"bound": DistanceBound(**data["bound"]), "fill": fill}))


def plan_today(row: dict[str, Any], document: dict[str, Any]) -> Plan:
    case, machine, constants = case_of(row["case"]), machine_of(document), constants_of(document)
    request = replace(request_of(case, row["device"]), threads=document["threads"])
    if row["statistics"] is not None:
        return make_plan(statistics_of(row["statistics"]), machine, request, constants)
    graph = graph_of(case)
    assert graph is not None
    return plan_on(graph, request, machine, constants)


@pytest.mark.parametrize(("number", "row"), ROWS, ids=[f"{row['device']}: {row['case']['name']}" for _, row in ROWS])
def test_the_choice_is_within_reach_of_the_fastest(number: int, row: dict[str, Any]) -> None:
    plan, seconds = plan_today(row, DOCUMENTS[number]), row["seconds"]
    best = min((name for name in seconds if name != "auto"), key=seconds.__getitem__)
    assert plan.method in seconds, f"{plan.method} was not measured: {row['left out'].get(plan.method)}"
    ratio = seconds[plan.method] / seconds[best]
    assert ratio <= WITHIN, f"{plan.method} took {ratio:.2f} times as long as {best}: {seconds}\n{plan.explain()}"


def test_the_set_is_the_one_that_is_spoken_of() -> None:
    names = {row["case"]["name"] for document in DOCUMENTS for row in document["rows"]}
    for word in WORDS:
        assert any(word in name for name in names), word
    assert all(row["verified"] for document in DOCUMENTS for row in document["rows"])
