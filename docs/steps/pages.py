"""Katz and Kider on two GPUs: which page each of them takes, and what is copied."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from apsp.gpu.emulated.run import entered
from apsp.methods.problem import Problem
from apsp.published.katz_kider import KatzKider
from apsp.published.katz_kider_gpu import GpuWorker
from apsp.published.katz_kider_pages import HostPage

from .example import example
from .passes import PAPER, lengths_of
from .trace import Rectangle, Trace, lengths_in, listed, worded

__all__ = ["BLOCK", "GPUS", "SIDE", "traces"]

SIDE, BLOCK, GPUS = 4, 2, 2


@dataclass(frozen=True)
class _Job:
    """A page that a GPU relaxed: major pass, primary page, page (i, j) and its lengths if they were sent back."""

    gpu: int
    number: int
    primary: int
    page: tuple[int, int]
    lengths: npt.NDArray[np.int64] | None


class _Worker:
    """A GPU that writes its jobs down."""

    def __init__(self, gpu: int, cells: list[HostPage]) -> None:
        self._worker, self._gpu, self._cells = GpuWorker(gpu, "apsp::Paths<int>", BLOCK), gpu, cells
        self.jobs: list[_Job] = []

    @property
    def seconds(self) -> float:
        """Of kernels."""
        return self._worker.seconds

    def close_primary(self, page: HostPage, first: int, *, send_back: bool) -> None:
        """Major pass 1."""
        self._worker.close_primary(page, first, send_back=send_back)
        if send_back:
            self._cells.append(page)  # a view: those of other GPUs are copies, and stay as they are
        self._note(1, first, (first // SIDE,) * 2, page if send_back else None)

    def through_primary(self, page: HostPage, first: int, *, in_column: bool) -> None:
        """Major pass 2."""
        self._worker.through_primary(page, first, in_column=in_column)
        self._note(2, first, self._place(page), page)

    def through_both(self, page: HostPage, column: HostPage, row: HostPage, first: int) -> None:
        """Major pass 3."""
        self._worker.through_both(page, column, row, first)
        self._note(3, first, self._place(page), page)

    def _note(self, number: int, first: int, page: tuple[int, int], cells: HostPage | None) -> None:
        lengths = None if cells is None else lengths_of(cells)
        self.jobs.append(_Job(self._gpu, number, first // SIDE, page, lengths))

    def _place(self, page: HostPage) -> tuple[int, int]:
        """Where a view lies among all cells; the first one of all is page (0, 0)."""
        offset = page.ctypes.data - self._cells[0].ctypes.data
        row, rest = divmod(offset, page.strides[0])
        return row // SIDE, rest // page.strides[1] // SIDE


def traces() -> list[Trace]:
    """One trace: a step per turn, in which every GPU takes one page."""
    graph = example()
    with entered(GPUS, None):
        cells: list[HostPage] = []
        workers = [_Worker(gpu, cells) for gpu in range(GPUS)]
        problem = Problem(graph, np.dtype(np.int32), device="emulated", gpus=tuple(range(GPUS)))
        solver = KatzKider(problem, block=BLOCK, side=SIDE, workers=workers)
        solver.fill(np.arange(graph.n, dtype=np.int32), np.empty((graph.n, graph.n), dtype=np.int32), None)
    trace = Trace("katz-kider-pages", "Katz and Kider: pages over two GPUs", PAPER, graph, lengths_in(graph), tile=SIDE)
    for turn in _turns([worker.jobs for worker in workers]):
        _step(trace, turn)
    return [trace]


def _turns(jobs: list[list[_Job]]) -> list[list[_Job]]:
    """The jobs of all GPUs, pass by pass, in turns of one job per GPU."""
    found = []
    for primary in range(1 + max(job.primary for job in jobs[0])):
        for number in (1, 2, 3):
            lists = [[job for job in own if (job.primary, job.number) == (primary, number)] for own in jobs]
            longest = max(map(len, lists))
            found += [[own[turn] for own in lists if turn < len(own)] for turn in range(longest)]
    return found


def _step(trace: Trace, turn: list[_Job]) -> None:
    matrix, number, p = trace.matrix.copy(), turn[0].number, turn[0].primary
    for job in turn:
        i, j = job.page
        if job.lengths is not None:
            matrix[i * SIDE : (i + 1) * SIDE, j * SIDE : (j + 1) * SIDE] = job.lengths
    if number == 1:
        trace.stage(f"primary page {p}")
    fewer = trace.changed(matrix)
    changes = f"{fewer} {worded(fewer, 'entry becomes', 'entries become')} smaller." if fewer else "Nothing changes."
    read = {
        1: [],
        2: [_page((p, p))],
        3: [_page(page) for job in turn for page in ((job.page[0], p), (p, job.page[1]))],
    }[number]
    trace.step(
        f"{_say(number, p, turn)} {changes}", f"section 4.4 (major pass {number})",
        f"{_copies(number, len(turn))}; blocks of {BLOCK} x {BLOCK} threads in pages of {SIDE} x {SIDE}", matrix,
        read=list(dict.fromkeys(read)), gpus=[(job.gpu, _page(job.page)) for job in turn],
        active=list(range(p * SIDE, (p + 1) * SIDE)), arcs="through",
    )  # fmt: skip


def _page(page: tuple[int, int]) -> Rectangle:
    return page[0] * SIDE, page[1] * SIDE, SIDE, SIDE


def _say(number: int, p: int, turn: list[_Job]) -> str:
    if number == 1:
        return (
            f"Major pass 1: primary page ({p}, {p}) is sent to every GPU, and each closes it for itself. The same work "
            f"is done {len(turn)} times, but no GPU waits for another one; GPU 0 alone sends the page back."
        )
    taken = listed(f"GPU {job.gpu} takes page ({job.page[0]}, {job.page[1]})" for job in turn)
    if number == 2:
        return (
            f"Major pass 2: {taken}. A page in the row or the column of the primary page needs that page, which every "
            f"GPU still holds, and itself."
        )
    needs = listed(f"GPU {job.gpu} needs pages ({job.page[0]}, {p}) and ({p}, {job.page[1]})" for job in turn)
    return f"Major pass 3: {taken}. {needs}: these are sent, whatever a GPU holds already (the paper calls that naive)."


def _copies(number: int, gpus: int) -> str:
    there = {1: 1, 2: 1, 3: 3}[number]
    back = 1 if number == 1 else gpus
    return f"copies: {there * gpus} {worded(there * gpus, 'page', 'pages')} to the GPUs, {back} back"
