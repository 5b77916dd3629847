"""apsp info: this machine, the optional packages and the methods there are."""

from __future__ import annotations

import importlib.metadata
import platform
from typing import Any

import click

from apsp import __version__
from apsp.cli.options import show_options
from apsp.cli.terminal import Show, facts_table, print_json, print_text
from apsp.errors import format_bytes
from apsp.plan.machine import Machine, threads_from
from apsp.solvers.registry import METHODS

__all__ = ["command"]

OPTIONAL = {
    "networkx": "NetworkX graphs in and out",
    "matplotlib": "figures (--plot)",
    "pyarrow": "Parquet and Arrow files",
}


@click.command("info", short_help="This machine, the optional packages and the methods there are.")
@show_options
def command(show: Show) -> None:
    """Say what apsp sees: version, processor, memory, optional packages, and the methods with their sources."""
    facts = _facts()
    if show.json:
        print_json(facts)
    else:
        print_text(_words(facts))
