"""Scatter and check: Harish and Narayanan from one source after the other, Okuyama et al. from all sources at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .example import example
from .launches import Launch, Watcher, host, solve
from .trace import NO_PATH, Trace, cells_of, plain, vertices, worded

__all__ = ["traces"]

_FAR = np.iinfo(np.int32).max // 2
_OKUYAMA = (
    "Okuyama, Ino, Hagihara: A task parallel algorithm for finding all-pairs shortest paths using the GPU; "
    "the same kernel in their short version, Accelerating all-pairs shortest path problem using CUDA"
)
_HARISH = "Harish, Narayanan 2007, as Okuyama, Ino, Hagihara describe it"


class _Rounds(Watcher):
    """Ma, Ca, Ua as (n, tasks) before and after every launch; tasks that have no source are left out."""

    def __init__(self, name: str, title: str, paper: str) -> None:
        graph = example()
        empty = np.full((graph.n, graph.n), NO_PATH)
        self.name, self.n = name, graph.n
        self.trace = Trace(name, title, paper, graph, empty)
        self.round = 0

    def before(self, launch: Launch) -> None:
        if launch.kernel.endswith("_scatter"):
            modified, costs, _ = self._state(launch)
            self.marked, self.source = modified > 0, None
            if self.name == "harish-sssp":
                self.source = int(np.flatnonzero(self.marked)[0]) if self._is_start(costs) else self.at
                if self._is_start(costs):
                    self.at, self.round = self.source, 0
                    self.trace.stage(f"source {self.source}")

    def after(self, launch: Launch) -> None:
        modified, costs, updates = self._state(launch)
        if launch.kernel.endswith("_scatter"):
            self.round += 1
            if self.name == "okuyama":
                self.trace.stage(f"round {self.round}")
            self._scattered(launch, costs, updates)
        else:
            self._checked(launch, modified, costs, updates)

    def _state(self, launch: Launch) -> tuple[npt.NDArray[np.int64], ...]:
        """Ma, Ca, Ua; of harish (n,), of okuyama (n, n): vertex, task."""
        arguments = launch.arguments
        where = slice(4, 7) if launch.kernel.endswith("_scatter") else slice(1, 4)
        state = [host(array).astype(np.int64) for array in arguments[where]]
        for costs in state[1:]:
            costs[costs >= _FAR] = NO_PATH
        return tuple(array[:, : self.n] if self.name == "okuyama" else array.reshape(-1) for array in state)

    @staticmethod
    def _is_start(costs: npt.NDArray[np.int64]) -> bool:
        return int((costs < NO_PATH).sum()) == 1 and int(costs.min()) == 0

    def _matrix(self, costs: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Row s has the costs of the search from s."""
        if self.source is None:
            return costs.T
        matrix = self.trace.matrix.copy()
        matrix[self.source] = costs
        return matrix

    def _scattered(self, launch: Launch, costs: npt.NDArray[np.int64], updates: npt.NDArray[np.int64]) -> None:
        matrix, proposed = self._matrix(costs), self._matrix(updates)
        pending = cells_of(proposed, proposed < matrix)
        self.trace.step(
            self._scatter_words(len(pending) // 2), self._where(), launch.words, matrix,
            marks=self._marks(self.marked), pending=pending, arcs="out",
            **self._table(self.marked, costs, updates),
        )  # fmt: skip

    def _checked(
        self,
        launch: Launch,
        modified: npt.NDArray[np.int64],
        costs: npt.NDArray[np.int64],
        updates: npt.NDArray[np.int64],
    ) -> None:
        matrix, marked = self._matrix(costs), modified > 0
        self.trace.step(
            self._check_words(marked), self._where(), launch.words, matrix, marks=self._marks(marked),
            **self._table(marked, costs, updates),
        )  # fmt: skip

    def _marks(self, marked: npt.NDArray[np.bool_]) -> list[int]:
        if self.source is None:
            return np.flatnonzero(marked.T).tolist()
        return (self.source * self.n + np.flatnonzero(marked)).tolist()

    def _table(
        self, marked: npt.NDArray[np.bool_], costs: npt.NDArray[np.int64], updates: npt.NDArray[np.int64]
    ) -> dict[str, Any]:
        if self.source is None:
            return {}
        rows = [["Ma", marked.astype(int).tolist()], ["Ca", plain(costs)], ["Ua", plain(updates)]]
        return {"source": self.source, "table": rows}

    def _where(self) -> str:
        return "section 4, figures 3 to 5" if self.source is not None else "section 5.1, figures 7 to 9"

    def _scatter_words(self, pending: int) -> str:
        lower = f"{pending} updated {worded(pending, 'cost is', 'costs are')} lower than the cost so far (in italics)."
        if self.source is not None:
            marked = np.flatnonzero(self.marked).tolist()
            threads = worded(len(marked), "the thread of", "the threads of")
            write = worded(len(marked), "removes its mark and writes", "remove their marks and write")
            return (
                f"Round {self.round}, scattering: {threads} {vertices(marked)} {write} Ua[head] = min(Ua[head], "
                f"Ca[v] + length) for every arc out. {lower}"
            )
        pairs, together = int(self.marked.sum()), int(self.marked.any(axis=1).sum())
        tasks = f"; a task is a source, here {self.n} of 32" if self.round == 1 else ""
        return (
            f"Round {self.round}, scattering: {pairs} {worded(pairs, 'pair', 'pairs')} of vertex and task "
            f"{worded(pairs, 'is', 'are')} marked{tasks}. The threads of a vertex load its arcs together into shared "
            f"memory, so the arcs of {together} {worded(together, 'vertex', 'vertices')} are read once for all tasks. "
            f"{lower}"
        )

    def _check_words(self, marked: npt.NDArray[np.bool_]) -> str:
        if not marked.any():
            last = f"the search from {self.source} has" if self.source is not None else "all searches have"
            return f"Round {self.round}, checking: no cost is lowered, the flag stays 0, and {last} converged."
        if self.source is not None:
            found = np.flatnonzero(marked).tolist()
            accept, are = worded(len(found), "accepts its", "accept their"), worded(len(found), "is", "are")
            return (
                f"Round {self.round}, checking: {vertices(found)} {accept} lower cost, Ca = Ua, and {are} marked for "
                f"the next round. The flag is set, so the host launches another round."
            )
        pairs = int(marked.sum())
        accept = worded(pairs, "pair accepts its", "pairs accept their")
        return (
            f"Round {self.round}, checking: {pairs} {accept} lower cost and {worded(pairs, 'is', 'are')} marked. One "
            f"flag of all tasks is set, so the host launches another round; a task that has converged waits."
        )


def traces() -> list[Trace]:
    """The predecessor, and the task-parallel method."""
    return [
        _trace(_Rounds("harish-sssp", "Harish and Narayanan: one source after the other", _HARISH)),
        _trace(_Rounds("okuyama", "Okuyama, Ino and Hagihara: a task per source, all at once", _OKUYAMA)),
    ]


def _trace(watcher: _Rounds) -> Trace:
    solve(watcher.name, example(), watcher)
    return watcher.trace
