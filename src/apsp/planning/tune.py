"""Measure the constants of the cost models on this machine, by running the registered methods on small graphs.

The models of cost.py are linear in their constants. Each group of constants is found by running a method on as many
graphs and solving for them. All cores run, as in plans; if cores run two threads each, one thread per core is measured
first, and then all of them, to find what the second ones add.
"""

from __future__ import annotations

import collections
import datetime
import time
from pathlib import Path
from typing import Any

import numpy as np

from apsp.errors import ApspError
from apsp.facts.constants import save_tuned, shipped_constants
from apsp.facts.depth import with_depth
from apsp.facts.statistics import statistics_of
from apsp.facts.work import Work
from apsp.gpu import jit
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.cost import CostModel
from apsp.methods.experiment import Experiment
from apsp.methods.problem import Problem
from apsp.planning.tune_experiments import graphs_of, installed_experiments
from apsp.system.machine import Machine
from apsp.system.progress import ProgressReport

__all__ = ["measure", "tune"]

Values = dict[str, dict[str, float]]

_SHARE = 1.0
_LEFT, _WRITTEN_AGAIN = 0.1, 0.5
_RUNS = 3
"""A measurement is the best of three runs, or of as many as fit in a second, but at least one."""


def tune(progress: ProgressReport | None = None, *, path: Path | None = None, quick: bool = False) -> dict[str, Any]:
    """Measure every method of the registry (under a minute on two cores) and GPUs (three minutes), for later plans.

    Parameters
    ----------
    progress : callable, optional
        Called as report('tune', done, total).
    path : Path, optional
        Of the file; `apsp.facts.constants.tuned_path()` by default. It is replaced in one step.
    quick : bool
        Use tiny graphs: for tests, not for planning.

    Returns
    -------
    dict
        'path', 'isa', 'date', 'seconds' (spent), 'values' (method -> constant -> seconds) and 'gpus' (the names of
        those whose tile policies were measured).

    Raises
    ------
    OutputError
        If the file cannot be written.
    """
    started = time.perf_counter()
    machine = Machine.detect()
    values = measure(machine, progress, quick=quick)
    date = datetime.datetime.now(datetime.timezone.utc).date().isoformat()  # noqa: UP017
    written = save_tuned(values, machine.isa, date, path)
    models = map(registry.costs, registry.METHODS.values()) if jit.why_no_gpu() is None else ()
    gpus = [name for model in models for name in model.tune_gpus(progress, quick=quick)]
    spent = time.perf_counter() - started
    return {"path": str(written), "isa": machine.isa, "date": date, "seconds": spent, "values": values, "gpus": gpus}


def measure(machine: Machine, progress: ProgressReport | None = None, *, quick: bool = False) -> Values:
    """Measure without writing; methods that are not installed or fail keep their shipped constants."""
    shipped = shipped_constants(machine.isa).values
    experiments = list(installed_experiments())
    values: Values = {"output": {"byte": _touch(1 << 22 if quick else 1 << 27)}}
    tuned: set[str] = set()
    for done, experiment in enumerate(experiments):
        if progress is not None:
            progress("tune", done, len(experiments))
        found = _measured(experiment, machine, quick)
        if found is not None:
            start = values.setdefault(experiment.method, dict(shipped.get(experiment.method, {})))
            start.update(zip(experiment.constants, found, strict=True))
            if machine.physical is not None and machine.physical < machine.cores and experiment.method not in tuned:
                start["sibling"] = _sibling(experiment, machine, quick)
            tuned.add(experiment.method)
    for name, of_method in values.items():
        if name not in registry.METHODS:
            continue
        of_method.update(_model_of(name).measured_kernels(quick=quick))
        constant = _model_of(name).stored_constant
        if constant is not None:
            of_method[constant] = _stored_constant(name, constant, machine, quick)
    if progress is not None:
        progress("tune", len(experiments), len(experiments))
    return values


def _measured(experiment: Experiment, machine: Machine, quick: bool) -> tuple[float, ...] | None:
    """Return the two constants, for one core; None if the method cannot be used."""
    threads = _a_thread_a_core(machine)
    rows, times = [], []
    for graph in graphs_of(experiment, quick):
        seconds = _best(experiment, graph, threads)
        if seconds is None:
            return None
        work = Work(rows=graph.n, threads=threads, dtype=experiment.dtype, paths=False, output_bytes=0)
        if experiment.whole:
            seconds = max(seconds - _others(experiment, graph, work, machine.isa), _LEFT * seconds)
        rows.append([_share(experiment, name, graph, work) for name in experiment.constants])
        times.append(seconds)
    return _solved(rows, times)


