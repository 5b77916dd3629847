"""When modules of the published methods are loaded: the rows when one is named, the experiments when bench runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import apsp
from apsp.methods import registry

HERE = "; print(*sorted(name for name in sys.modules if name.startswith('apsp.published')))"
IN_COMMAND = "import sys; from apsp.cli.main import main; code = main(sys.argv[1:]); assert not code, code" + HERE


def loaded(code: str, *arguments: str, cwd: str | None = None) -> list[str]:
    done = subprocess.run([sys.executable, "-c", code, *arguments], cwd=cwd, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1].split()


@pytest.fixture(scope="module")
def roads(tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("roads") / "roads.gr"
    apsp.write(apsp.generate("grid", 36, seed=1), path)
    return str(path)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "code",
    [
        "",
        "; apsp.solve(graph, paths=True).verify(); apsp.solve(large); apsp.solve(signed)",
        "; [apsp.solve(graph, method=name, threads=1) for name in {tuned!r}]",
        "; [apsp.plan(graph, method=name).explain() for name in {tuned!r}]",
        "; apsp.solve(graph, device='emulated'); apsp.solve(graph, semiring='max_min'); apsp.reachable(graph)",
        "; list(apsp.stream(graph)); apsp.diameter(graph); apsp.betweenness_centrality(graph); apsp.prepare(graph)",
    ],
)
def test_tuned_methods_load_none(code: str) -> None:
    graphs = "graph = apsp.generate('grid', 100, seed=1).unweighted(); large = apsp.generate('random', 3000, seed=1)"
    signed = "signed = apsp.from_edges([0, 1], [1, 2], [-1, 2])"
    tuned = [method.name for method in apsp.list_methods() if method.family != "published"]
    assert loaded(f"import sys, apsp; {graphs}; {signed}{code.format(tuned=tuned)}{HERE}") == []


def test_rows_are_loaded_when_all_methods_are_listed() -> None:
    assert loaded("import sys, apsp; apsp.list_methods()" + HERE) == ["apsp.published", "apsp.published.rows"]


def test_a_named_method_loads_its_own_modules() -> None:
    code = "import sys, apsp; apsp.solve(apsp.generate('grid', 36, seed=1), method='fw-sequential')"
    found = loaded(code + HERE)
    assert {"apsp.published.rows", "apsp.published.cost", "apsp.published.fw_sequential"} <= set(found)
    assert not {"apsp.published.experiments", "apsp.published.katz_kider", "apsp.published.okuyama"} & set(found)


@pytest.mark.few(1)
@pytest.mark.parametrize("arguments", [["solve"], ["plan"], ["stats"], ["solve", "--method", "dijkstra"]])
def test_commands_load_none(arguments: list[str], roads: str) -> None:
    assert loaded(IN_COMMAND, *arguments, roads, cwd=str(Path(roads).parent)) == []


@pytest.mark.few(1)
@pytest.mark.parametrize("arguments", [["--help"], ["info"], ["plan", "--method", "okuyama", "ROADS"]])
def test_experiments_are_loaded_by_bench_alone(arguments: list[str], roads: str) -> None:
    arguments = [roads if each == "ROADS" else each for each in arguments]
    assert not [name for name in loaded(IN_COMMAND, *arguments) if "experiments" in name]
    assert "apsp.published.experiments" in loaded(IN_COMMAND, "bench", "--help")


def test_order_of_the_list() -> None:
    """Those of the package, then the published ones as their rows are written."""
    families = [method.family for method in registry.METHODS.values()]
    assert families == sorted(families, key="published".__eq__)
    assert [row.name for row in registry.CLOSURES.values() if row.family == "published"] == ["katz-kider-closure"]
