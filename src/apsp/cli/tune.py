"""apsp tune: measure this machine, so that plans fit it."""

from __future__ import annotations

import click

from apsp.cli.options import show_options
from apsp.cli.terminal import Show, facts_table, print_json, print_text

__all__ = ["command"]
