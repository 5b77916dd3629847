"""The caller's side: the work is planned by a worker, and cut into tasks.

Input: a `Job` and a `Fold`. Output: (start, stop, outcome) in the order of the sources, or in any order. Errors: those
of the work in the workers; ExecutorError if a worker or the engine fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from apsp.errors import RequestError
from apsp.facts.request import Request
from apsp.gpu.gpus import with_gpus
from apsp.graph.device import DeviceGraph
from apsp.planning.plan import Plan
from apsp.running.workers.job_file import JobFile
from apsp.running.workers.row_job import Job, planned_options
from apsp.running.workers.tasks import Outcome, PerPart, Tasks
from apsp.running.workers.worker import Fold
from apsp.system.engine.choice import check_executor, engine_of
from apsp.system.engine.engine import Engine
from apsp.system.engine.gpu_claim import words_of_too_many
from apsp.system.limits import allowed_cores
from apsp.system.machine import Machine
from apsp.system.progress import ProgressReport, reporting

__all__ = ["Distribution", "Passes", "check_job", "engine_for", "gpus_to_claim", "options_of", "threads_of"]


class Distribution:
    """A job that is distributed to the workers of an engine.

    Raises RequestError if workers cannot do the job.

    Parameters
    ----------
    job : Job
        With the options of the call, of which the workers receive their part.

    Attributes
    ----------
    job : Job
        As the workers receive it.
    count : int
        Number of sources.
    """

    def __init__(self, job: Job) -> None:
        check_job(job)
        self.options = job.options
        self.job: Job = replace(job, options=job.options.of_worker())  # type: ignore[type-var]
        self.count = job.graph.n if job.sources is None else len(job.sources)

    @contextmanager
    def passes(self) -> Iterator[Passes]:
        """Begin the work with the engine, and plan passes over all sources."""
        with self.opened() as tasks, reporting(self.options.progress) as report:
            threads = threads_of(tasks.engine, self.options)
            plan = tasks.plan(threads)
            tasks.options = options_of(plan, tasks)
            parts = self.job.parts(plan, tasks.workers)
            yield Passes(tasks, threads, self.job.stage or plan.method, parts, report)

    def outcomes(self, fold: Fold) -> Iterator[Outcome]:
        """Run the fold over all sources once, and yield the outcomes in their order."""
        with self.passes() as passes:
            yield from passes.run(fold, in_order=True)

    @contextmanager
    def opened(self) -> Iterator[Tasks]:
        """Begin the work with the engine; at the exit, tasks that have not ended are cancelled."""
        engine = engine_for(self.options)
        with ExitStack() as stack:
            stack.enter_context(engine.owned)
            reference = stack.enter_context(JobFile(self.job, engine.send is not None))
            tasks = Tasks(engine, reference, self.job)
            stack.callback(tasks.cancel)
            yield tasks


@dataclass
class Passes:
    """Passes over all sources, by the same workers.

    Attributes
    ----------
    threads : int
        Of each worker, on the CPU.
    parts : list of (start, stop)
        The sources of each task.
    """

    tasks: Tasks
    threads: int
    stage: str
    parts: list[tuple[int, int]]
    report: ProgressReport | None

    def run(self, fold: Fold | PerPart, *, in_order: bool = False) -> Iterator[Outcome]:
        """Run the fold over all sources.

        Parameters
        ----------
        in_order : bool
            Yield the outcomes in the order of the sources; others wait.
        """
        done, count = 0, self.parts[-1][1] if self.parts else 0
        for outcome in self.tasks.run(fold, self.parts, in_order=in_order):
            done += outcome[1] - outcome[0]
            if self.report is not None:
                self.report(self.stage, done, count)
            yield outcome


def engine_for(options: Request) -> Engine:
    """The engine, with a worker per GPU if GPUs are requested.

    Raises RequestError if this machine has fewer GPUs than workers.
    """
    gpus = gpus_here() if options.named_device == "cuda" else 0
    engine = engine_of(options.executor, options.threads, gpus or None)
    if gpus and engine.is_local and engine.workers is not None and engine.workers > gpus:
        have = f"this machine has {gpus} GPU{'s' if gpus > 1 else ''}"
        raise RequestError(words_of_too_many(f"{engine.name} has {engine.workers} workers, and {have}"))
    return engine


def gpus_to_claim(device: str, options: Request) -> int:
    """The number of GPUs of this machine, if workers claim those on which a plan computes; else 0."""
    return gpus_here() if device == "cuda" and options.named_device in ("auto", "cuda") else 0


def gpus_here() -> int:
    """The number of GPUs of this machine."""
    return len(with_gpus(Machine.detect()).gpus)


def check_job(job: Job) -> None:
    """Raise RequestError if workers cannot do a job."""
    if job.options.pages_file is not None:
        raise RequestError("a file of pages is of one process: leave out pages_file, or executor")
    if isinstance(job.graph, DeviceGraph):
        raise RequestError("workers of an executor need a graph in host memory: apsp.from_dense(matrix.get())")
    check_executor(job.options.executor)


def options_of(plan: Plan, tasks: Tasks) -> Request:
    """The options of all tasks."""
    options = tasks.job.options
    return planned_options(
        plan, threads_of(tasks.engine, options) if plan.device == "cpu" else options.threads, options
    )


def threads_of(engine: Engine, options: Request) -> int:
    """Threads per worker, on the CPU."""
    cores = max(allowed_cores() // engine.workers, 1) if engine.is_local and engine.workers else 1
    return options.threads or cores
