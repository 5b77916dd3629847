"""apsp tune: measure this machine, so that plans fit it."""

from __future__ import annotations

import click

from apsp.cli.options import show_options
from apsp.cli.terminal import Show, print_json
from apsp.planning.tune import tune
from apsp.system.progress import reporting

__all__ = ["command"]


@click.command("tune", short_help="Measure this machine, so that plans fit it.")
@show_options
def command(show: Show) -> None:
    """Time every method on small graphs and keep the constants in the cache folder of the user.

    Takes less than a minute, and three more for a GPU, whose tiles it chooses; runs best on an idle machine. apsp info
    says where the constants are; deleting the file goes back to those that come with the package.
    """
    with reporting(show.bar) as report:
        measured = tune(report)
    gpus = f" and on {', '.join(measured['gpus'])}" if measured["gpus"] else ""
    show.say(f"measured{gpus} in {measured['seconds']:.0f} s; wrote {measured['path']}")
    if show.json:
        print_json(measured)
