"""Cutoffs on the command line: no negative one in any command, and infinity in all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest

from apsp.cli.main import cli

COMMANDS: dict[str, list[str]] = {
    "solve": [], "stats": [], "plan": [], "betweenness": [], "closeness": [], "access": [], "k-nearest": ["-k", "2"],
    "nearest": ["--facilities", "1,3"], "within": [],
    "isochrone": ["--sources", "1,3"],
}  # fmt: skip


def option_of(command: click.Command) -> str | None:
    names = [name for parameter in command.params for name in parameter.opts]
    return next((name for name in ("--cutoff", "--cutoffs") if name in names), None)


def arguments(name: str, roads: Path, tmp_path: Path) -> list[Any]:
    out = ["-o", tmp_path / ("out.npz" if name == "solve" else "out.csv")]
    return [name, roads, *COMMANDS[name], *([] if name in ("plan", "stats") else out), "-q"]


def commands() -> dict[str, str]:
    context = click.Context(cli)
    found = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    return {name: word for name, command in found.items() if command and (word := option_of(command))}


def test_all_commands_with_a_cutoff_are_here() -> None:
    assert commands().keys() == COMMANDS.keys()


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("cutoff", ["-1", "-0.5", "-inf", "nan"])
def test_what_is_no_length_is_refused(run: Any, roads: Path, tmp_path: Path, name: str, cutoff: str) -> None:
    outcome = run(*arguments(name, roads, tmp_path), f"{commands()[name]}={cutoff}")
    assert outcome.code == 2 or "cutoff" in outcome.err
    assert outcome.code != 0
    assert "number of at least 0" in outcome.err


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("cutoff", ["inf", "Infinity", "1e300", "0"])
def test_infinity_and_zero_are_lengths(run: Any, roads: Path, tmp_path: Path, name: str, cutoff: str) -> None:
    outcome = run(*arguments(name, roads, tmp_path), f"{commands()[name]}={cutoff}")
    assert outcome.code == 0, outcome.err
