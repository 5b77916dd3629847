"""`networkx.algorithms.centrality`: closeness, of nodes and of groups, harmonic, and global reaching."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from apsp.api import stream
from apsp.compat.networkx.converted import Converted
from apsp.compat.networkx.function import of_networkx
from apsp.compat.networkx.shortest_paths.weighted import multi_source_dijkstra_path_length
from apsp.graph.networkx_arcs import Weight
from apsp.measures.summary import summary
from apsp.reductions.float_sum import float_sum
from apsp.semiring import unreachable

__all__ = [
    "closeness_centrality",
    "global_reaching_centrality",
    "group_closeness_centrality",
    "harmonic_centrality",
]


@of_networkx("measure")
def closeness_centrality(G: Converted, u: Any = None, distance: Weight = None, wf_improved: bool = True) -> Any:
    """Return the inverse of the mean distance to each node, or to one."""
    there = G.reverse()  # NetworkX measures distances to a node
    if u is None:
        values = there.sums(distance).closeness_centrality("out", wf_improved=bool(wf_improved))
        return dict(zip(G.nodes, values.tolist(), strict=True))
    if distance is not None:
        hash(u)  # as in NetworkX, whose search by length starts with a dictionary: TypeError
    if u not in G:
        raise nx.NodeNotFound(f"Source {u} is not in G" if distance is None else f"Node {u} not found in graph")
    found = summary(there.graph(distance), sources=[G.positions[u]], reciprocals=False)
    return found.closeness_centrality("out", wf_improved=bool(wf_improved)).item()


@of_networkx("measure")
def harmonic_centrality(
    G: Converted, nbunch: Any = None, distance: Weight = None, sources: Any = None
) -> dict[Any, float]:
    """Return the sum of the inverse distances from the sources (all nodes) to each node, or to some."""
    targets = set(G.nodes if nbunch is None else G.origin.nbunch_iter(nbunch))
    places = np.fromiter(map(G.positions.__getitem__, targets), np.int64, len(targets))
    if sources is None and nbunch is None:
        values = G.reverse().harmonic_sums(distance).harmonic_centrality("out")[places]
    else:
        starts = set(G.nodes if sources is None else G.origin.nbunch_iter(sources))
        values = np.zeros(len(targets))
        if starts and targets:
            chosen = np.fromiter(map(G.positions.__getitem__, starts), np.int64, len(starts))
            for block in stream(G.graph(distance), sources=chosen, targets=places):
                near = (block.distances != 0) & (block.distances != unreachable(block.distances.dtype))
                lengths = block.distances.astype(np.float64)
                values += np.divide(1.0, lengths, out=np.zeros_like(lengths), where=near).sum(axis=0)
    return {node: value or 0 for node, value in zip(targets, values.tolist(), strict=True)}


@of_networkx("source", callables=False)
def group_closeness_centrality(G: Converted, S: Any, weight: Weight = None) -> float:
    """Return the number of nodes outside of a group over the sum of their distances to it."""
    group = set(S)
    lengths = multi_source_dijkstra_path_length(G.reverse(), group, weight=weight)
    outside = [node for node in G.nodes if node not in group]
    total = sum(lengths.get(node, 0) for node in outside)
    return len(outside) / total if total else 0


@of_networkx("measure", callables=False)
def global_reaching_centrality(G: Converted, weight: Weight = None, normalized: bool = True) -> float:
    """Return the mean difference from the largest local reaching centrality, by hops."""
    if G.number_of_edges() < 1:
        raise nx.NetworkXError("Size of G must be positive")
    n = len(G)
    if n == 1:
        message = "local_reaching_centrality of a single node with self-loop not well-defined"
        raise nx.NetworkXError(message)
    if G.is_directed():
        local = G.sums(None).reachable / (n - 1)
    else:  # the mean of 1 / length of a path
        local = G.harmonic_sums(None).harmonic_centrality("out") / (n - 1)
    return float_sum((local.max() - local).tolist()) / (n - 1)
