"""apsp tune: measure the cost constants of this machine."""

from __future__ import annotations

import time

import click

from apsp.cli.options import show_options
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show, print_json
from apsp.gpu.machine_code import code_folder
from apsp.planning.tune import tune
from apsp.system.progress import reporting

__all__ = ["command"]


@click.command("tune", cls=Sections, short_help="Measure the cost constants of this machine.")
@click.option("--compile", "compiles", is_flag=True, help="Only compile the kernels for the GPU of this machine.")
@show_options
def command(compiles: bool, show: Show) -> None:
    """Time every method on small graphs and store the cost constants of plans in the user's cache folder.

    Takes less than a minute, and three more for a GPU, whose tile sizes are chosen too. Run it on an idle machine. apsp
    info shows where the constants are stored; without that file those of the package are used.

    --compile computes small examples of all kinds on the first GPU, so that no later process compiles kernels: in a
    container image, for example, or before the jobs of a cluster start.
    """
    if compiles:
        _compile(show)
        return
    with reporting(show.bar) as report:
        measured = tune(report)
    gpus = f" and on {', '.join(measured['gpus'])}" if measured["gpus"] else ""
    show.say(f"measured{gpus} in {measured['seconds']:.0f} s; wrote {measured['path']}")
    if show.json:
        print_json(measured)


def _compile(show: Show) -> None:
    from apsp.cli.compiling import compile_kernels

    started = time.perf_counter()
    with reporting(show.bar) as report:
        calls = compile_kernels(report)
    seconds, folder = time.perf_counter() - started, str(code_folder())
    show.say(f"kernels of {calls} calls are in {folder}, after {seconds:.1f} s")
    if show.json:
        print_json({"calls": calls, "seconds": seconds, "path": folder})
