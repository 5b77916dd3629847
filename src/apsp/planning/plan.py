"""A plan: what will run, as plain data and as sentences."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path

from apsp._types import DType, JsonObject
from apsp.errors import format_bytes
from apsp.facts.bounds import DistanceBound
from apsp.methods.source_cost import SourceCost
from apsp.planning.distributed import DistributedWork
from apsp.planning.reason import Reason
from apsp.planning.shared import SharedWork
from apsp.planning.words import shared_words, words_of
from apsp.system.durations import duration

__all__ = ["Plan"]


@dataclass(frozen=True)
class Plan:
    """What will run: `apsp.plan` makes it.

    Parameters
    ----------
    method, device : str
        A name of the registry (of flows 'elimination' or 'searches'), and 'cpu', 'cuda' or 'emulated'.
    dtype : numpy dtype
        Of the distances; of a closure of bits.
    threads : int
        Threads of the CPU, of each process.
    block_rows : int
        Rows that are computed at a time; in `solve` all that are requested.
    seconds : float
        Estimated time.
    bytes_output, bytes_work, bytes_available : int
        Host memory: for the result (of a stream, two blocks); for the work, besides the result and the graph;
        available.
    bound : DistanceBound
        Every finite distance lies in it, provably.
    why : tuple of Reason
        What, why, how large, as data; `reasons` are the sentences.
    why_not : tuple of (str, Reason)
        Methods not chosen, with the reason, as data; `rejected` has the words.
    gpus : tuple of int
        Numbers of the GPUs that work, real or emulated; empty on the CPU.
    gpu_memory : int, optional
        Bytes of each of them that may be used; None means all that is free. Of emulated GPUs always a number.
    pages_file : Path, optional
        Where the matrix lies while it is computed; None means in memory.
    matrix_in : {'host', 'device', 'devices', 'file', 'rows'}
        Where the matrix lies while it is computed: host memory, the memory of one GPU or of several, or a file; or its
        rows are copied from a GPU block by block.
    bytes_on_gpu : int
        Device memory of each GPU; 0 on the CPU. That of emulated GPUs is counted in `bytes_work` too.
    purpose : {'solve', 'stream', 'summary', 'flows', 'skims', 'within', 'reachable'}
        The function that was planned for.
    shared : SharedWork, optional
        With an executor: its tasks, and the bytes that they receive, return and store. `seconds` is the time with all
        workers; memory and threads are those of each.
    per_source : SourceCost, optional
        Of what has methods of its own per source, such as flows.
    distributed : DistributedWork, optional
        Of `apsp.spmd`: what each process holds and sends. `seconds` is the time of the kernels of a process, without
        waiting for messages; memory and threads are those of each.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> chosen = apsp.plan(graph, method="dijkstra")
    >>> chosen.method, chosen.dtype.name, chosen.bytes_output
    ('dijkstra', 'uint16', 18)
    """

    method: str
    device: str
    dtype: DType
    threads: int
    block_rows: int
    seconds: float
    bytes_output: int
    bytes_work: int
    bytes_available: int
    bound: DistanceBound
    why: tuple[Reason, ...] = ()
    why_not: tuple[tuple[str, Reason], ...] = ()
    gpus: tuple[int, ...] = ()
    gpu_memory: int | None = None
    pages_file: Path | None = None
    matrix_in: str = "host"
    bytes_on_gpu: int = 0
    purpose: str = "solve"
    shared: SharedWork | None = None
    per_source: SourceCost | None = None
    distributed: DistributedWork | None = None

    @property
    def reasons(self) -> tuple[str, ...]:
        """Sentences: what, why, how large."""
        shared = () if self.shared is None else shared_words(self.shared, self.device)
        return (*map(words_of, self.why), *shared)

    @property
    def rejected(self) -> tuple[tuple[str, str], ...]:
        """Methods not chosen, with the reason."""
        return tuple((name, words_of(why)) for name, why in self.why_not)

    def bytes_needed(self, process: int = 0) -> int:
        """Return the host memory of a process, besides the graph.

        Parameters
        ----------
        process : int
            Its number, if the matrix is distributed: process 0 also holds a result in memory.

        Returns
        -------
        int
            Bytes.

        Examples
        --------
        >>> import apsp, apsp.spmd
        >>> planned = apsp.spmd.plan(apsp.generate("random", 4096, m=20000, seed=1), processes=4, dtype="float32")
        >>> planned.bytes_needed(0) - planned.bytes_needed(1) == 4 * 4096**2
        True
        """
        parts = self.distributed
        if parts is None:
            return self.bytes_output + self.bytes_work
        if parts.output_to == "store":  # panels are released before bands are written
            panels = parts.bytes_panels if self.device == "cpu" else 0
            return self.bytes_work - panels + max(panels, self.bytes_output)
        return self.bytes_work + (self.bytes_output if process == 0 else 0)

    def __repr__(self) -> str:
        gpus = ":" + ",".join(map(str, self.gpus)) if self.gpus else ""
        cost = f"{duration(self.seconds)}, {format_bytes(self.bytes_output + self.bytes_work)}"
        return f"Plan({self.method}, {self.dtype}, {self.device}{gpus}, about {cost})"

    def _repr_html_(self) -> str:
        from apsp.figures.html import card, sentences

        gpus = (
            f", GPU {', '.join(map(str, self.gpus))}"
            if self.gpus
            else f", {self.threads} thread{'s' if self.threads != 1 else ''}"
        )
        rows: list[tuple[str, object]] = [
            ("method", self.method),
            ("device", f"{self.device}{gpus}"),
            ("distances", self.dtype),
            ("estimated time", duration(self.seconds)),
            ("result", format_bytes(self.bytes_output)),
            ("memory to work in", format_bytes(self.bytes_work)),
            ("processes", None if self.distributed is None else f"{self.distributed.processes:,}"),
            ("tasks", None if self.shared is None else f"{self.shared.tasks:,} on {self.shared.workers:,} workers"),
            ("memory of each GPU", format_bytes(self.bytes_on_gpu) if self.bytes_on_gpu else None),
        ]
        why = sentences("Reasons", self.reasons)
        others = sentences("Not chosen", [f"{name}: {reason}" for name, reason in self.rejected])
        return card("Plan", rows, below=why + others)

    def explain(self) -> str:
        """Explain in sentences what will run, why, the time and memory it needs, and what was rejected.

        Returns
        -------
        str
            One sentence per line.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
        >>> print(apsp.plan(graph).explain().splitlines()[0])
        The graph has 3 vertices, 3 arcs (50% of all pairs) and integer weights from 1 to 4.
        """
        lines = list(self.reasons)
        if self.rejected:
            lines.append("Not chosen:")
            lines += [f"  {name} - {why}." for name, why in self.rejected]
        return "\n".join(lines)

    def to_dict(self) -> JsonObject:
        """Return the plan as numbers, strings, lists and dictionaries, ready for JSON.

        Returns
        -------
        dict
            The fields by name.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
        >>> apsp.plan(graph, method="dijkstra").to_dict()["method"]
        'dijkstra'
        """
        plain = replace(self, why=(), why_not=())
        if plain.per_source is not None:
            plain = replace(plain, per_source=replace(plain.per_source, preparation={}))
        data = asdict(plain)
        del data["why"], data["why_not"]
        data["dtype"] = self.dtype.name
        data["gpus"] = list(self.gpus)
        data["pages_file"] = None if self.pages_file is None else str(self.pages_file)
        data["reasons"] = list(self.reasons)
        data["rejected"] = [{"method": name, "reason": why} for name, why in self.rejected]
        if self.distributed is not None:
            data["distributed"]["grid"] = list(self.distributed.grid)
        return data
