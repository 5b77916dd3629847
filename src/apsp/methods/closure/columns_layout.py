"""How the columns of a closure are distributed over processes: plain data; needs no processes."""

from __future__ import annotations

from dataclasses import dataclass

from apsp.errors import RequestError
from apsp.methods.closure.condensation import Condensation
from apsp.methods.floyd_warshall.spmd.grid import Axis

__all__ = ["ColumnsLayout", "layout"]

_WORD = 64
_BLOCK = 2048

_MOST_COLUMNS, _BLOCKS_EACH = 512, 8
"""Words of the largest block of columns. A process has several blocks, so that all have much and little to do."""

_DENSE = 8
"""Products are used from c^2 / 8 arcs between c components on. They pay from c^2 / 4 on for c = 8,192, whose rows fit
into a cache, and from c^2 / 16 on for c = 16,384."""


@dataclass(frozen=True)
class ColumnsLayout:
    """The distribution of (components, n) bits.

    Attributes
    ----------
    n, components, arcs, processes : int
        Vertices; components, which have a row each; arcs between them.
    block : int
        Rows of a step, a multiple of 64.
    products : bool
        The rows of a step are closed by products of bit matrices instead of arc by arc.
    """

    n: int
    components: int
    arcs: int
    processes: int
    block: int
    products: bool

    @property
    def words(self) -> int:
        """Words of a whole row."""
        return -(-self.n // _WORD)

    @property
    def steps(self) -> int:
        """Blocks of rows."""
        return -(-self.components // self.block)

    def bounds(self, step: int) -> tuple[int, int]:
        """The rows (from, to) of a step."""
        return step * self.block, min((step + 1) * self.block, self.components)

    def columns(self, rank: int = 0) -> Axis:
        """The words of a process, by turns. No process has more than the first."""
        width = min(max(self.words // (self.processes * _BLOCKS_EACH), 1), _MOST_COLUMNS)
        return Axis(self.words, width, self.processes, rank)

    def matrix_bytes(self, rank: int = 0) -> int:
        """Bytes of the rows of a process."""
        return 8 * self.components * self.columns(rank).size

    def panel_bytes(self) -> int:
        """Bytes of the arcs of the rows of a step, and of a copy of these rows, for products."""
        rows = min(self.block, self.components)
        return 8 * rows * (-(-self.components // _WORD) + self.columns().size) if self.products else 0

    def pairs(self) -> float:
        """Words of the first process times the rows that are added to others."""
        rows = float(self.components) * (self.components + self.block) / 2 if self.products else float(self.arcs)
        return rows * self.columns().size


def layout(
    condensed: Condensation, processes: int, block: int | None = None, *, products: bool | None = None
) -> ColumnsLayout:
    """Choose how the rows are closed, and how many per step, unless that is given."""
    if block is not None and block % _WORD:
        raise RequestError(f"block={block}: bits are closed in whole words, so block must be a multiple of {_WORD}")
    c, arcs = condensed.count, condensed.graph.m
    if products is None:
        products = arcs > c * c // _DENSE
    return ColumnsLayout(len(condensed.labels), c, arcs, processes, _BLOCK if block is None else block, products)
