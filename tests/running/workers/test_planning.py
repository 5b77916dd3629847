"""Plans of calls with an executor: as many tasks, rows and bytes as the call has."""

import pickle
from concurrent.futures import Executor, Future

import numpy as np
import pytest

import apsp
from apsp.cli.main import main
from apsp.facts.request import Request
from apsp.running.workers.row_job import RowJob


class Counting(Executor):
    """Runs tasks at once, and counts them and the bytes of what they return."""

    num_workers = 3

    def __init__(self):
        self.tasks = self.back = 0

    def submit(self, function, /, *arguments):
        """Run it."""
        self.tasks += 1
        future = Future()
        data = pickle.dumps(function(*arguments))
        self.back += len(data)
        future.set_result(pickle.loads(data))
        return future


@pytest.fixture
def graph():
    return apsp.generate("city", 3000, seed=2)


@pytest.mark.parametrize("rows", [None, 100])
@pytest.mark.parametrize("paths", [False, True])
def test_stream(graph, rows, paths):
    executor = Counting()
    shared = apsp.plan(graph, for_="stream", rows=rows, paths=paths, executor=executor).shared
    assert executor.tasks == 0
    for _ in apsp.stream(graph, rows=rows, paths=paths, executor=executor):
        pass
    assert shared.tasks == executor.tasks - 1  # the first one plans
    assert shared.bytes_back == pytest.approx(executor.back, rel=0.02)
    assert shared.bytes_stored == 0
    assert (shared.workers, shared.over_network) == (3, True)
    assert rows is None or shared.rows == rows


