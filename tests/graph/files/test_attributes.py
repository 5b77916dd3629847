"""Attributes of edges in GraphML, GML and Pajek: where they are declared, how they are spelled, who lacks them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import apsp

Load = Callable[..., apsp.Graph]
KEY = '<key id="d0" for="edge" attr.name="weight" attr.type="double"/>'
BODY = (
    '<node id="a"/><node id="b"/><node id="c"/><edge source="a" target="b"><data key="d0">5</data></edge>'
    '<edge source="b" target="c"><data key="d0">7</data></edge>'
)


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def read(text: str, name: str = "a.graphml", **options: object) -> apsp.Graph:
        path = tmp_path / name
        path.write_text(text)
        return apsp.read(path, **options)  # type: ignore[arg-type]

    return read


def graphml(inside: str, before: str = "", after: str = "") -> str:
    return f'<graphml>{before}<graph edgedefault="directed">{inside}</graph>{after}</graphml>'


@pytest.mark.parametrize(
    "text",
    [
        graphml(BODY, KEY),
        graphml(KEY + BODY),
        graphml(BODY + KEY),
        graphml(BODY, after=KEY),
        graphml(BODY, '<key id="d0" for="node" attr.name="colour" attr.type="string"/>' + KEY),
        graphml(BODY, KEY + '<key id="d0" for="node" attr.name="colour" attr.type="string"/>'),
        graphml(BODY, '<key id="d0" for="all" attr.name="colour" attr.type="string"/>' + KEY),
        graphml(BODY, KEY.replace('for="edge"', 'for="all"')),
        graphml(BODY, KEY.replace('for="edge" ', "")),
        graphml(BODY, KEY.replace('"weight"', '"Weight"')),
        graphml(BODY.replace('"d0"', '"weight"')),  # not declared, but its name says what it is
        graphml(BODY + '<edge source="c" target="a"/>', after=KEY.replace("/>", "><default>9</default></key>")),
    ],
    ids=[
        "before", "inside", "inside-late", "after", "node-first", "node-second", "all", "for-all", "for-nothing",
        "case", "undeclared-weight", "late-default",
    ],
)  # fmt: skip
def test_keys_of_graphml_count_wherever_they_are_declared(load: Load, text: str) -> None:
    for options in ({}, {"cost": "weight"}):
        graph = load(text, **options)
        assert apsp.solve(graph).distance("a", "c") == 12
        if graph.m == 3:
            assert apsp.solve(graph).distance("c", "a") == 9


def test_a_key_that_is_not_declared_is_named(load: Load) -> None:
    with pytest.raises(apsp.FileFormatError, match="the key 'd0', which is not declared: cost='d0'"):
        load(graphml(BODY))
    assert apsp.solve(load(graphml(BODY), cost="d0")).distance("a", "c") == 12
    assert load(graphml(BODY), weighted=False).weights is None
    with pytest.raises(apsp.RequestError, match="cost='weight': no edge has it; edges have d0"):
        load(graphml(BODY), cost="weight")


def test_one_key_declared_twice_for_edges_is_refused(load: Load) -> None:
    with pytest.raises(apsp.FileFormatError, match="the key 'd0' is declared twice for edge: as 'weight' before"):
        load(graphml(BODY, KEY + KEY.replace("weight", "toll")))
    twice = BODY.replace('<data key="d0">5</data>', '<data key="d0">5</data><data key="d1">6</data>')
    with pytest.raises(apsp.FileFormatError, match="this edge has the attribute 'weight' twice"):
        load(graphml(twice, KEY + KEY.replace("d0", "d1")))


def test_names_of_attributes_ignore_case_but_exact_ones_come_first(load: Load) -> None:
    keys = KEY.replace("weight", "Weight") + KEY.replace("weight", "WEIGHT").replace("d0", "d1")
    both = BODY.replace("</data>", '</data><data key="d1">1</data>')
    with pytest.raises(apsp.RequestError, match="'Weight', 'WEIGHT' differ only in their case"):
        load(graphml(both, keys))
    assert apsp.solve(load(graphml(both, keys), cost="WEIGHT")).distance("a", "c") == 2
    gml = "graph [ directed 1 node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 Weight 4 ] ]"
    assert apsp.solve(load(gml, "a.gml")).distance(0, 1) == 4
    assert apsp.solve(load(gml, "a.gml", cost="weight")).distance(0, 1) == 4


MIXED = {
    "a.graphml": graphml(BODY + '<edge source="c" target="a"/>', KEY),
    "a.gml": "graph [ directed 1 node [ id 1 ] node [ id 2 ] node [ id 3 ]\nedge [ source 1 target 2 weight 5 ]\n"
    "edge [ source 2 target 3 weight 7 ]\nedge [ source 3 target 1 ] ]",
    "a.net": "*Vertices 3\n*Arcs\n1 2 5\n2 3 7\n3 1\n",
}


@pytest.mark.parametrize("name", MIXED)
def test_edges_without_the_length_that_others_have_are_counted(load: Load, name: str) -> None:
    with pytest.raises(
        apsp.FileFormatError, match=r"1 of 3 edges lacks .*, the first is '?[c3]'? - '?[a1]'?: missing=1"
    ):
        load(MIXED[name], name)
    assert load(MIXED[name], name, weighted=False).weights is None
    graph = load(MIXED[name], name, missing=4)
    first, last = graph.labels[0], graph.labels[2]
    assert apsp.solve(graph).distance(last, first) == 4
    with pytest.raises(apsp.RequestError, match="missing must be a finite number"):
        load(MIXED[name], name, missing=float("inf"))


def test_an_undirected_edge_among_arcs_is_one_edge(load: Load) -> None:
    text = graphml(BODY + '<edge source="c" target="a" directed="false"/>', KEY)
    with pytest.raises(apsp.FileFormatError, match="1 of 3 edges lacks"):
        load(text)


def test_missing_is_refused_where_no_edge_can_lack_its_length(load: Load) -> None:
    with pytest.raises(apsp.RequestError, match="missing= is for edge lists with dictionaries"):
        load("from,to,km\na,b,1\n", "a.csv", missing=1)


def test_hops_beside_attributes_of_numbers_are_noted(load: Load) -> None:
    notes: list[str] = []
    graph = load(graphml(BODY, KEY.replace("weight", "km")), notes=notes)
    assert graph.weights is None
    assert notes == ["hops are counted, since no edge has the attribute weight; cost= may name km"]
