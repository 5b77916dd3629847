"""Options of the command line that say which columns of a file are read."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def test_the_command_line_names_columns(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "trains.csv"
    path.write_text("from,to,minutes,operator\nNaples,Rome,70,X\nRome,Turin,270,Y\n")
    outcome = run("path", path, "Naples", "Turin", "--undirected", "--json")
    assert outcome.json["distance"] == 340
    path.write_text("x;y;d\nNaples;Rome;70,5\n")
    outcome = run("stats", path)
    assert outcome.code == 4
    assert "(--source NAME, --target NAME)" in outcome.err
    outcome = run("stats", path, "--source", "x", "--target", "y")
    assert "--decimal , reads decimal commas" in outcome.err
    found = run("path", path, "Naples", "Rome", "--columns", "x,y,d", "--decimal", ",", "--json")
    assert found.json["distance"] == 70.5
    path.write_text("#1 007\n007 7\n")
    assert (
        run("stats", path, "--comments", "none", "--delimiter", "space", "--labels", "text", "--json").json["graph"][
            "n"
        ]
        == 3
    )
