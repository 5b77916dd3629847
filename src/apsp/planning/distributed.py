"""The part of a plan for a matrix that is distributed over processes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["ClosureShape", "DistributedWork"]


@dataclass(frozen=True)
class ClosureShape:
    """What a closure over processes closes, as part of a `Plan`.

    Attributes
    ----------
    vertices, components, arcs : int
        Vertices of the graph; its strongly connected components, and the arcs between them.
    products : bool
        The rows of components are closed by products of bit matrices: on GPUs, and where arcs between components are
        many. Otherwise they are joined arc by arc.
    """

    vertices: int
    components: int
    arcs: int
    products: bool


@dataclass(frozen=True)
class DistributedWork:
    """What each process of `apsp.spmd` holds and sends, as part of a `Plan`.

    Attributes
    ----------
    processes : int
    grid : (int, int)
        Rows and columns of the grid of processes.
    block, steps : int
        Rows (and, of distances, columns) of a block, and the number of blocks of pivots or of rows of components.
    bytes_matrix, bytes_panels : int
        Memory of a process: its part of the matrix; the panels, or the arcs of a step for products.
    bytes_graph : int
        The graph (and its components), which every process has.
    bytes_sent : int
        Of distances, panels that a process receives or sends in all; of a closure, rows that process 0 receives.
    output_to : {'memory', 'store', 'file'}
        Where the result goes: into the memory of process 0, from all processes into a store, or from process 0 into a
        file. `Plan.bytes_output` is the memory that this takes in a process.
    closure : ClosureShape, optional
        Of a closure.
    """

    processes: int
    grid: tuple[int, int]
    block: int
    steps: int
    bytes_matrix: int
    bytes_panels: int
    bytes_graph: int
    bytes_sent: int
    output_to: Literal["memory", "store", "file"]
    closure: ClosureShape | None = None
