"""Distances by blocks of rows: for results that do not fit in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

from apsp._types import GraphLike, VerticesLike
from apsp.facts.keywords import StreamKeywords
from apsp.facts.request import Request
from apsp.graph.accept import graph_with_turns
from apsp.graph.places import Places
from apsp.graph.places.placed import placed
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.running.blocks import Block
from apsp.running.public import public
from apsp.running.run import blocks_of
from apsp.system.arguments import flag

__all__ = ["stream"]


@public
def stream(
    graph: GraphLike | TurnGraph,
    *,
    rows: int | None = None,
    sources: VerticesLike | Places | None = None,
    targets: VerticesLike | Places | None = None,
    reuse: bool = False,
    **keywords: Unpack[StreamKeywords],
) -> Iterator[Block]:
    """Compute the same distances as `solve`, a block of rows at a time: for results that do not fit in memory.

    Parameters
    ----------
    {graph}
    rows : int, optional
        Rows per block; by default as many as fit in an eighth of the memory, at most 256 MiB; with `reuse`, on a CPU,
        about 32 MiB.
    sources, targets : vertex or sequence of vertices, or Places, optional
        As for `apsp.solve`.
    reuse : bool
        Use the same arrays for every block: faster, but blocks that are kept must be copied.
    {solve_options}

    Returns
    -------
    iterator of Block
        The blocks, in the order of the sources; those of an executor are in host memory.

    Raises
    ------
    GraphError, RequestError, UnknownMethodError, MethodRefusedError, DtypeRangeError, DeviceError
        At the call, not at the first block, if the input or the request is invalid.
    NegativeCycleError
        At the call, if a requested source reaches a cycle of negative length; the error holds the cycle.
    MemoryLimitError
        At the call, if a block does not fit.
    ExecutorError
        If the engine or a worker fails; with an executor, all errors of the work are raised at the first block.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> for block in apsp.stream(graph, rows=2):
    ...     print(block.sources.tolist(), block.distances.tolist())
    [0, 1] [[0, 4, 5], [3, 0, 1]]
    [2] [[2, 6, 0]]
    """
    options = Request.of(rows=rows, **keywords)
    graph = placed(graph_with_turns(graph), leaving=(sources,), entering=(targets,), rows=sources)
    return blocks_of(graph, sources, targets, options, reuse=flag(reuse, "reuse"))
