from __future__ import annotations

import numpy as np
import pytest

import apsp
from outside import edges, every_kind, found

networkit = pytest.importorskip("networkit")


def graph(directed: bool, weighted: bool) -> networkit.Graph:
    given = edges()
    made = networkit.Graph(given.n, weighted=weighted, directed=directed)
    for tail, head, weight in given.triples:
        made.addEdge(tail, head, weight)
    return made


def own(given: networkit.Graph) -> np.ndarray:
    distances = np.array(networkit.distance.APSP(given).run().getDistances())
    return np.where(distances > 1e300, np.inf, distances)  # NetworKit's infinity is the largest float


@every_kind
def test_distances_are_those_of_networkit(directed: bool, weighted: bool) -> None:
    given = graph(directed, weighted)
    assert np.array_equal(found(given), own(given))


def test_labels_are_node_numbers_also_where_nodes_were_removed() -> None:
    given = graph(True, True)
    given.removeNode(1)
    made = apsp.as_graph(given)
    assert list(made.labels) == [0, *range(2, 12)]
    kept = list(made.labels)
    whole = own(given)[np.ix_(kept, kept)] if len(own(given)) == 12 else own(given)
    assert np.array_equal(found(given), whole)


def test_hops_and_other_lengths() -> None:
    given = graph(False, True)
    assert np.array_equal(found(given, weight=None), own(graph(False, False)))
    doubled = [2 * weight for *_, weight in given.iterEdgesWeights()]
    assert np.array_equal(found(given, weight=doubled), 2 * own(given))
    with pytest.raises(apsp.RequestError, match="weight='minutes': edges of NetworKit have one weight"):
        apsp.as_graph(given, weight="minutes")
