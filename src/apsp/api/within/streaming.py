"""All pairs of vertices within a cutoff by blocks of sources, for pairs that do not fit into memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, Unpack

import numpy as np

from apsp._types import ArrayLike, GraphLike, PathLike, VerticesLike
from apsp.api.within.job import WithinJob, within_job
from apsp.facts.keywords import SearchKeywords
from apsp.facts.request import Request
from apsp.graph.model import Graph
from apsp.graph.places import Places
from apsp.graph.table_file import write_tables
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.methods.searches.near import NearRows
from apsp.result.near_pairs import NearPairs
from apsp.running.job_blocks import JobBlocks
from apsp.running.public import public
from apsp.system.lack_of_memory import memory_errors
from apsp.system.machine import threads_from
from apsp.system.numbers import counted, number_words

__all__ = ["NearPairBlocks", "stream_within"]


class NearPairBlocks(JobBlocks[WithinJob, NearPairs]):
    """Blocks of pairs in the order of the sources, each a `NearPairs`; `apsp.stream_within` makes it.

    An iterator, which computes a block when it is requested. A copy continues where this one is.

    Parameters
    ----------
    job : WithinJob
        What is computed.
    done : int
        The number of sources, the first ones, that are left out.

    Examples
    --------
    >>> import apsp
    >>> streets = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 3, 2], directed=False)
    >>> for block in apsp.stream_within(streets, 3, rows=2):
    ...     print(block.sources.tolist(), block.to_long()["target"].tolist())
    [0, 1] [0, 1, 2]
    [2, 3] [2, 3, 1, 3, 2]
    """

    def __repr__(self) -> str:
        job = self._job
        return f"NearPairBlocks({counted(len(job.sources), 'source')}, within {number_words(job.cutoff)}, {job.dtype})"

    @memory_errors
    def write(self, path: PathLike, *, seen: Callable[[NearPairs], object] | None = None) -> None:
        """Compute the blocks that are left, and write them to one file, which appears complete or not at all.

        At most one block (with an executor a few) is in memory.

        Parameters
        ----------
        path : str or Path
            The file, which ends in .csv or .parquet. Its columns are those of `NearPairs.to_long`; a Parquet file has
            row groups of one block each.
        seen : callable, optional
            Called with each block before it is written.

        Raises
        ------
        RequestError
            If it has another ending, or the labels have several types.
        MissingDependencyError
            If pyarrow, which writes Parquet, is not installed.
        OutputError
            If the file cannot be written.

        Examples
        --------
        >>> import apsp
        >>> from pathlib import Path
        >>> streets = apsp.from_edges([0, 1], [1, 2], [4, 1], labels=["a", "b", "c"])
        >>> apsp.stream_within(streets, 4).write("near.csv")
        >>> Path("near.csv").read_text().splitlines()
        ['source,target,distance', 'a,a,0', 'a,b,4', 'b,b,0', 'b,c,1', 'c,c,0']
        """
        job = self._job
        none = job.pairs_of(
            NearRows.of(np.zeros(1, np.int64), job.dtype, hops=job.hops, costs=len(job.along)), job.sources[:0]
        )
        write_tables(none._table(), (block._table() for block in self._shown(seen)), path)


@public
def stream_within(
    graph: GraphLike | TurnGraph,
    cutoff: float,
    *,
    rows: int | None = None,
    sources: VerticesLike | Places | None = None,
    targets: VerticesLike | Places | None = None,
    next_hop: bool = False,
    along: Sequence[str] | Mapping[str, ArrayLike | Graph] | None = None,
    k: int | None = None,
    sort: Literal["distance", "target"] | str = "distance",  # noqa: PYI051 - completed by editors
    **keywords: Unpack[SearchKeywords],
) -> NearPairBlocks:
    """Find the pairs of `within`, a block of sources at a time: for pairs that do not fit into memory.

    Parameters
    ----------
    {graph}
    cutoff : int or float
        As for `apsp.within`.
    rows : int, optional
        Sources per block; by default as many as have about 64 MiB of pairs, estimated from a few sources. With an
        executor, those of a task.
    sources, targets : vertex or sequence of vertices, or Places, optional
        As for `apsp.within`.
    next_hop : bool
        As for `apsp.within`.
    along : sequence of str, or mapping of str to (m,) numbers or Graph, optional
        As for `apsp.within`.
    k : int, optional
        As for `apsp.within`.
    sort : {'distance', 'target'}
        As for `apsp.within`.
    {search_options}

    Returns
    -------
    NearPairBlocks
        An iterator over blocks, each a `NearPairs`; its method `write` writes all of them to one file.

    Raises
    ------
    GraphError, RequestError, DtypeRangeError
        As `apsp.within`, at the call.
    MemoryLimitError
        If a block does not fit into memory.
    ExecutorError
        If the engine or a worker fails, at the first block.

    Examples
    --------
    >>> import apsp
    >>> city = apsp.generate("city", 400, seed=1)
    >>> sum(block.pairs for block in apsp.stream_within(city, 60, rows=100)) == apsp.within(city, 60).pairs
    True
    """
    options = Request.of(rows=rows, **keywords)
    threads_from(options.threads)  # invalid ones are an error now
    return NearPairBlocks(
        within_job(graph, cutoff, sources, targets, next_hop=next_hop, along=along, k=k, sort=sort, options=options)
    )
