"""The planner of today takes a method within 1.3 times of the fastest (1.5 on graphs of extreme shapes, whose plans are
right within a factor of 3), by the seconds that were measured and committed.

Nothing is timed: benchmarks/planner.py did that, on the machine whose numbers lie beside its results. Graphs are made
again (or their statistics read, where they come from a file), and the current planner chooses.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import apsp
from apsp.facts.bounds import DistanceBound
from apsp.facts.constants import Constants, shipped_constants
from apsp.facts.statistics import Fill
from apsp.methods.registry import METHODS
from apsp.planning import Gpu, GraphStatistics, Machine, Plan, Request, make_plan
from apsp.planning.planner import plan_on
from benchmarks.planner_cases import case_of, graph_of, request_of

RESULTS = Path(__file__).resolve().parents[2] / "benchmarks" / "results"
WITHIN, WITHIN_OF_SHAPES, PLANNED_WITHIN = 1.3, 1.5, 3.0
WORDS = (
    "random, n = 4,677", "random, n = 16,384", "R-MAT", "ring", "grid 128 x 128", "hops", "negative, n = 2,048",
    "complete", "CAIDA", "New York", "path", "tree", "n = 200",
)  # fmt: skip


def documents() -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted(RESULTS.glob("planner*.json"))]


DOCUMENTS = documents()
ROWS = [(number, row) for number, document in enumerate(DOCUMENTS) for row in document["rows"]]


def of_shapes(document: dict[str, Any]) -> bool:
    """Whether the graphs are those of extreme shapes."""
    return "--shapes" in document["environment"]["command"].split()


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


@pytest.mark.few(40)
@pytest.mark.parametrize(("number", "row"), ROWS, ids=[f"{row['device']}: {row['case']['name']}" for _, row in ROWS])
def test_the_choice_is_within_reach_of_the_fastest(number: int, row: dict[str, Any]) -> None:
    plan, seconds = plan_today(row, DOCUMENTS[number]), row["seconds"]
    best = min((name for name in seconds if name != "auto"), key=seconds.__getitem__)
    assert plan.method in seconds, f"{plan.method} was not measured: {row['left out'].get(plan.method)}"
    ratio = seconds[plan.method] / seconds[best]
    within = WITHIN_OF_SHAPES if of_shapes(DOCUMENTS[number]) else WITHIN
    assert ratio <= within, f"{plan.method} took {ratio:.2f} times as long as {best}: {seconds}\n{plan.explain()}"


@pytest.mark.few(20)
@pytest.mark.parametrize(
    ("number", "row"),
    [(number, row) for number, row in ROWS if of_shapes(DOCUMENTS[number])],
    ids=[row["case"]["name"] for number, row in ROWS if of_shapes(DOCUMENTS[number])],
)
def test_the_plan_of_an_extreme_shape_takes_about_its_seconds(number: int, row: dict[str, Any]) -> None:
    plan = plan_today(row, DOCUMENTS[number])
    taken = row["seconds"][plan.method]
    assert taken / PLANNED_WITHIN <= plan.seconds <= taken * PLANNED_WITHIN, f"{taken} s\n{plan.explain()}"


GPU = Gpu("NVIDIA H200", 140 << 30, 139 << 30, (9, 0), multiprocessors=132, clock=1_980_000_000)
HOST = Machine(cores=16, isa="avx512", memory_total=128 << 30, memory_available=120 << 30, physical=8, gpus=(GPU,))


def gpu_rows() -> dict[tuple[str, int, str], dict[str, float]]:
    """Milliseconds of each method on each graph of benchmarks/gpu_sparse.py that elimination is not made for."""
    rows: dict[tuple[str, int, str], dict[str, float]] = {}
    for row in json.loads((RESULTS / "gpu_sparse.json").read_text())["rows"]:
        if "milliseconds" in row and row["method"] in METHODS and not row["what"].startswith(("AS graph", "grid")):
            rows.setdefault((row["what"], row["n"], row["kind"]), {})[row["method"]] = row["milliseconds"]
    return rows


@pytest.mark.parametrize(("what", "taken"), [(what, taken) for what, taken in gpu_rows().items() if len(taken) > 1])
def test_the_choice_on_a_gpu(what: tuple[str, int, str], taken: dict[str, float]) -> None:
    name, n, dtype = what
    graph = apsp.generate("rmat" if name.startswith("R-MAT") else name.split(",")[0], n, seed=1)
    graph = graph.unweighted() if "hops" in name else graph
    request = Request(device="cuda", dtype=dtype, threads=HOST.cores)
    plan = plan_on(graph, request, HOST, shipped_constants(HOST.isa))
    assert taken[plan.method] <= WITHIN * min(taken.values()), f"{taken}\n{plan.explain()}"


def test_the_set_is_the_one_that_is_spoken_of() -> None:
    names = {row["case"]["name"] for document in DOCUMENTS for row in document["rows"]}
    for word in WORDS:
        assert any(word in name for name in names), word
    assert all(row["verified"] for document in DOCUMENTS for row in document["rows"])
