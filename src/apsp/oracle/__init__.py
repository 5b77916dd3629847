"""`prepare` once, ask often: an `Oracle` answers for any pair, any rows, any block of distances, without n x n.

It holds the factor of elimination (see `apsp.solvers.sparse.factor`): a few numbers a vertex on graphs with small
separators, such as roads and grids. One distance costs microseconds, a row a pass over the factor.
"""

from apsp.oracle.front import prepare
from apsp.oracle.oracle import Oracle

__all__ = ["Oracle", "prepare"]
