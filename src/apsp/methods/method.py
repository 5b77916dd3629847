"""The row of a method in the registry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from apsp.semiring import ALL_DTYPES

__all__ = ["Method", "Purpose"]

Purpose = Literal["distances", "flows", "skims", "within", "closure"]

_WHERE = {"cpu": "the CPU (`cpu`)", "cuda": "NVIDIA GPUs (`cuda`)", "emulated": "any CPU, emulated (`emulated`)"}


@dataclass(frozen=True)
class Method:
    """A row of the registry of methods.

    Parameters
    ----------
    name, module : str
        Name of the method, and the module that contains `prepare(problem) -> Solver`.
    costs : str
        The module that holds `COSTS`, and the name there of the `CostModel`: 'apsp.methods.searches.cost:dijkstra'.
    family : {'dense', 'sparse', 'published', 'reference'}
        The kind of method.
    summary : str
        A description in one line.
    source : str
        The paper with its section, or the textbook name.
    by_rows : bool
        Any rows can be computed alone, so that the method can stream; otherwise always all n x n.
    negative : bool
        Takes negative arcs and reports negative cycles.
    time, memory : str
        Operations and bytes beyond the output, in n, m, threads p and tile t.
    options : mapping
        Arguments of `prepare` besides the problem: methods that differ in an option share a module.
    weighted : bool
        False for a method that only counts hops.
    dtypes : tuple of str
        Of distances that it computes.
    devices : tuple of str
        'cpu', 'cuda', and 'emulated' if its CUDA kernels also run on the CPU.
    semirings : tuple of str
        'min_plus' (shortest paths) and others that it computes.
    files : tuple of str
        Devices on which the matrix may be stored in a file while it is computed (`Problem.pages_file`).
    distributed : str, optional
        The module that contains `prepare(problem, connection, block) -> Distances`, if one problem can be distributed
        over the processes that an SPMD launcher starts.
    several_gpus : bool
        It can share the work of one request between GPUs.
    rows_at_once : int
        Rows that a thread of the CPU computes together, at most: fewer take about as long.
    one_thread : bool
        It runs on one thread of the CPU, however many are requested.
    shares_preparation : bool
        Its solvers return what takes long to prepare (`Solver.preparation`), and its module contains
        `keep(graph, arrays)`, which stores this with the same graph in another process, for `prepare`.
    automatic : bool
        The planner may choose it; False for references and baselines, which run only if named.
    improves_on : str, optional
        The method or baseline that this one was built to beat; the benchmarks print the ratio.
    purpose : {'distances', 'flows', 'skims', 'within', 'closure'}
        What it computes; 'within': near pairs. The modules of a closure contain `close(problem, progress, timings)`,
        which returns the bits, instead of `prepare`, and a `ClosureModel` instead of a `CostModel`.
    """

    name: str
    module: str
    costs: str
    family: Literal["dense", "sparse", "published", "reference"]
    summary: str
    source: str
    by_rows: bool
    negative: bool
    time: str
    memory: str
    options: Mapping[str, object] = field(default_factory=dict, hash=False)
    weighted: bool = True
    dtypes: tuple[str, ...] = ALL_DTYPES
    devices: tuple[str, ...] = ("cpu",)
    semirings: tuple[str, ...] = ("min_plus",)
    files: tuple[str, ...] = ()
    distributed: str | None = None
    several_gpus: bool = False
    rows_at_once: int = 1
    one_thread: bool = False
    shares_preparation: bool = False
    automatic: bool = True
    improves_on: str | None = None
    purpose: Purpose = "distances"

    def __repr__(self) -> str:
        return f"Method({self.name!r}, {self.family}, {'/'.join(self.devices)}, {'/'.join(self.dtypes)})"

    @property
    def where(self) -> str:
        """The devices, as text."""
        named = [_WHERE[device] for device in self.devices]
        return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} or {named[-1]}"

    def threads_of(self, requested: int) -> int:
        """Return the number of CPU threads that the method uses.

        Parameters
        ----------
        requested : int
            The number of threads that is requested.

        Returns
        -------
        int
            This number, or 1 if the method runs on one thread.

        Examples
        --------
        >>> import apsp
        >>> [method.threads_of(4) for method in apsp.list_methods() if method.name == "dijkstra"]
        [4]
        """
        return 1 if self.one_thread else requested