def _a_thread_a_core(machine: Machine) -> int:
    """Return the number of threads such that each has a core; a container may allow fewer than the machine has."""
    return min(machine.physical or machine.cores, machine.cores)


def _others(experiment: Experiment, graph: Graph, work: Work, isa: str) -> float:
    """Return the seconds of the parts that are not measured here, by the shipped constants.

    The order of elimination is known already.
    """
    values = shipped_constants(isa).values
    shipped, written = dict(values[experiment.method]), graph.n**2 * np.dtype(experiment.dtype).itemsize
    return _WRITTEN_AGAIN * written * values["output"]["byte"] / work.threads + _modelled(
        experiment, shipped | dict.fromkeys((*experiment.constants, *_stored_of(experiment)), 0.0), graph, work
    )


def _share(experiment: Experiment, name: str, graph: Graph, work: Work) -> float:
    """Return the factor of the constant `name`: the model with this constant at 1 and all others at 0."""
    return _modelled(experiment, collections.defaultdict(float, {name: 1.0}), graph, work)


def _modelled(experiment: Experiment, values: dict[str, float], graph: Graph, work: Work) -> float:
    known = with_depth(statistics_of(graph), graph)
    model = _model_of(experiment.method)
    return model.seconds(values, model.looked_at(graph, known, work.threads), work)


def _model_of(name: str) -> CostModel:
    return registry.costs(registry.get(name))


def _stored_of(experiment: Experiment) -> tuple[str, ...]:
    constant = _model_of(experiment.method).stored_constant
    return () if constant is None else (constant,)


def _sibling(experiment: Experiment, machine: Machine, quick: bool) -> float:
    """Return what a second thread of a core adds, as a share of a core, from the larger graph."""
    assert machine.physical is not None
    *_, graph = graphs_of(experiment, quick)
    alone, all_of_them = (_best(experiment, graph, threads) for threads in (machine.physical, machine.cores))
    if not alone or not all_of_them:
        return 0.0
    added = (alone / all_of_them - 1) * machine.physical / (machine.cores - machine.physical)
    return min(max(added, 0.0), 1.0)


def _stored_constant(name: str, constant: str, machine: Machine, quick: bool) -> float:
    """Return the seconds of the work that is stored with a graph, in the units of the model."""
    model, threads = _model_of(name), _a_thread_a_core(machine)
    experiment = model.experiments()[0]
    graph = next(graphs_of(experiment, quick))
    started = time.perf_counter()
    model.look_again(graph, threads)
    seconds = time.perf_counter() - started
    work = Work(rows=0, threads=threads, dtype=experiment.dtype, paths=False, output_bytes=0)
    return seconds / max(_share(experiment, constant, graph, work), 1.0)


def _best(experiment: Experiment, graph: Graph, threads: int) -> float | None:
    """Return the shortest of several runs, in seconds; None if the method cannot be used."""
    method, dtype = registry.get(experiment.method), np.dtype(experiment.dtype)
    try:
        prepare = registry.prepare(method)
        problem = Problem(graph, dtype, threads=threads)
        solver = prepare(problem)
        sources = np.arange(graph.n, dtype=np.int32)
        dist = np.ones((graph.n, graph.n), dtype=dtype)  # written before, so that first touch is not measured here
        best, spent = np.inf, 0.0
        for _ in range(_RUNS):
            started = time.perf_counter()
            if experiment.prepared:  # except what is stored with the graph
                solver = prepare(problem)
            solver.fill(sources, dist, None)
            last = time.perf_counter() - started
            best, spent = min(best, last), spent + last
            if spent + last > _SHARE:
                break
        return float(best)
    except (ApspError, ImportError, AttributeError, ValueError):
        return None


def _touch(size: int) -> float:
    """Return the seconds per byte of writing fresh memory."""
    started = time.perf_counter()
    np.empty(size, dtype=np.uint8).fill(1)
    return (time.perf_counter() - started) / size


def _solved(rows: list[list[float]], times: list[float]) -> tuple[float, ...]:
    """Return both constants from two measurements.

    If noise makes one negative, the other is fitted to the larger run.
    """
    first, second = np.linalg.solve(np.array(rows), np.array(times))
    if first < 0:
        first, second = 0.0, times[1] / rows[1][1]
    elif second < 0:
        first, second = times[1] / rows[1][0], 0.0
    return float(first), float(second)
