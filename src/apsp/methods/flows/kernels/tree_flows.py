"""Launches flows over the counted arcs of an elimination, from tiles of 32 sources.

Input: counted arcs, uploaded once, and batches of tiles. Output: sums over all batches, on the host. Cost: five
launches per batch, with a block per tile; `SweepArrays.tile_bytes` of device memory per tile.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import Page
from apsp.methods.flows.tree_layout import LANES, Paths, Schedule
from apsp.system.array_device import to_host

__all__ = ["CountedHalf", "SweepArrays", "TreeFlows", "expressions"]

IntArray = npt.NDArray[np.int32]
LongArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

_THREADS = 512  # as in tree_flows.cuh
_SWEEPS = ("climb", "turn", "down", "back", "return")
_ARC = {
    "int": np.dtype([("other", "i4"), ("length", "i4")]),
    "double": np.dtype([("other", "i4"), ("unused", "i4"), ("length", "f8")]),
}


def expressions(kind: str) -> tuple[str, ...]:
    """The kernels of tree_flows.cu for distances of a type, 'int' or 'double'."""
    return (*(f"apsp::flow_{name}<{kind}>" for name in (*_SWEEPS, "demand")), "apsp::flow_total")


@dataclass(frozen=True)
class CountedHalf:
    """Counted arcs in one direction, those of place u at first[u] .. last[u] - 1.

    Attributes
    ----------
    first, last : (n,) int64
    other : (k,) int32
        The later place.
    length, paths : (k,) float64
    """

    first: LongArray
    last: LongArray
    other: IntArray
    length: FloatArray
    paths: FloatArray


@dataclass(frozen=True)
class SweepArrays:
    """What is uploaded once.

    Attributes
    ----------
    up, down : CountedHalf
    onward, backward : Schedule
        The needed places on the way down, with arcs of `down`, and back, with arcs of `below`.
    below, below_arc : (k,) int32, (k,) int64
        Arcs down by the later place: the earlier one, and the number among those down.
    needed : (n,) bool
    node_first : (supernodes + 1,) int32
        Places of each supernode.
    to : (n,) float64 or None
        The demand to every place; None: rows.
    target_of : (n,) int32 or None
        With rows, the number of each place among the targets, or -1.
    cutoff : float
    kind : {'int', 'double'}
        Of distances.
    """

    up: CountedHalf
    down: CountedHalf
    onward: Schedule
    backward: Schedule
    below: IntArray
    below_arc: LongArray
    needed: npt.NDArray[np.bool_]
    node_first: IntArray
    to: FloatArray | None
    target_of: IntArray | None
    cutoff: float
    kind: str

    @property
    def n(self) -> int:
        """Places."""
        return len(self.needed)

    @property
    def targets(self) -> int:
        """With rows, the number of targets."""
        return 0 if self.target_of is None else int(self.target_of.max(initial=-1)) + 1

    @property
    def shared_bytes(self) -> int:
        """Device memory of these arrays."""
        return 32 * (len(self.up.other) + 2 * len(self.down.other) + len(self.below)) + 100 * self.n

    def tile_bytes(self, longest: int) -> int:
        """Device memory per tile whose path has up to so many places."""
        width = 4 if self.kind == "int" else 8
        lines = self.n * (width + 8) + longest * 8 + self.targets * 8
        return LANES * (lines + 32) + 17 * self.n + 8 * (len(self.up.other) + len(self.below)) + 4 * longest


class TreeFlows:
    """Counted arcs on the current GPU, prepared for batches of tiles.

    Parameters
    ----------
    arrays : SweepArrays
    tiles : int
        The most that a batch has.
    longest : int
        The most places of a path.
    """

    def __init__(self, arrays: SweepArrays, tiles: int, longest: int) -> None:
        cupy = jit.cupy()
        self.n, self.kind, self.tiles = arrays.n, arrays.kind, tiles
        self.kernels = jit.kernels("tree_flows.cu", expressions(arrays.kind))
        shapes: dict[str, tuple[tuple[int, ...], Any]] = {
            "near": ((tiles, self.n, LANES), np.int32 if arrays.kind == "int" else np.float64),
            "value": ((tiles, self.n, LANES), np.float64),
            "climbed": ((tiles, longest, LANES), np.float64),
            "path": ((tiles, longest), np.int32),
        }  # fmt: skip
        sums = {
            "met": ((tiles, self.n), np.uint8), "through": ((tiles, self.n), np.float64),
            "arrived": ((tiles, self.n), np.float64), "along_up": ((tiles, len(arrays.up.other)), np.float64),
            "along_down": ((tiles, len(arrays.below)), np.float64), "served": ((tiles, LANES), np.float64),
            "too_many": ((1,), np.int32),
        }  # fmt: skip
        self._state: dict[str, Page] = {name: cupy.empty(shape, dtype=kind) for name, (shape, kind) in shapes.items()}
        self._state |= {name: cupy.zeros(shape, dtype=kind) for name, (shape, kind) in sums.items()}
        self._demand: Page | None = None
        if arrays.to is None:
            self._demand = cupy.zeros((tiles, max(arrays.targets, 1), LANES), dtype=np.float64)
        self._down, self._below_arc = len(arrays.down.other), arrays.below_arc[arrays.backward.entries]
        self._kept: list[Page] = []
        self._struct = self._make_struct(arrays, longest)

    def write_demand(
        self, rows: IntArray, start: LongArray, targets: IntArray, values: FloatArray, place: IntArray, *,
        is_common: bool = False,
    ) -> None:  # fmt: skip
        """Write the demand of a batch.

        Parameters
        ----------
        rows : (tiles * LANES,) int32
            That of lane i is values[start[rows[i]] : start[rows[i] + 1]], to vertices; -1 where there is none.
        place : (n,) int32
            Of each vertex.
        is_common : bool
            `targets` are those of every row.
        """
        assert self._demand is not None
        self._demand.fill(0)
        there = [jit.cupy().asarray(array) for array in (rows, start, targets, values, place)]
        self.kernels[f"apsp::flow_demand<{self.kind}>"](
            (len(rows),), (256,), (self._struct, *there, np.int32(is_common), self._demand)
        )

    def run(self, sources: IntArray, paths: Paths) -> Page:
        """Queue a batch of tiles, and return what begins at each source.

        Parameters
        ----------
        sources : (tiles * LANES,) int32
            Places, -1 where there is none.
        paths : Paths
            Of the tiles.
        """
        cupy, tiles = jit.cupy(), len(paths.lengths)
        there = [cupy.asarray(array) for array in (paths.start, paths.nodes, paths.at, sources, paths.lengths)]
        batch = np.array(tuple(array.data.ptr for array in there), dtype=[(f"array{i}", "u8") for i in range(5)])
        for name in _SWEEPS:
            arguments = (self._struct,) if name == "down" else (self._struct, batch)
            self.kernels[f"apsp::flow_{name}<{self.kind}>"]((tiles,), (_THREADS,), arguments)
        return self._state["served"][:tiles].copy()

    def has_too_many(self) -> bool:
        """Whether a number of paths is near the end of float64."""
        return bool(to_host(self._state["too_many"])[0])

    def totals(self) -> list[FloatArray]:
        """The sums of all batches: through, arrived (n,), up and down, in the order of places and of counted arcs."""
        cupy = jit.cupy()
        found: list[FloatArray] = []
        for name in ("through", "arrived", "along_up", "along_down"):
            parts = self._state[name]
            total = cupy.zeros(parts.shape[1], dtype=np.float64)
            if len(total):
                self.kernels["apsp::flow_total"](
                    (-(-len(total) // 256),), (256,), (parts, np.int64(len(total)), np.int32(self.tiles), total)
                )
            found.append(np.asarray(to_host(total), dtype=np.float64))
        down = np.zeros(self._down)
        down[self._below_arc] = found[3]
        return [*found[:3], down]

    def _make_struct(self, arrays: SweepArrays, longest: int) -> Any:
        """The struct TreeFlows of tree_flows.cuh."""
        values: dict[str, Any] = {}
        for name, half in (("up", arrays.up), ("down", arrays.down)):
            packed = self._packed(half.other, half.length)
            for part, array in (("first", half.first), ("last", half.last), ("arcs", packed), ("paths", half.paths)):
                values[f"{name}_{part}"] = self._upload(array)
        down, back = arrays.down, arrays.below_arc[arrays.backward.entries]
        forth = arrays.onward.entries
        for name, made, other, arcs in (
            ("onward", arrays.onward, down.other[forth], forth),
            ("backward", arrays.backward, arrays.below[arrays.backward.entries], back),
        ):
            packed = self._packed(other, down.length[arcs])
            for part, array in (
                ("order", made.order), ("start", made.start.astype(np.int32)), ("arcs", packed),
                ("paths", down.paths[arcs]), ("steps", made.steps.view(np.int32)),
            ):  # fmt: skip
                values[f"{name}_{part}"] = self._upload(array)
        values["needed"] = self._upload(arrays.needed.view(np.uint8))
        for name in ("node_first", "target_of", "to"):
            array = getattr(arrays, name)
            values[name] = 0 if array is None else self._upload(array)
        values["demand"] = 0 if self._demand is None else self._demand.data.ptr
        values |= {name: array.data.ptr for name, array in self._state.items()}
        fields: list[Any] = [(name, "u8") for name in values]
        numbers = {
            "up_size": len(arrays.up.other), "down_size": len(arrays.below), "n": self.n, "longest": longest,
            "targets": arrays.targets, "onward_count": len(arrays.onward.steps),
            "backward_count": len(arrays.backward.steps), "unused": 0,
        }  # fmt: skip
        values |= {"cutoff": arrays.cutoff} | numbers
        fields += [("cutoff", "f8"), *((name, "i8" if name.endswith("size") else "i4") for name in numbers)]
        struct = np.zeros((), dtype=np.dtype(fields))
        for name, value in values.items():
            struct[name] = value
        return struct

    def _packed(self, other: IntArray, length: FloatArray) -> npt.NDArray[np.int32]:
        """CountedArc of tree_flows.cuh."""
        made = np.zeros(len(other), dtype=_ARC[self.kind])
        made["other"], made["length"] = other, length
        return made.view(np.int32)

    def _upload(self, array: npt.NDArray[Any]) -> int:
        """The address of a copy on the device, which is kept."""
        self._kept.append(jit.cupy().asarray(np.ascontiguousarray(array)))
        return int(self._kept[-1].data.ptr)
