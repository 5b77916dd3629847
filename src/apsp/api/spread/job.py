"""What the workers receive: the graph and the request once, and what stands for it in every task."""

from __future__ import annotations

import pickle
import shutil
import tempfile
import uuid
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from apsp._types import VerticesLike
from apsp.api.streaming import PlannedRows, RowOptions, plan_of, rows_of
from apsp.api.weighing import RowsToWeigh
from apsp.errors import OutputError
from apsp.graph.model import Graph
from apsp.measures.weighing import Weighing
from apsp.methods.problem import IntArray
from apsp.planning.plan import Plan

__all__ = ["Fixed", "Job", "JobFile", "Ticket", "WeighingJob", "fixed_options"]


@dataclass(frozen=True)
class Fixed:
    """What the plan has fixed, so that all workers compute in the same way.

    Attributes
    ----------
    options : RowOptions
        They replace those of the request.
    block : int or None
        Most rows that a worker holds at a time; None means that of the job.
    """

    options: RowOptions = field(default_factory=RowOptions)
    block: int | None = None


def fixed_options(decided: Plan, threads: int | None, options: RowOptions) -> RowOptions:
    """The options of a plan that all workers use, with this number of threads, beside those of the request."""
    fixed = RowOptions(method=decided.method, dtype=decided.dtype.name, threads=threads)
    if options.get("device", "auto") == "auto":
        fixed["device"] = decided.device
    return fixed


@dataclass(frozen=True)
class Job:
    """A request for rows, with the graph.

    Attributes
    ----------
    graph : Graph
    sources, targets : int32 or None
        Positions; None means all vertices.
    options : RowOptions
    block : int or None
        Most rows that a worker holds at a time.
    """

    graph: Graph
    sources: IntArray | None
    targets: IntArray | None
    options: RowOptions
    block: int | None = None

    def plan(self, threads: int, *, explained: bool = False) -> Plan:
        """Plan the rows for the machine where this is called.

        All its cores choose the method; on the CPU the seconds are those of so many threads.

        Parameters
        ----------
        threads : int
        explained : bool
            With sentences, and with seconds of small work, too.
        """
        decided = plan_of(self.graph, self.block, *self._vertices(), explained, **self.options)
        if decided.device != "cpu" or decided.threads == threads or decided.seconds == 0:
            return decided
        options: RowOptions = {
            **self.options, "method": decided.method, "dtype": decided.dtype, "device": "cpu", "threads": threads,
        }  # fmt: skip
        again = plan_of(self.graph, self.block, *self._vertices(), explained, **options)
        return replace(decided, threads=again.threads, seconds=again.seconds)

    def rows(self, fixed: Fixed) -> PlannedRows:
        """Plan and prepare the rows."""
        options: RowOptions = {**self.options, **fixed.options}
        return rows_of(self.graph, fixed.block or self.block, *self._vertices(), **options)

    def made(self, fixed: Fixed) -> Any:
        """Prepare what the tasks work on: the rows."""
        return self.rows(fixed)

    def _vertices(self) -> tuple[VerticesLike | None, VerticesLike | None]:
        take = self.graph.labels.take
        sources = None if self.sources is None else take(self.sources)
        return sources, None if self.targets is None else take(self.targets)


@dataclass(frozen=True)
class WeighingJob(Job):
    """A request for sums of amounts over rows.

    Attributes
    ----------
    weighing : Weighing
    """

    weighing: Weighing = field(kw_only=True)

    def made(self, fixed: Fixed) -> RowsToWeigh:
        """Prepare the rows."""
        return RowsToWeigh(self.rows(fixed), self.weighing)


@dataclass(frozen=True)
class Ticket:
    """Stands for a job in the arguments of a task.

    Attributes
    ----------
    key : str
        Differs between jobs.
    path : str
        A file on the machine of the caller that exists as long as the job is wanted; it holds the pickled job unless
        the engine itself sends it.
    version : str
        The version of apsp of the caller.
    is_sent : bool
        The engine itself sends the job, and the preparation.
    """

    key: str
    path: str
    version: str
    is_sent: bool = False

    @property
    def preparation(self) -> Path:
        """The file of what the worker that plans shares with the others."""
        return Path(self.path).with_name("preparation")

    @property
    def is_wanted(self) -> bool:
        """Whether the file is there; only the machine of the caller can tell."""
        return Path(self.path).exists()


@dataclass
class JobFile:
    """The file of a job, in a folder that only this user can read."""

    job: Job
    is_sent: bool
    folder: Path = field(init=False)
    ticket: Ticket = field(init=False)

    def __enter__(self) -> Ticket:
        from apsp import __version__

        try:
            self.folder = Path(tempfile.mkdtemp(prefix="apsp-job-"))
            path = self.folder / "job"
            with path.open("wb") as file:
                if not self.is_sent:
                    pickle.dump(self.job, file, protocol=5)
        except OSError as error:
            self.__exit__()
            where = tempfile.gettempdir()
            raise OutputError(
                f"cannot write the graph for the workers to {where}: {error.strerror or error}"
            ) from error
        self.ticket = Ticket(uuid.uuid4().hex, str(path), __version__, self.is_sent)
        return self.ticket

    def __exit__(self, *_: object) -> None:
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder, ignore_errors=True)
