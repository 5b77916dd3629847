"""Tile policies: how `update` divides its work, as data by compute capability and algebra.

A shape is what `Shape` of tile.cuh is told; what follows from it (threads, rows and columns of a tile, bytes of shared
memory) is said back to the compiler, which refuses a disagreement. A policy has a large tile, and a small one for
launches that would leave multiprocessors without work. `apsp tune` replaces a policy by the best that it measured.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["PORTABLE", "Policy", "Shape", "policy_for"]


@dataclass(frozen=True)
class Shape:
    """How a tile of C is divided among threads, and how it is fed.

    Attributes
    ----------
    thread_rows, thread_vectors : int
        Entries of a thread: rows, and vectors of 16 bytes.
    warps_down, warps_across : int
        Warps of a block; a warp is 4 rows of 8 threads.
    depth_bytes : int
        Of a row of A that a stage in shared memory holds.
    stages : int
        In shared memory at a time.
    pivots : int
        Of A that a thread holds in registers at a time, 2 or 4.
    blocks : int
        On one multiprocessor; bounds the registers of a thread.
    multiplied : int
        Of 12 sums: made by the multiplier (see relax2_multiplied in semiring.cuh).
    """

    thread_rows: int
    thread_vectors: int
    warps_down: int
    warps_across: int
    depth_bytes: int
    stages: int
    pivots: int
    blocks: int
    multiplied: int = 0

    @property
    def threads(self) -> int:
        """Of a block."""
        return 32 * self.warps_down * self.warps_across

    @property
    def rows(self) -> int:
        """Of a tile."""
        return 4 * self.thread_rows * self.warps_down

    def columns(self, itemsize: int) -> int:
        """Of a tile."""
        return 128 * self.thread_vectors * self.warps_across // itemsize

    def shared_bytes(self, itemsize: int, witness: bool) -> int:
        """Dynamic shared memory of a block: its stages, and for a witness its tile of C."""
        left = self.rows * (self.depth_bytes + 16)
        before = self.threads * 16 * self.thread_rows * self.thread_vectors if witness else 0
        return self.stages * (left + self.depth_bytes * self.columns(itemsize)) + before

    def expression(self, algebra: str, itemsize: int, witness: bool) -> str:
        """The kernel of update.cu for this shape."""
        numbers = (
            self.thread_rows, self.thread_vectors, self.warps_down, self.warps_across, self.depth_bytes, self.stages,
            self.pivots, self.blocks, self.multiplied,
        )  # fmt: skip
        launch = (self.threads, self.rows, self.columns(itemsize), self.shared_bytes(itemsize, witness))
        return (
            f"apsp::update<{algebra}, apsp::Shape<{', '.join(map(str, numbers))}>, "
            f"apsp::Launch<{', '.join(map(str, launch))}>, {'true' if witness else 'false'}>"
        )


@dataclass(frozen=True)
class Policy:
    """Two shapes for one algebra.

    Attributes
    ----------
    large : Shape
        The fastest one for launches with many tiles.
    small : Shape
        For launches with few.
    small_cost : float
        Time of a pair in small tiles, in that of a pair in large ones, when all multiprocessors are busy.
    """

    large: Shape
    small: Shape
    small_cost: float = 1.2

    def choose(self, rows: int, columns: int, itemsize: int, multiprocessors: int) -> Shape:
        """The shape that makes rows x columns entries soonest: whole rounds of tiles, each as long as a tile."""

        def time(shape: Shape, cost: float) -> float:
            tiles = -(-rows // shape.rows) * -(-columns // shape.columns(itemsize))
            rounds = -(-tiles // (multiprocessors * shape.blocks))
            busy = min(shape.blocks, -(-tiles // multiprocessors))  # of a multiprocessor, in the only round
            share = shape.blocks if rounds > 1 else busy
            return cost * rounds * share * shape.rows * shape.columns(itemsize)

        return min((self.large, 1.0), (self.small, self.small_cost), key=lambda pair: time(*pair))[0]


PORTABLE = Policy(Shape(8, 2, 2, 2, 64, 2, 2, 2), Shape(4, 2, 4, 1, 64, 3, 2, 3))
"""Compiles without spills for every compute capability from 7.0, whose blocks have at least 64 KB of shared memory."""

_SMALL = Shape(4, 2, 4, 1, 64, 3, 2, 4)
_HOPPER = {
    "": Policy(Shape(8, 2, 2, 2, 64, 3, 2, 3), _SMALL),
    "apsp::MinPlus<int>": Policy(Shape(8, 2, 2, 2, 64, 3, 4, 3, 7), replace(_SMALL, multiplied=6)),
    "apsp::MinPlus<unsigned short>": Policy(Shape(8, 2, 2, 2, 32, 3, 2, 3, 7), replace(_SMALL, multiplied=6)),
}

_SHIPPED: dict[tuple[int, int], dict[str, Policy]] = {(9, 0): _HOPPER}
"""By compute capability and algebra; '' stands for the other algebras."""


def policy_for(capability: tuple[int, int], algebra: str) -> Policy:
    """What ships for a GPU; the portable policy where nothing was measured."""
    shipped = _SHIPPED.get(capability, {})
    return shipped.get(algebra) or shipped.get("") or PORTABLE
