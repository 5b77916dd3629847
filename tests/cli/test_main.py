"""The entry: help, errors as one line, exit codes, JSON."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from apsp.cli.exits import CODES
from apsp.cli.main import COMMANDS, cli
from apsp.cli.sections import Sections

ROOT = Path(__file__).resolve().parents[2]


def test_help_lists_every_command_and_exit_code(run):
    outcome = run("--help")
    assert outcome.code == 0
    for word in [*COMMANDS, *(f"  {code} " for code in CODES)]:
        assert word in outcome.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_json_and_debug(run, command):
    outcome = run(command, "--help")
    assert outcome.code == 0
    for option in ("--json", "--debug", "--quiet", "--progress"):
        assert option in outcome.out


@pytest.mark.parametrize("columns", ["80", "200"])
def test_help_texts_read_well(run, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    for arguments in ([], *([command] for command in COMMANDS)):
        shown = run(*arguments, "--help").out
        assert "\\b" not in shown
        assert "\b" not in shown
        for line in shown.splitlines():
            assert len(line) <= min(int(columns), 100), f"apsp {' '.join(arguments)} --help: {line}"


def test_examples_in_help_keep_their_lines(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for arguments, line in (
        ([], "  apsp path roads.npz 17 4711          one path\n"),
        (["solve"], "  OUT.npy  the matrix alone, for numpy.load\n"),
        (["generate"], "  rmat      a power law, as in social networks (Graph500)\n"),
    ):
        assert line in run(*arguments, "--help").out


def test_version(run):
    import apsp

    assert run("--version").out == f"apsp {apsp.__version__}\n"


def test_no_command_shows_help(run):
    for arguments in ((), ("--debug",)):
        outcome = run(*arguments)
        assert (outcome.code, outcome.err) == (0, "")
        assert outcome.out == run("--help").out


def test_help_loads_neither_commands_nor_solvers():
    code = (
        "import sys; from apsp.cli.main import main; main(['--help']); from apsp.methods.registry import METHODS;"
        "heavy = {method.module for method in METHODS.values()};"
        "heavy |= {'matplotlib', 'networkx', 'rich', 'pyarrow', 'apsp.cli.solve'};"
        "sys.exit(' '.join(heavy & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["slove"], "no command 'slove'; did you mean 'solve'?; see apsp --help"),
        (["solve"], "missing argument 'IN'; see apsp solve --help"),
        (["solve", "x.gr", "--dtype", "int8"], "'int8' is not one of"),
        (["solve", "x.gr", "--cutoff", "far"], "'far' is not a number"),
        (["solve", "x.gr", "-o", "x.txt"], "must be one of .npz, .npy, .csv"),
        (["solve", "x.gr", "-o", "x.npy", "--paths"], "only .npz files store paths"),
        (["path", "x.npz", "1"], "give two vertices"),
        (["solve", "-"], "name the output"),
    ],
)
def test_usage_errors_are_one_line_and_code_2(run, arguments, words):
    outcome = run(*arguments)
    assert outcome.code == 2
    assert outcome.err.startswith("apsp: error: ")
    assert outcome.err.count("\n") == 1
    assert words in outcome.err


def test_errors_are_one_line_with_a_code(run, tmp_path, roads, monkeypatch):
    monkeypatch.setattr("apsp.gpu.jit.why_no_gpu", lambda: "no GPU")
    garbage = tmp_path / "garbage.gr"
    garbage.write_text("p sp 2 1\na 1 2 x\n")
    for arguments, code, words in [
        (["solve", tmp_path / "none.gr", "-o", tmp_path / "x.npz"], 3, "the file does not exist"),
        (["solve", garbage, "-o", tmp_path / "x.npz"], 3, "garbage.gr, line 2"),
        (["solve", roads, "-o", tmp_path / "x.npz", "--method", "dijsktra"], 4, "did you mean 'dijkstra'"),
        (
            ["solve", roads, "-o", tmp_path / "x.npz", "--method", "bfs"],
            4,
            "method 'bfs' cannot be used: it counts hops",
        ),
        (["solve", roads, "-o", tmp_path / "x.npz", "--device", "cuda"], 4, "error: --device cuda: "),
        (["solve", roads, "-o", tmp_path / "x.npz", "--sources", "77"], 3, "there is no vertex 77"),
        (["solve", roads, "-o", tmp_path / "no" / "x.npz"], 6, "the folder"),
        (["path", roads, "1", "5"], 7, "there is no path from 1 to 5"),
    ]:
        outcome = run(*arguments, "--quiet")
        assert outcome.code == code, outcome.err
        assert outcome.out == ""
        assert re.fullmatch(r"apsp: error: .+\n", outcome.err)
        assert words in outcome.err
        assert not (tmp_path / "x.npz").exists()


def test_with_json_errors_are_an_object_too(run, tmp_path):
    bad = tmp_path / "bad.gr"
    bad.write_text("p sp 2 1\na 1 2 x\n")
    error = run("plan", bad, "--json").json["error"]
    assert (error["type"], error["exit_code"], error["line"]) == ("FileFormatError", 3, 2)


def test_debug_shows_the_traceback(run, tmp_path):
    for arguments in (["--debug", "plan", tmp_path / "none"], ["plan", tmp_path / "none", "--debug"]):
        assert "Traceback" in run(*arguments).err
    assert "Traceback" not in run("plan", tmp_path / "none").err


def test_negative_cycle_is_printed(run, tmp_path, cyclic):
    outcome = run("solve", cyclic, "-o", tmp_path / "x.npz", "--quiet", "--json")
    assert outcome.code == 5
    assert "negative cycle" in outcome.err
    error = outcome.json["error"]
    assert sorted(error["cycle"]) == [1, 2, 3]
    turns = [error["cycle"][k:] + error["cycle"][:k] for k in range(3)]
    assert [1, 2, 3] in turns
    assert not (tmp_path / "x.npz").exists()


def test_documentation_lists_the_exit_codes():
    text = (ROOT / "docs/cli.md").read_text()
    for code, words in CODES.items():
        assert f"| {code} | {words} |" in text


def test_warnings_are_remarks_in_the_words_of_the_command_line(run, roads):
    roads.with_suffix(".co").write_text("p aux sp co 7\n")
    told = run("plan", roads).err
    assert re.search(r"apsp: note: \S+roads\.co, line 1: .* --no-coordinates ignores this file\n", told)
    assert told.count("note:") == 1
    assert run("plan", roads, "-q").err == ""
    assert "note:" not in run("plan", roads, "--no-coordinates").err
    assert run("plan", roads, "--coordinates", roads.with_suffix(".co")).code == 3
    both = run("plan", roads, "--coordinates", "x.co", "--no-coordinates")
    assert (both.code, "contradict" in both.err) == (4, True)


@pytest.mark.parametrize(("raised", "code"), [(KeyboardInterrupt, 130), (ValueError, 1)])
def test_a_signal_while_a_class_is_made(run, monkeypatch, raised, code):
    """Python before 3.12 wraps what is raised in __set_name__, Ctrl-C too."""

    def invoke(*_: object) -> None:
        raise RuntimeError("Error calling __set_name__") from raised("while a module was loaded")

    monkeypatch.setattr("click.Group.invoke", invoke)
    outcome = run("info")
    assert outcome.code == code
    assert "Traceback" not in outcome.err


def test_help_is_in_sections(run):
    words = run("solve", "--help").out
    titles = re.findall(r"^(\w+):$", words, re.MULTILINE)
    assert titles == ["Options", "Input", "Request", "Points", "Run", "Messages"]
    sections = dict(zip(titles, re.split(r"^\w+:$", words, flags=re.MULTILINE)[1:], strict=True))
    for name, option in (
        ("Options", "--output"), ("Input", "--directed"), ("Request", "--cutoff"), ("Points", "--origins"),
        ("Run", "--device"), ("Messages", "--help"),
    ):  # fmt: skip
        assert option in sections[name]


def test_every_command_has_help_in_sections():
    for name in COMMANDS:
        assert isinstance(cli.get_command(None, name), Sections), name


@pytest.mark.parametrize(
    ("words", "at", "expected"),
    [
        ("apsp so", 1, ["solve"]),
        ("apsp solve --gpu", 2, ["--gpu-memory"]),
        ("apsp within IN --sort ", 4, ["distance", "target"]),
    ],
)
def test_the_shell_completes_commands_options_and_values(words, at, expected):
    given = os.environ | {"COMP_WORDS": words, "COMP_CWORD": str(at), "_APSP_COMPLETE": "bash_complete"}
    found = subprocess.run([sys.executable, "-m", "apsp"], env=given, capture_output=True, text=True, check=True)
    assert [line.partition(",")[2] for line in found.stdout.splitlines()] == expected
