"""apsp info: this machine, the optional packages and the available methods."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

import click

from apsp import __version__, _cpu
from apsp.cli.options import show_options
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show, dim, facts_table, print_json, print_text
from apsp.errors import format_bytes
from apsp.facts.constants import load_constants, tuned_path
from apsp.gpu.gpus import with_gpus
from apsp.methods.registry import CLOSURES, METHODS, Method
from apsp.system.machine import Gpu, Machine, threads_from

__all__ = ["command"]

OPTIONAL = {
    "networkx": "NetworkX graphs in and out",
    "matplotlib": "figures",
    "pyarrow": "Parquet and Arrow files, tables",
    "osmium": "OpenStreetMap files",
    "pandas": "tables of distances",
    "polars": "tables of distances",
    "xarray": "tables of distances",
    "zarr": "stores of distances",
}


@click.command("info", cls=Sections, short_help="This machine, the optional packages and the available methods.")
@show_options
def command(show: Show) -> None:
    """Print the version, processor, memory, GPUs, optional packages and available methods."""
    machine = with_gpus(Machine.detect())
    if show.json:
        print_json(_facts(machine))
        return
    print_text(facts_table(_machine_rows(machine)))
    print_text(f"\nMethods\n{_methods()}")


def _facts(machine: Machine) -> dict[str, Any]:
    return {
        "version": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "machine": asdict(machine) | {"best_isa": _cpu.best_isa()},
        "threads": threads_from(None, machine.cores),
        "packages": {name: _version(name) for name in ("numpy", "scipy", *OPTIONAL)},
        "constants": _constants(machine),
        "methods": [asdict(method) for method in METHODS.values()],
        "closures": [asdict(method) for method in CLOSURES.values()],
    }


def _cores(machine: Machine) -> str:
    """Return the number of cores, and of threads if it is larger."""
    if machine.physical is None or machine.physical >= machine.cores:
        return str(machine.cores)
    return f"{machine.physical} with {machine.cores} threads"


def _machine_rows(machine: Machine) -> list[tuple[str, str]]:
    threads = threads_from(None, machine.cores)
    caches = ", ".join(
        f"{level} {format_bytes(size)}" for level, size in (("L2", machine.l2_bytes), ("L3", machine.l3_bytes)) if size
    )
    forced = "" if machine.isa == _cpu.best_isa() else f" (the machine has {_cpu.best_isa()})"
    rows = [
        ("apsp", f"{__version__}, Python {platform.python_version()}, {platform.platform()}"),
        ("cores", f"{_cores(machine)}, {threads} thread{'s' if threads != 1 else ''} by default"),
        ("kernels", machine.isa + forced),
        ("memory", f"{format_bytes(machine.memory_available)} available of {format_bytes(machine.memory_total)}"),
        ("caches", caches or "unknown"),
        *_gpu_rows(machine),
        ("emulated GPU", _emulated_words()),
        ("constants", _constants(machine)),
    ]
    for name, purpose in OPTIONAL.items():
        version = _version(name)
        rows.append((name, f"{version} ({purpose})" if version else f"not installed ({purpose}): pip install {name}"))
    return rows


def _emulated_words() -> str:
    if importlib.util.find_spec("apsp._emulated") is None:
        return "none: not in this build"
    return "this CPU, for the methods below that run on 'emulated' (--device emulated)"


def _gpu_rows(machine: Machine) -> list[tuple[str, str]]:
    if not machine.gpus:
        return [("GPUs", f"none: {machine.no_gpu}")]
    driver = f"NVIDIA {machine.cuda.driver}, " if machine.cuda and machine.cuda.driver else ""
    versions = f"{driver}CUDA {machine.cuda.supported}; CuPy uses CUDA {machine.cuda.runtime}" if machine.cuda else ""
    return [("driver", versions), *((f"GPU {number}", _gpu_words(gpu)) for number, gpu in enumerate(machine.gpus))]


def _gpu_words(gpu: Gpu) -> str:
    if gpu.unusable is not None:
        return f"{gpu.name}: {gpu.unusable}"
    peers = f", reaches the memory of GPU {', '.join(map(str, gpu.peers))}" if gpu.peers else ""
    return (
        f"{gpu.name}, {format_bytes(gpu.memory_free)} free of {format_bytes(gpu.memory_total)}, compute capability "
        f"{gpu.capability[0]}.{gpu.capability[1]}, {gpu.multiprocessors} multiprocessors{peers}"
    )


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _constants(machine: Machine) -> str:
    """Return the origin of the cost constants in use, and the file that apsp tune writes."""
    constants = load_constants(machine.isa)
    note = f"; {constants.note}" if constants.note else ""
    file = "" if str(tuned_path()) in constants.origin + note else f" (into {tuned_path()})"
    return f"{constants.origin}{file}{note}"


def _methods() -> str:
    """Print a table that fits 80 columns: name, summary, accepted graphs and devices."""
    width = max(len(name) for name in (*METHODS, *CLOSURES))

    def lines(methods: Iterable[Method]) -> Iterator[str]:
        for method in methods:
            yield f"  {method.name.ljust(width)}  {method.summary}"
            yield f"  {' ' * width}  {_takes(method)}"
            yield f"  {' ' * width}  {_runs_on(method.devices)}"

    heading = "\nTransitive closures (apsp reachable --method NAME)"
    return "\n".join([*lines(METHODS.values()), heading, *lines(CLOSURES.values())])


def _runs_on(devices: Sequence[str]) -> str:
    return dim(f"runs on: {', '.join(devices)}")


def _takes(method: Method) -> str:
    words = ["weights are ignored"]
    if method.purpose == "distances":
        words = [
            "weights" if method.weighted else "hops only",
            "negative arcs" if method.negative else "no negative arcs",
            "by rows" if method.by_rows else "whole matrix",
        ]
    if not method.automatic:
        words.append("not chosen automatically")
    return dim("; ".join(words))
