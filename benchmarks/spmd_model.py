"""The time of Floyd-Warshall over many GPUs, by a model of the driver of `apsp.spmd`.

`python -m benchmarks.spmd_model` prints the tables of docs/dense-over-many-hosts.md. The rates of the kernels are
those that benchmarks/results has of one H200; the links are an assumption (`Links`). Nothing here was measured on more
than one host.

`predicted` is the closed form. `simulated` runs the program of every process as it is (`spmd.driver.Program`), with
kernels and messages that only advance a clock per process; the tests compare the two.
"""

from __future__ import annotations

import argparse
import json
import math
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from apsp.methods.floyd_warshall.spmd.driver import PAIRS_OF_GPU, Program
from apsp.methods.floyd_warshall.spmd.grid import Grid, shape_for
from apsp.semiring import MIN_PLUS, Algebra

__all__ = ["H200", "Device", "Links", "Prediction", "best", "predicted", "simulated"]

RESULTS = Path(__file__).parent / "results" / "gpu_dense.json"
BLOCKS = (256, 512, 1024, 2048, 4096)
GPUS = (8, 64, 128, 256, 512, 1024)
GPUS_PER_HOST = 8
FIXED_N = (262_144, 65_536)


@dataclass(frozen=True)
class Device:
    """One GPU.

    Attributes
    ----------
    pairs : callable
        Pairs per second of the update kernel, by the rows of a block.
    closing : callable
        Seconds to close a block on the diagonal of so many rows.
    copying : float
        Bytes per second that are read and written.
    launch : float
        Seconds per kernel.
    memory : float
        Bytes for the matrix.
    itemsize : int
    """

    pairs: Callable[[int], float]
    closing: Callable[[int], float]
    copying: float = 4.0e12
    launch: float = 5e-6
    memory: float = 0.9 * 141e9
    itemsize: int = 4


@dataclass(frozen=True)
class Links:
    """What connects the GPUs.

    Attributes
    ----------
    within : float
        Bytes per second and direction of a GPU to the others of its host (NVLink 4: 450 GB/s).
    between : float
        Bytes per second and direction of a GPU to other hosts (InfiniBand NDR: 400 Gb/s per GPU).
    latency : float
        Seconds of a message.
    """

    within: float = 450e9
    between: float = 50e9
    latency: float = 10e-6

    def rate(self, gpus: int) -> float:
        """With several hosts, all bytes are counted as if they went between hosts."""
        return self.within if gpus <= GPUS_PER_HOST else self.between

    def broadcast(self, nbytes: float, gpus: int, among: int) -> float:
        """Seconds until all of some GPUs have a message: pipelined, so that bytes pass each link once."""
        return 0.0 if among == 1 else self.latency * math.ceil(math.log2(among)) + nbytes / self.rate(gpus)


def H200() -> Device:  # noqa: N802 # the name of the GPU
    """The rates that were measured: non-negative float32."""
    rows = [row for row in json.loads(RESULTS.read_text())["rows"] if row["kind"] == "float32+"]
    rates = [(depth, row["pairs/s"]) for depth in (128, 512) for row in rows if row["what"] == f"update, depth {depth}"]
    sizes = [(row["n"], row["milliseconds"] / 1e3) for row in rows if row["what"] == "Floyd-Warshall"]

    def closing(block: int) -> float:
        size, seconds = min(sizes)  # smaller blocks wait for the depth of their steps
        if block <= size:
            return float(seconds * block / size)
        return _between(sizes, block)

    return Device(lambda block: _between(rates, block), closing)


def _between(points: Sequence[tuple[int, float]], place: int) -> float:
    """Interpolate linearly; beyond the last point, its value."""
    places, values = (np.array(each, dtype=np.float64) for each in zip(*sorted(points), strict=True))
    return float(np.interp(float(place), places, values))


