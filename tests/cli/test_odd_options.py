"""Every option of every command with odd values: one readable line and a documented exit code."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from apsp.cli.exits import CODES
from apsp.cli.main import COMMANDS, cli

ODD = ("", " ", "x" * 5000, "9" * 5000, "-1", "0", "nan", "1e999", "1.5", "1-3", "@", "\udcff", ",,", "a=b", "y" * 300)
USUAL = {
    "solve": ("IN", "-o", "out.npy"), "path": ("IN", "1", "4"), "stats": ("IN",), "reachable": ("IN",),
    "access": ("IN", "--cutoffs", "5"),
    "nearest": ("IN", "--facilities", "1"), "k-nearest": ("IN", "-k", "2"), "plan": ("IN",), "skim": ("IN",),
    "table": ("IN", "points.csv", "--crs", "plane", "--speed", "1"),
    "betweenness": ("IN",), "closeness": ("IN",), "within": ("IN", "--cutoff", "5"),
    "isochrone": ("IN", "--sources", "1", "--cutoffs", "5"), "serve": ("IN", "--unit", "s"),  # it has no coordinates
    "generate": ("ring", "-n", "5", "-o", "made.gr"), "convert": ("IN", "made.mtx"), "info": (), "tune": None,
    "explore": ("IN", "-o", "made.html"), "bench": None,
}  # fmt: skip


def options(command: str) -> list[str]:
    found = cli.get_command(click.Context(cli), command)
    return [p.opts[-1] for p in found.params if isinstance(p, click.Option) and not p.is_flag and not p.count]


CASES = [(command, option) for command, usual in USUAL.items() if usual is not None for option in options(command)]


def test_no_command_is_left_out() -> None:
    assert set(USUAL) == set(COMMANDS)


@pytest.fixture(autouse=True)
def points(tmp_path: Path) -> None:
    (tmp_path / "points.csv").write_text("x,y\n0,0\n1,0.5\n")


def check(outcome, arguments) -> None:
    assert outcome.code in CODES, arguments
    assert outcome.code != 1, (arguments, outcome.err[:300])
    assert "Traceback" not in outcome.err
    assert max(map(len, outcome.err.splitlines()), default=0) < 1000, arguments
    if outcome.code:
        assert sum(line.startswith("apsp: error: ") for line in outcome.err.splitlines()) == 1


@pytest.mark.parametrize(("command", "option"), CASES)
def test_options(run, roads: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, option: str) -> None:
    monkeypatch.chdir(tmp_path)
    usual = [str(roads) if word == "IN" else word for word in USUAL[command]]
    for value in ODD:
        arguments = [command, *usual, f"{option}={value}" if option.startswith("--") else f"{option}{value}"]
        check(run(*arguments), arguments)


@pytest.mark.parametrize("command", [command for command, usual in USUAL.items() if usual])
def test_arguments(run, roads: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.chdir(tmp_path)
    usual = [str(roads) if word == "IN" else word for word in USUAL[command]]
    for place in range(len(usual)):
        for value in ODD:
            if value == "1" and command == "path":
                continue
            arguments = [command, *usual[:place], value, *usual[place + 1 :]]
            check(run(*arguments), arguments)
