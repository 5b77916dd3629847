"""The labels of the vertices of a graph, and their positions 0..n-1.

A graph has one `Labels`. Solvers and kernels use positions; the public functions convert. Labels
that are exactly the positions (`range(n)`) are those of a graph without labels.
"""

from apsp.graph.labels.base import Label, Labels
from apsp.graph.labels.integers import RangeLabels
from apsp.graph.labels.making import labels_of

__all__ = ["Label", "Labels", "RangeLabels", "labels_of"]
