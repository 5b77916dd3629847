"""Methods that other packages declare: the example of docs/architecture.md, and packages with a fault."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import apsp
from apsp.methods import registry
from apsp.methods.table import Methods

ROOT = Path(__file__).resolve().parents[2]
TITLES = {
    "heap_rows/__init__.py": "The row",
    "heap_rows/cost.py": "The cost model",
    "heap_rows/search.py": "The method",
}


def installed(folder: Path, name: str, group: str, value: str, files: dict[str, str]) -> Path:
    """What pip leaves of a package."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{group}]\n{name} = {value}\n")
    return folder


@pytest.fixture(scope="module")
def heap_rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package that docs/architecture.md shows."""
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    files = {
        path: re.search(rf"^{title} \(`{path}`\).*?```python\n(.*?)```", text, re.DOTALL | re.MULTILINE)[1]
        for path, title in TITLES.items()
    }
    group, name, value = re.search(r'entry-points."(.*?)"\]\n(\w+) = "(.*?)"', text).groups()
    return installed(tmp_path_factory.mktemp("site"), name, group, value, files)


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(
        [sys.executable, *arguments], env={**os.environ, "PYTHONPATH": paths}, cwd=ROOT, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_the_example_passes_the_contract(heap_rows: Path) -> None:
    # pytest-benchmark, where it is installed, warns in a process of pytest-xdist
    options = ("-p", "no:cacheprovider", "-p", "no:benchmark", "-m", "not slow", "-k", "heap-rows")
    done = python(heap_rows, "-m", "pytest", *options, "tests/test_contract.py")
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 50
    assert "failed" not in done.stdout


USES = """
import sys, warnings, numpy as np, apsp
warnings.simplefilter("error")
graph = apsp.generate("grid", 100, seed=1)
expected = apsp.solve(graph).distances
assert apsp.plan(graph).method != "heap-rows" and "heap_rows" not in sys.modules
assert "heap-rows" in apsp.plan(graph, method="heap-rows").explain() and "heap_rows.search" not in sys.modules
assert (apsp.solve(graph, method="heap-rows", paths=True).distances == expected).all()
blocks = apsp.stream(graph, method="heap-rows", executor="processes")
assert all((block.distances == expected[block.sources]).all() for block in blocks)
names = [method.name for method in apsp.list_methods()]
assert names[-1] == "heap-rows" and len(set(names)) == len(names)
try:
    apsp.solve(graph, method="heap-row")
except apsp.UnknownMethodError as error:
    print(error)
"""


def test_the_example_runs_if_it_is_named(heap_rows: Path) -> None:
    done = python(heap_rows, "-c", USES)
    assert (done.returncode, done.stdout) == (0, "unknown method 'heap-row'; did you mean 'heap-rows'?\n"), done.stderr
    shown = python(heap_rows, "-m", "apsp", "info")
    assert "heap-rows" in shown.stdout


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import no_such_module", "No module named 'no_such_module'"),
        ("OTHER = ()", "has no attribute 'ROWS'"),
        ("ROWS = ['dijkstra']", "'dijkstra' is no apsp.Method"),
        ("ROWS = 5", "not iterable"),
        (
            "import apsp\nROWS = [apsp.Method('chosen', 'm', 'c', 'sparse', '', '', True, False, '', '')]",
            "'chosen' has automatic=True, but declared methods run only if they are named",
        ),
        ("import apsp\napsp.list_methods()", "has no attribute 'ROWS'"),
    ],
)
def test_a_package_with_a_fault_is_left_out(tmp_path: Path, text: str, reason: str) -> None:
    folder = installed(tmp_path, "faulty", "apsp.methods", "faulty:ROWS", {"faulty.py": text})
    listing = "import apsp; print(*(method.name for method in apsp.list_methods()))"
    done = python(folder, "-c", listing)
    assert done.stdout.split() == [method.name for method in apsp.list_methods()]
    assert "ApspWarning: the methods of faulty (faulty:ROWS) are left out" in done.stderr
    assert reason in done.stderr
    assert "update or uninstall faulty" in done.stderr


def test_names_of_this_package_are_not_replaced(tmp_path: Path) -> None:
    text = """
from apsp import Method
def row(name): return Method(name, "faulty", "faulty:none", "sparse", "", "", True, False, "", "", automatic=False)
ROWS = (row("dijkstra"), row("okuyama"))
"""
    folder = installed(tmp_path, "a-taken-name", "apsp.methods", "taken:ROWS", {"taken.py": text})
    done = python(folder, "-c", "import apsp; print({m.module for m in apsp.list_methods()} & {'faulty'})")
    assert (done.stdout, done.stderr) == ("set()\n", "")


def test_a_registered_row_may_be_chosen_and_replaces_none() -> None:
    dijkstra = registry.get("dijkstra")
    methods = Methods([dijkstra])
    other = apsp.Method("other", "m", "c", "sparse", "", "", True, False, "", "")
    methods.add([other, apsp.Method("dijkstra", "m", "c", "sparse", "", "", True, False, "", "")])
    assert list(methods.automatic()) == [dijkstra, other]
    assert methods["okuyama"] is registry.get("okuyama")
    assert set(methods) - {"dijkstra", "other"} == {m.name for m in apsp.list_methods() if m.family == "published"}
