"""The counts of a run, per kernel and in all, as data and as a table."""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass

from apsp._types import DeviceLike, JsonObject, MethodName
from apsp.gpu.counts import KernelCounts, Race
from apsp.gpu.recorder import Recorder
from apsp.result.result import Result

__all__ = ["Profile", "profile_of"]


@dataclass(frozen=True)
class Profile:
    """What a run did on a GPU: `apsp.profile` makes it.

    Parameters
    ----------
    method, device : str
        The method, and 'cuda' or 'emulated'; on a real GPU only launches, blocks, threads and copies are counted.
    n, m : int
        Vertices and arcs of the graph.
    kernels : tuple of KernelCounts
        One per kernel, in the order of the first launch.
    bytes_to_device, bytes_to_host : int
        Bytes copied between the memories of host and GPU; counted for the published methods.
    copies_to_device, copies_to_host : int
        Number of these copies.
    races : tuple of Race
        Cells of shared memory that two threads accessed without a barrier between; emulated GPUs only.
    result : Result
        Distances and paths of the run.
    """

    method: MethodName
    device: DeviceLike
    n: int
    m: int
    kernels: tuple[KernelCounts, ...]
    bytes_to_device: int
    bytes_to_host: int
    copies_to_device: int
    copies_to_host: int
    races: tuple[Race, ...]
    result: Result

    @property
    def total(self) -> KernelCounts:
        """The sum over all kernels."""
        return functools.reduce(operator.add, self.kernels, KernelCounts("total"))

    def kernel(self, name: str) -> KernelCounts:
        """Return the counts of one kernel.

        Parameters
        ----------
        name : str
            Name of the kernel.

        Returns
        -------
        KernelCounts
            Its counts, all zero if it was not launched.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.generate("random", 8, m=20, seed=1)
        >>> counted = apsp.profile(graph, method="harish-fw")
        >>> counted.kernel("relax_pairs").launches
        8
        """
        return next((each for each in self.kernels if each.kernel == name), KernelCounts(name))

    def __repr__(self) -> str:
        launches = self.total.launches
        return f"Profile({self.method}, {self.device}, n={self.n}, m={self.m}, {launches} launches)"

    def table(self) -> str:
        """Return a table: one column per kernel and one row per count that is not zero everywhere.

        Copies and races follow.

        Returns
        -------
        str
            The lines of the table.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.generate("random", 8, m=20, seed=1)
        >>> counted = apsp.profile(graph, method="harish-fw")
        >>> for line in counted.table().splitlines()[:3]:
        ...     print(line)
                                      relax_pairs
        launches                                8
        blocks                                  8
        """
        from apsp.gpu.counts import COUNTED

        columns = [*self.kernels, self.total] if len(self.kernels) > 1 else list(self.kernels)
        rows = [("", *(column.kernel for column in columns))]
        rows += [
            (_TITLES[name], *(f"{getattr(column, name):,}" for column in columns))
            for name in COUNTED
            if any(getattr(column, name) for column in columns)
        ]
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        lines = [row[0].ljust(widths[0]) + "".join(map(_right, row[1:], widths[1:])) for row in rows]
        for place, size, copies in (
            ("GPU", self.bytes_to_device, self.copies_to_device),
            ("host", self.bytes_to_host, self.copies_to_host),
        ):
            if copies:
                lines.append(f"to the {place}: {size:,} bytes in {copies:,} copies")
        lines += [f"race: {race}" for race in self.races]
        return "\n".join(line.rstrip() for line in lines)

    def to_dict(self) -> JsonObject:
        """Return everything but the result as numbers, strings and lists, ready for JSON.

        Returns
        -------
        dict
            The fields by name, and `total`, the sum over the kernels.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.generate("random", 8, m=20, seed=1)
        >>> counted = apsp.profile(graph, method="harish-fw")
        >>> counted.to_dict()["total"]["launches"]
        8
        """
        return {
            "method": self.method, "device": self.device, "n": self.n, "m": self.m,
            "kernels": [each.to_dict() for each in self.kernels], "total": self.total.to_dict(),
            "bytes_to_device": self.bytes_to_device, "bytes_to_host": self.bytes_to_host,
            "copies_to_device": self.copies_to_device, "copies_to_host": self.copies_to_host,
            "races": [str(race) for race in self.races],
        }  # fmt: skip


def _right(cell: str, width: int) -> str:
    return f"  {cell:>{width}}"


_TITLES = {
    "launches": "launches",
    "blocks": "blocks",
    "threads": "threads",
    "global_loads": "global loads",
    "global_stores": "global stores",
    "load_requests": "loads per warp",
    "store_requests": "stores per warp",
    "load_sectors": "32-byte sectors loaded",
    "store_sectors": "32-byte sectors stored",
    "transactions_128": "128-byte lines touched",
    "transactions_cc10": "transactions, capability 1.0",
    "bytes_cc10": "bytes, capability 1.0",
    "transactions_cc12": "transactions, capability 1.2",
    "bytes_cc12": "bytes, capability 1.2",
    "shared_loads": "shared loads",
    "shared_stores": "shared stores",
    "shared_requests": "shared accesses per warp",
    "bank_conflicts": "bank conflicts, 32 banks",
    "bank_conflicts_cc1": "bank conflicts, capability 1.x",
    "atomics": "atomics",
    "atomic_requests": "atomics per warp",
    "atomic_sectors": "32-byte sectors of atomics",
    "atomic_collisions": "atomic collisions",
    "divergent_branches": "divergent branches",
    "barriers": "barriers of blocks",
    "warp_barriers": "barriers of warps",
}


def profile_of(result: Result, recorder: Recorder) -> Profile:
    """Make the profile of a run on a GPU from its result and recorder."""
    return Profile(
        result.info["method"], result.info["device"], result.graph.n, result.graph.m, tuple(recorder.kernels.values()),
        recorder.bytes_to_device, recorder.bytes_to_host, recorder.copies_to_device, recorder.copies_to_host,
        tuple(recorder.races), result,
    )  # fmt: skip
