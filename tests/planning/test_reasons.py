"""Reasons of plans are data, worded in one place."""

import json
import pickle
import typing

import pytest

import apsp
import apsp.spmd
from apsp.planning import words
from apsp.planning.reason import Kind, reason
from apsp.planning.words import words_of

GRAPH = apsp.generate("random", 500, m=2000, seed=1)


def test_every_kind_has_words():
    assert set(typing.get_args(Kind)) == words._WORDS.keys()


PLANS = {
    "solve": lambda: apsp.plan(GRAPH),
    "summary": lambda: apsp.plan(GRAPH, for_="summary", groups=[v % 3 for v in range(500)], executor="processes"),
    "flows": lambda: apsp.plan(GRAPH, for_="flows"),
    "reachable": lambda: apsp.plan(GRAPH, for_="reachable"),
    "spmd": lambda: apsp.spmd.plan(GRAPH, processes=4),
    "closure": lambda: apsp.spmd.plan_reachable(GRAPH, processes=4),
}


@pytest.mark.parametrize("name", PLANS)
def test_all_plans_explain_themselves(name):
    plan = PLANS[name]()
    assert type(plan) is apsp.Plan
    assert len({each.kind for each in plan.why}) == len(plan.why) >= 4
    assert plan.explain().startswith("\n".join(map(words_of, plan.why)))
    data = json.loads(json.dumps(plan.to_dict()))
    assert data["reasons"] == list(plan.reasons)
    assert data["purpose"] == plan.purpose
    assert repr(plan).startswith(f"Plan({plan.method}, {plan.dtype}, cpu, about")
    assert plan.reasons[0] in plan._repr_html_()
    sent = pickle.loads(pickle.dumps(plan))
    assert sent.why == plan.why
    assert sent.explain() == plan.explain()


def test_workers_have_another_purpose_and_another_time():
    here, there = apsp.plan(GRAPH, for_="stream"), apsp.plan(GRAPH, for_="stream", executor="processes")
    kinds = [each.kind for each in there.why]
    assert kinds == [each.kind for each in here.why if each.kind not in ("cpu", "expected")]
    assert "Planned for apsp.stream: the workers return blocks of rows." in there.reasons
    assert there.reasons[-1].endswith("of computation with all workers.")


def test_words_of_flows_on_a_gpu():
    assert words_of(reason("a_gpu", device="emulated")) == "It runs on a GPU (emulated)."
    assert words_of(reason("expected", seconds=2, origin=None)) == "Expected time: about 2 s on the CPU."