def test_summary(graph):
    executor = Counting()
    shared = apsp.plan(graph, for_="summary", executor=executor).shared
    apsp.summary(graph, executor=executor)
    assert shared.tasks == executor.tasks - 1
    assert executor.back / 1.5 < shared.bytes_back < executor.back * 1.5


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "groups", [5, pytest.param(50, marks=pytest.mark.slow), pytest.param(400, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("weights", [1, 0.37])
@pytest.mark.parametrize("kept", [{}, {"bins": 64}, {"quantiles": 0.5}])
def test_statistics_of_groups(graph, groups, weights, kept):
    """Of quantiles in the first of several passes."""
    graph = graph.with_weights(graph.weights * weights)
    call = {"groups": np.arange(graph.n) % groups, **kept}
    executor = Counting()
    plan = apsp.plan(graph, for_="summary", executor=executor, **call)
    without = apsp.plan(graph, for_="summary", executor=executor)
    apsp.summary(graph, executor=executor, **call)
    passes = (executor.tasks - 1) // plan.shared.tasks
    assert passes == 1 or "quantiles" in kept
    assert executor.back / passes / 3 < plan.shared.bytes_back < executor.back * 3
    more, numbers = plan.bytes_output - without.bytes_output, 8 * groups**2 * (12 + 4 * kept.get("bins", 0))
    if "quantiles" in kept:
        assert more > numbers
    else:
        assert more == numbers
    alone = apsp.plan(graph, for_="summary", **call)
    assert (
        alone.bytes_output - apsp.plan(graph, for_="summary").bytes_output == plan.bytes_output - without.bytes_output
    )
    for each in (plan, alone):
        assert f"Statistics within and between {groups} groups: " in each.explain()


def test_more_groups_than_fit(graph, monkeypatch):
    """The plan raises the error of the call, before any work."""
    monkeypatch.setattr("apsp.system.machine.usable", lambda _machine: 8 * 12 * 50**2 - 1)
    groups = np.arange(graph.n) % 50
    for executor in (None, Counting()):
        for call in (apsp.plan, apsp.summary):
            options = {"for_": "summary"} if call is apsp.plan else {}
            with pytest.raises(apsp.MemoryLimitError, match="statistics of 50 groups and 50 groups"):
                call(graph, groups=groups, executor=executor, **options)


@pytest.mark.parametrize("wrong", [{"groups": [0] * 3000}, {"quantiles": 0.5}, {"bins": 8}])
@pytest.mark.parametrize("purpose", ["solve", "stream", "flows"])
def test_groups_are_of_summaries(graph, wrong, purpose):
    with pytest.raises(apsp.RequestError, match="are of summaries: plan with for_='summary'"):
        apsp.plan(graph, for_=purpose, **wrong)


def test_a_store(graph, tmp_path):
    pytest.importorskip("zarr")
    executor = Counting()
    plan = apsp.plan(graph, paths=True, executor=executor, sources=range(2000))
    result = apsp.solve(graph, paths=True, executor=executor, sources=range(2000), store=tmp_path / "out.zarr")
    assert "less what compression saves: at 1 GB per second" in plan.explain()
    assert plan.shared.tasks == executor.tasks - 1
    assert plan.shared.rows == result.info["band_rows"]
    assert plan.shared.bytes_stored == 2000 * 3000 * (2 + 4)
    assert executor.back < 20_000
    assert plan.shared.bytes_back < 20_000


def test_the_bytes_of_the_graph(graph):
    shared = apsp.plan(graph, executor="processes", device="cpu", threads=1).shared
    assert shared.bytes_graph == pytest.approx(
        len(pickle.dumps(RowJob(graph, None, None, Request()), protocol=5)), rel=0.01
    )
    assert not shared.over_network


def test_seconds(graph):
    """They are those of one worker, divided by the number of workers but for what each prepares."""
    alone = apsp.plan(graph, for_="summary", method="elimination", device="cpu", threads=1)
    plan = apsp.plan(graph, for_="summary", method="elimination", device="cpu", executor=Counting())
    shared = plan.shared
    assert shared.threads == 1
    assert plan.seconds == shared.seconds_in_all
    assert shared.seconds_once + shared.tasks * shared.seconds == pytest.approx(alone.seconds, rel=0.1)
    assert plan.seconds == pytest.approx(shared.seconds_once + (alone.seconds - shared.seconds_once) / 3, rel=0.1)
    assert shared.seconds_once > 0


def test_words(graph):
    plan = apsp.plan(graph, executor=Counting(), device="cpu")
    words = plan.explain()
    assert "Planned for apsp.solve with a store" in words
    assert "Executor: Counting, 3 workers, 1 thread each." in words
    assert "Each worker receives the graph once" in words
    assert "over the network" in words
    assert "The workers write 17.2 MiB into the store" in words
    assert "as requested" not in words
    assert words.count("Expected time") == 1
    assert plan.to_dict()["shared"]["tasks"] == plan.shared.tasks
    assert "3 workers" in plan._repr_html_()
    assert apsp.plan(graph).shared is None
    few = apsp.plan(apsp.from_edges([], [], n=0), executor=Counting())
    assert few.shared.tasks == 0
    assert apsp.plan(apsp.from_edges([0], [1]), executor=Counting()).shared.tasks == 1


def test_what_cannot_be_shared(graph):
    with pytest.raises(apsp.RequestError, match="for_='solve' is of shortest paths only"):
        apsp.plan(graph, executor="processes", semiring="max_min")
    with pytest.raises(apsp.RequestError, match="executor must be"):
        apsp.plan(graph, executor=np.array(3))
    with pytest.raises(apsp.RequestError, match="leave out pages_file, or executor"):
        apsp.plan(graph, executor="processes", pages_file="pages")


def test_command(graph, tmp_path, capsys):
    apsp.write(graph, tmp_path / "graph.gr")
    assert main(["plan", str(tmp_path / "graph.gr"), "--executor", "processes", "--for", "summary"]) == 0
    assert "Executor: processes" in capsys.readouterr().out


def test_who_prepares(graph):
    plan = apsp.plan(graph, for_="summary", method="elimination", device="cpu", executor=Counting())
    assert plan.shared.prepared_once
    assert "to prepare in the first worker, for all." in plan.explain()
    other = apsp.plan(graph, for_="summary", method="label-correcting", device="cpu", executor=Counting())
    assert not other.shared.prepared_once
    assert "the first worker" not in other.explain()


@pytest.mark.parametrize("weighted", [False, True])
def test_flows(graph, weighted):
    graph = graph if weighted else graph.unweighted()
    executor, options = Counting(), {"sources": range(2500), "threads": 1}
    plan = apsp.plan(graph, for_="flows", executor=executor, **options)
    assert executor.tasks == 0
    apsp.edge_betweenness_centrality(graph, executor=executor, **options)
    shared = plan.shared
    assert shared.tasks == executor.tasks - 1
    assert shared.bytes_back == pytest.approx(executor.back, rel=0.05)
    assert plan.purpose == "flows"
    assert plan.method == ("elimination" if weighted else "searches")
    assert (shared.seconds_once > 0) == weighted
    assert plan.seconds == shared.seconds_in_all > 0
    assert "Planned for betweenness and apsp.arc_flows: sums over 2,500 sources." in plan.explain()
    alone = apsp.plan(graph, for_="flows", **options)
    assert alone.shared is None
    assert alone.method == plan.method
    assert "It runs on 1 thread of the CPU." in alone.explain()
    assert alone.to_dict()["purpose"] == "flows"
    assert apsp.plan(graph, for_="flows", device="emulated", sources=[1]).device == "emulated"


@pytest.mark.parametrize(
    "wrong", [{"rows": 3}, {"dtype": "int32"}, {"method": "dijkstra"}, {"semiring": "max_min"}, {"paths": True}]
)
def test_what_flows_do_not_have(graph, wrong):
    with pytest.raises(apsp.RequestError, match=f"which have no {next(iter(wrong))}: leave it out"):
        apsp.plan(graph, for_="flows", **wrong)