@dataclass(frozen=True)
class Prediction:
    """The time of a run.

    Attributes
    ----------
    n, gpus, block : int
    seconds : float
    computing, sending, chain : float
        Seconds of a step: all GPUs relax their pages; the panels pass the links; the next panels, which depend on those
        before them, are relaxed, closed and sent. The longest is the time of the step.
    efficiency : float
        Of the kernels alone.
    """

    n: int
    gpus: int
    block: int
    seconds: float
    computing: float
    sending: float
    chain: float
    efficiency: float

    @property
    def petaflops(self) -> float:
        """Two operations per pair, as the literature counts them."""
        return 2.0 * self.n**3 / self.seconds / 1e15


def predicted(n: int, gpus: int, block: int, device: Device, links: Links) -> Prediction:
    """Predict the time by the closed form."""
    rows, columns = shape_for(gpus)
    height, width, size, pairs = n / rows, n / columns, device.itemsize, device.pairs(block)
    longer, shorter = max(height, width), min(height, width)
    computing = height * width * block / pairs + 4 * device.launch
    own = 2 * block**2 * (height / columns + width / rows) / pairs  # of the panels, shared by their owners
    sending = block * (height + width) * size / links.rate(gpus) if gpus > 1 else 0.0
    panel = block**2 / pairs
    moving = 3 * 2 * block * size / device.copying
    chain = (
        panel * block + device.closing(block) + links.broadcast(block**2 * size, gpus, max(rows, columns))
        + 2 * (panel + moving / 2) * (longer + shorter) + 6 * device.launch
        + links.broadcast(block * longer * size, gpus, max(rows, columns))
    )  # fmt: skip
    steps = -(-n // block)
    seconds = steps * max(computing + own, sending, chain) + chain
    return Prediction(n, gpus, block, seconds, computing, sending, chain, n**3 / gpus / pairs / seconds)


def best(n: int, gpus: int, device: Device, links: Links) -> Prediction:
    """Predict the time with the best block."""
    found = (predicted(n, gpus, block, device, links) for block in BLOCKS if block * max(shape_for(gpus)) <= n)
    return min(found, key=lambda each: each.seconds)


# -- the program itself, with clocks in place of kernels and links ----------------------------------------------------


@dataclass(frozen=True)
class _Extent:
    """A page without values."""

    shape: tuple[int, int]
    dtype: np.dtype[Any]

    def __getitem__(self, index: Any) -> _Extent:
        parts = index if isinstance(index, tuple) else (index, slice(None))
        rows, columns = (len(range(size)[part]) for size, part in zip(self.shape, parts, strict=True))
        return _Extent((rows, columns), self.dtype)

    @property
    def nbytes(self) -> int:
        return self.shape[0] * self.shape[1] * self.dtype.itemsize


class _Board:
    """When messages begin, by their names."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._begun: dict[Any, float] = {}

    def put(self, name: Any, begun: float) -> None:
        with self._changed:
            self._begun[name] = begun
            self._changed.notify_all()

    def get(self, name: Any) -> float:
        with self._changed:
            self._changed.wait_for(lambda: name in self._begun)
            return self._begun[name]


class _Clocks:
    """The backend and the connection of one process; `now` is its clock, `free` that of its link."""

    shares_memory = False

    def __init__(self, board: _Board, rank: int, shape: tuple[int, int], device: Device, links: Links) -> None:
        self._board, self._shape, self._device, self._links = board, shape, device, links
        self._row, self._column = divmod(rank, shape[1])
        self._counts: dict[Any, int] = {}
        self.now = self.free = 0.0

    def allocate(self, rows: int, columns: int, dtype: Any) -> _Extent:
        return _Extent((rows, columns), np.dtype(dtype))

    def copy(self, source: _Extent, target: _Extent) -> None:
        assert source.shape == target.shape
        self.now += 2 * source.nbytes / self._device.copying + self._device.launch

    def close_tile(self, page: _Extent, _algebra: Algebra) -> int:
        self.now += self._device.closing(page.shape[0])
        return -1

    def update(self, c: _Extent, a: _Extent, b: _Extent, _algebra: Algebra) -> None:
        assert (c.shape, a.shape[1]) == ((a.shape[0], b.shape[1]), b.shape[0])
        self.now += c.shape[0] * c.shape[1] * a.shape[1] / self._device.pairs(a.shape[1]) + self._device.launch

    def shared_along_row(self, _rows: int, _columns: int, _dtype: Any) -> None:
        """Each GPU has its own pages."""

    shared_along_column = shared_along_row

    def along_row(self, page: _Extent, source: int) -> _Message:
        return self._sent(("row", self._row), page, self._column == source, self._shape[1])

    def along_column(self, page: _Extent, source: int) -> _Message:
        return self._sent(("column", self._column), page, self._row == source, self._shape[0])

    def largest(self, _number: int) -> _Nothing:
        return _Nothing()

    def _sent(self, line: Any, page: _Extent, is_source: bool, among: int) -> _Message:
        self._counts[line] = self._counts.get(line, 0) + 1
        name = (line, self._counts[line])
        if is_source:
            self.free = max(self.free, self.now)
            self._board.put(name, self.free)
        return _Message(self, name, page.nbytes, among)

    def arrive(self, name: Any, nbytes: int, among: int) -> None:
        """A link passes one message after the other."""
        if among > 1:
            gpus = self._shape[0] * self._shape[1]
            begun = max(self._board.get(name), self.free - self._links.latency)
            self.free = begun + self._links.broadcast(nbytes, gpus, among)
            self.now = max(self.now, self.free)


class _Message:
    def __init__(self, clocks: _Clocks, name: Any, nbytes: int, among: int) -> None:
        self._arguments, self._clocks = (name, nbytes, among), clocks

    def advance(self) -> None:
        """Messages go on by themselves."""

    def wait(self) -> None:
        self._clocks.arrive(*self._arguments)


class _Nothing:
    def advance(self) -> None:
        """It is here."""

    def result(self) -> int:
        return -2


def simulated(n: int, gpus: int, block: int, device: Device, links: Links) -> float:
    """Return the seconds until the last process has run its program."""
    shape, board = shape_for(gpus), _Board()

    def run(rank: int) -> float:
        grid, clocks = Grid.of(n, block, shape, rank), _Clocks(board, rank, shape, device, links)
        page: Any = _Extent((grid.rows.size, grid.columns.size), np.dtype(f"f{device.itemsize}"))
        machine: Any = clocks
        Program(grid, page, machine, machine, Algebra(MIN_PLUS, True), PAIRS_OF_GPU).close()
        return clocks.now

    with ThreadPoolExecutor(gpus) as threads:
        return max(threads.map(run, range(gpus)))


def table(rows: Sequence[Prediction]) -> str:
    """Return a table in Markdown."""
    lines = [
        "| GPUs | n | block | seconds | speed-up | efficiency | PF/s | a step: computing, sending, chain (ms) |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        parts = ", ".join(f"{1e3 * each:.1f}" for each in (row.computing, row.sending, row.chain))
        lines.append(
            f"| {row.gpus:,} | {row.n:,} | {row.block:,} | {_short(row.seconds)} | {row.gpus * row.efficiency:,.0f} | "
            f"{row.efficiency:.0%} | {row.petaflops:.2f} | {parts} |"
        )
    return "\n".join(lines)


def _short(seconds: float) -> str:
    return f"{seconds:,.0f}" if seconds >= 100 else f"{seconds:.3g}"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulate", action="store_true", help="run the program with clocks, too: minutes")
    simulate = parser.parse_args().simulate
    device, links = H200(), Links()
    full = [math.isqrt(int(gpus * device.memory / device.itemsize)) // 4096 * 4096 for gpus in GPUS]
    print(table([best(n, gpus, device, links) for n, gpus in zip(full, GPUS, strict=True)]))
    for n in FIXED_N:
        print(f"\n{table([best(n, gpus, device, links) for gpus in GPUS])}")
    for gpus in (8, 64) if simulate else ():
        row = best(FIXED_N[0], gpus, device, links)
        found = simulated(row.n, row.gpus, row.block, device, links)
        print(f"simulated, {gpus} GPUs, n = {row.n:,}: {found:.1f} s; predicted {row.seconds:.1f} s")


if __name__ == "__main__":
    main()
