"""Tile policies: how `update` divides its work, as data by compute capability and algebra.

A shape has the parameters of `Shape` of tile.cuh; quantities derived from it (threads, rows and columns of a tile,
bytes of shared memory) are passed to the compiler too, which checks that they agree. A policy has large tiles, and
smaller ones for launches that would leave multiprocessors without work. `apsp tune` replaces a policy by the fastest
one that it measured.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["EMULATED", "PORTABLE", "Policy", "Shape", "policy_for", "policy_with_pivots"]


@dataclass(frozen=True)
class Shape:
    """How a tile of C is divided among threads, and how its operands are loaded.

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
        """Threads of a block."""
        return 32 * self.warps_down * self.warps_across

    @property
    def rows(self) -> int:
        """Of a tile."""
        return 4 * self.thread_rows * self.warps_down

    def columns(self, itemsize: int) -> int:
        """Of a tile."""
        return 128 * self.thread_vectors * self.warps_across // itemsize

    def shared_bytes(self, itemsize: int) -> int:
        """Dynamic shared memory of a block: its stages."""
        left = self.rows * (self.depth_bytes + 16)
        return self.stages * (left + self.depth_bytes * self.columns(itemsize))

    def expression(self, algebra: str, itemsize: int) -> str:
        """The kernel of update.cu for this shape."""
        numbers = (
            self.thread_rows, self.thread_vectors, self.warps_down, self.warps_across, self.depth_bytes, self.stages,
            self.pivots, self.blocks, self.multiplied,
        )  # fmt: skip
        launch = (self.threads, self.rows, self.columns(itemsize), self.shared_bytes(itemsize))
        return (
            f"apsp::update<{algebra}, apsp::Shape<{', '.join(map(str, numbers))}>, "
            f"apsp::Launch<{', '.join(map(str, launch))}>>"
        )


@dataclass(frozen=True)
class Policy:
    """Shapes for one algebra, from large tiles to small ones.

    Attributes
    ----------
    shapes : tuple of (Shape, float)
        With the time of a pair when every multiprocessor is busy, relative to that of the first shape.
    """

    shapes: tuple[tuple[Shape, float], ...]

    def choose(self, rows: int, columns: int, itemsize: int, multiprocessors: int, count: int = 1) -> Shape:
        """Return the shape that computes `count` matrices of rows x columns entries fastest.

        The time is that of the busiest multiprocessor; few warps do not hide all latencies. The model is within 3% of
        measured times for n from 512 to 8,192 on an H200.
        """

        def time(shape: Shape, cost: float) -> float:
            tiles = count * -(-rows // shape.rows) * -(-columns // shape.columns(itemsize))
            busiest = -(-tiles // multiprocessors)
            warps = min(busiest, shape.blocks) * shape.threads // 32
            return cost * busiest * shape.rows * shape.columns(itemsize) * (1 + 0.5 / max(warps, 1))

        return min(self.shapes, key=lambda pair: time(*pair))[0]


def _policy(large: Shape, small: Shape, tiny: Shape, multiplied: int = 0) -> Policy:
    shapes = (replace(shape, multiplied=multiplied) for shape in (large, small, tiny))
    return Policy(tuple(zip(shapes, (1.0, 1.04, 1.23), strict=True)))


_TINY = Shape(2, 2, 4, 1, 64, 3, 2, 4)

PORTABLE = _policy(Shape(8, 2, 2, 2, 64, 2, 2, 2), Shape(4, 2, 4, 1, 64, 2, 2, 3), _TINY)
"""Compiles without spills for every compute capability from 7.0, whose blocks have at least 64 KB of shared memory."""

EMULATED = Policy(((Shape(4, 2, 4, 1, 64, 2, 2, 3), 1.0),))
"""The policy compiled for emulated GPUs: see cpp/emulated/kernels/update.cpp."""

_LARGE, _SMALL = Shape(8, 2, 2, 2, 64, 3, 2, 3), Shape(4, 2, 4, 1, 64, 3, 2, 4)
_HOPPER = {
    "": _policy(_LARGE, _SMALL, _TINY),
    "apsp::MinPlus<int>": _policy(replace(_LARGE, pivots=4), _SMALL, _TINY, multiplied=7),
    "apsp::MinPlus<unsigned short>": _policy(replace(_LARGE, depth_bytes=32), _SMALL, _TINY, multiplied=7),
}
"""On an H200, T pairs/s at n = 16,384, depth 512: f32 non-negative 16.2, f32 12.9, int32 16.9, uint16 29.2, f64 4.9.
The bottleneck: schedulers issue instructions in 80% of the clock cycles (f32); in the others all three of their warps
wait for the unit that computes minima (the compiler schedules minima consecutively, at two cycles each) or for register
ports. With a fourth warp there are too few registers to hide the latency of shared memory; loops of 52 KB of code miss
the instruction cache (-15%)."""

_SHIPPED: dict[tuple[int, int], dict[str, Policy]] = {(9, 0): _HOPPER}
"""By compute capability and algebra; '' stands for the other algebras."""


def policy_for(capability: tuple[int, int], algebra: str) -> Policy:
    """Return the shipped policy for a GPU; the portable one if none was measured."""
    shipped = _SHIPPED.get(capability, {})
    return shipped.get(algebra) or shipped.get("") or PORTABLE


_WITH_PIVOTS = Policy(((replace(_SMALL, blocks=3), 1.0), (_TINY, 1.2)))


def policy_with_pivots(capability: tuple[int, int], algebra: str) -> Policy:
    """Return the policy of products that report pivots: small tiles, since each entry takes three registers."""
    if (capability, algebra) != ((9, 0), "apsp::MinPlus<int>"):
        return _WITH_PIVOTS
    return Policy(tuple((replace(shape, multiplied=7), cost) for shape, cost in _WITH_PIVOTS.shapes))
