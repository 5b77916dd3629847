"""apsp tune: measure the cost constants of this machine."""

from __future__ import annotations

import click

from apsp.cli.options import show_options
from apsp.cli.terminal import Show, print_json
from apsp.planning.tune import tune
from apsp.system.progress import reporting

__all__ = ["command"]


@click.command("tune", short_help="Measure the cost constants of this machine.")
@show_options
def command(show: Show) -> None:
    """Time every method on small graphs and store the cost constants of plans in the user's cache folder.

    Takes less than a minute, and three more for a GPU, whose tile sizes are chosen too. Run it on an idle machine. apsp
    info shows where the constants are stored; without that file those of the package are used.
    """
    with reporting(show.bar) as report:
        measured = tune(report)
    gpus = f" and on {', '.join(measured['gpus'])}" if measured["gpus"] else ""
    show.say(f"measured{gpus} in {measured['seconds']:.0f} s; wrote {measured['path']}")
    if show.json:
        print_json(measured)
