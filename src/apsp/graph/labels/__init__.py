"""What a user calls the vertices of a graph, and the positions 0..n-1 that they stand for.

A graph holds one `Labels`. Solvers and kernels count in positions; the public functions translate at the door. Labels
that are exactly the positions (`range(n)`) are those of a graph that came without any.
"""

from apsp.graph.labels.base import Label, Labels
from apsp.graph.labels.integers import RangeLabels
from apsp.graph.labels.making import labels_of

__all__ = ["Label", "Labels", "RangeLabels", "labels_of"]
