"""Johnson's algorithm of Batool and Mehdi with three frontiers: heights, new lengths, then rounds from every source."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .example import example_with_negative_arcs
from .launches import Launch, Watcher, host, solve
from .trace import NO_PATH, Trace, listed, plain, vertices, worded

__all__ = ["traces"]

_PAPER = "Batool, Mehdi: Sequential Johnson's APSP Algorithm on GPU"
_TITLES = {
    "johnson-flag": "Batool and Mehdi: Johnson, frontier as flags",
    "johnson-queue": "Batool and Mehdi: Johnson, frontier as a queue",
    "johnson-prefix": "Batool and Mehdi: Johnson, frontier by prefix sums",
}
_WHERE = {
    "johnson-flag": "section 7.3",
    "johnson-queue": "section 7.3, figures 5 and 6",
    "johnson-prefix": "section 7.4, figure 7",
}
_LAST = {"johnson-flag": "update_flags", "johnson-queue": "update_queue", "johnson-prefix": "update_prefix"}
_STORED = {
    "johnson-flag": "A flag per vertex marks them; the next launch starts a thread for every vertex, most idle.",
    "johnson-queue": "Each takes a place in the queue by an atomic counter; the next launch has a thread per place.",
    "johnson-prefix": "Their places in the queue are prefix sums of the flags, so no atomic counter is needed.",
}


class _Searches(Watcher):
    def __init__(self, name: str) -> None:
        graph = example_with_negative_arcs()
        self.name, self.n = name, graph.n
        self.trace = Trace(name, _TITLES[name], _PAPER, graph, np.full((graph.n, graph.n), NO_PATH))
        self.heights = np.zeros(graph.n, dtype=np.int64)
        self.launches: list[str] = []
        self.round = 0

    def before(self, launch: Launch) -> None:
        if launch.kernel == "relax_queue":
            queue, count = launch.arguments[:2]
            self.queued = sorted(host(queue)[: int(count)].tolist())

    def after(self, launch: Launch) -> None:
        seen = {
            "relax_queue": self._relaxed, "relax_outgoing": self._outgoing, "reweight": self._reweighted,
            "begin": self._began, "minimum": self._minimum, "take_back": self._taken_back,
        }.get(launch.kernel)  # fmt: skip
        self.launches.append(launch.kernel)
        if seen is not None:
            seen(launch)
        elif launch.kernel == _LAST[self.name]:
            self._settled(launch)

    def _step(self, say: str, where: str, matrix: npt.NDArray[np.int64] | None = None, **shown: Any) -> None:
        self.trace.step(say, where, ", ".join(self.launches), matrix, **shown)
        self.launches.clear()

    def _relaxed(self, launch: Launch) -> None:
        heights, number = host(launch.arguments[6]), int(launch.arguments[8])
        if number == 0:
            self.trace.stage("heights")
        lower = np.flatnonzero(heights < self.heights).tolist()
        self.heights = heights
        begin = "All vertices are in the first queue, with height 0. " if number == 0 else ""
        relax = worded(len(self.queued), "relaxes its", "relax their")
        found = "No height falls, so the queue is empty and the heights are final."
        if lower:
            fall = worded(len(lower), "falls, and it is", "fall, and they are")
            found = f"The {worded(len(lower), 'height', 'heights')} of {vertices(lower)} {fall} queued."
        self._step(
            f"Heights, round {number + 1}: {begin}{vertices(self.queued).capitalize()} {relax} arcs, "
            f"height[v] = min(height[v], height[u] + w). {found}",
            "sections 5 and 7.1, figures 1 and 3", active=self.queued, arcs="out", label=0,
            table=[["height", heights.tolist()]],
        )  # fmt: skip

    def _outgoing(self, launch: Launch) -> None:
        heights = host(launch.arguments[4])
        lower = np.flatnonzero(heights < self.heights).tolist()
        self.heights = heights
        found = f"The height of {vertices(lower)} falls." if lower else "None of their heights falls."
        self._step(
            f"Vertices without arcs out are left for the end (the outgoing class): nothing depends on them. {found}",
            "section 7.1, figure 3", active=lower, label=0, table=[["height", heights.tolist()]],
        )  # fmt: skip

    def _reweighted(self, launch: Launch) -> None:
        lengths, least = host(launch.arguments[4]), host(launch.arguments[5])
        self._step(
            "Every arc gets the length w(u, v) + height[u] - height[v]. None is negative, and all paths between two "
            "vertices change by the same amount, so the shortest stay the shortest. least[v] is the shortest arc out.",
            "sections 5.1 and 7.2, figure 4", label=0, lengths=lengths.tolist(),
            table=[["height", self.heights.tolist()], ["least", plain(least)]],
        )  # fmt: skip

    def _began(self, launch: Launch) -> None:
        self.source, self.round = int(launch.arguments[1]), 0
        self.frontier, self.done = [self.source], []
        self.trace.stage(f"source {self.source}")

    def _minimum(self, launch: Launch) -> None:
        self.dist, self.threshold = host(launch.arguments[2]), int(host(launch.arguments[4])[0])

    def _settled(self, launch: Launch) -> None:
        self.round += 1
        settled = host(launch.arguments[7 if self.name == "johnson-flag" else 5])
        now = np.flatnonzero(settled == self.round).tolist()
        before, self.frontier = self.frontier, now
        relax = worded(len(before), "relaxes its", "relax their")
        words = f"Round {self.round} from {self.source}: {vertices(before)} {relax} arcs. "
        if self.threshold == NO_PATH:
            last = f"{vertices(now)} {worded(len(now), 'is', 'are')} settled, and " if now else ""
            words += f"No other vertex that is reached has an arc out, so there is no threshold: {last}the search ends."
        else:
            words += (
                f"The least dist[v] + least[v] of unsettled vertices is {self.threshold}; no path found later is "
                f"shorter, so all vertices up to {self.threshold} are final: {listed(now)}. {_STORED[self.name]}"
            )
        self.done = self.done + before
        self._step(
            words, _WHERE[self.name], source=self.source, active=before, arcs="out", now=now, done=self.done,
            label=0, table=[["dist", plain(self.dist)], *self._frontier_rows(launch), ["settled", settled.tolist()]],
        )  # fmt: skip

    def _frontier_rows(self, launch: Launch) -> list[list[Any]]:
        arrays = launch.arguments
        if self.name == "johnson-flag":
            return [["flag", host(arrays[6]).tolist()]]
        queue = ["queue", host(arrays[6])[: int(host(arrays[7])[0])].tolist()]
        if self.name == "johnson-queue":
            return [queue]
        return [["flag", host(arrays[1]).tolist()], ["sum", host(arrays[2]).tolist()], queue]

    def _taken_back(self, launch: Launch) -> None:
        row = host(launch.arguments[4])
        matrix = self.trace.matrix.copy()
        matrix[self.source] = row
        self._step(
            f"The row of source {self.source} in the original lengths, dist[v] - height[{self.source}] + height[v]: "
            f"the heights of the other vertices on a path cancel.",
            "section 4", matrix, source=self.source, label=0,
            done=np.flatnonzero(row < NO_PATH).tolist(), table=[["row", plain(row)]],
        )  # fmt: skip


def traces() -> list[Trace]:
    """The three versions."""
    return [_trace(_Searches(name)) for name in _TITLES]


def _trace(watcher: _Searches) -> Trace:
    solve(watcher.name, example_with_negative_arcs(), watcher)
    return watcher.trace
