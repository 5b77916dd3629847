"""The tests of the installed NetworkX pass through the backend, which runs what they call; so does the guide's page."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest

from apsp.compat.networkx import backend
from apsp.compat.networkx.function import FUNCTIONS
from compat.networkx_backend.metadata import ROOT, environment

NETWORKX = Path(nx.__file__).parent

MODULES = [
    "algorithms/shortest_paths",
    "algorithms/centrality/tests/test_betweenness_centrality.py",
    "algorithms/centrality/tests/test_betweenness_centrality_subset.py",
    "algorithms/centrality/tests/test_closeness_centrality.py",
    "algorithms/centrality/tests/test_group.py",
    "algorithms/centrality/tests/test_harmonic_centrality.py",
    "algorithms/centrality/tests/test_reaching.py",
    "algorithms/tests/test_cycles.py",
    "algorithms/tests/test_dag.py",
    "algorithms/tests/test_distance_measures.py",
    "algorithms/tests/test_distance_regular.py",
    "algorithms/tests/test_efficiency.py",
    "algorithms/tests/test_simple_paths.py",
    "algorithms/tests/test_voronoi.py",
    "algorithms/tests/test_wiener.py",
]


MISSING = {"hyper_wiener_index"} if not hasattr(nx, "hyper_wiener_index") else set()
"""NetworkX 3.4 and 3.5 do not have it."""

BESIDE = {"can_run", "should_run", "convert_from_nx", "convert_to_nx"}
"""What NetworkX calls of a backend besides its functions."""


def run(folder: Path, *options: str, **variables: str) -> dict[str, dict[str, int]]:
    """Run tests of NetworkX in the backend; they must pass. What ran there, and what did not."""
    (folder / "pytest.ini").write_text("[pytest]\n")  # not the options of this project, if NetworkX lies in it
    counts = folder / "counts.json"
    plugins = ["-p", "compat.networkx_backend.counting", "-p", "no:cacheprovider"]
    modes = ["-c", str(folder / "pytest.ini"), "--import-mode=importlib"]  # which leaves sys.path as it is
    command = [sys.executable, "-m", "pytest", "-q", "--tb=line", *modes, *plugins, *options]
    done = subprocess.run(
        [*command, *(str(NETWORKX / module) for module in MODULES)],
        cwd=folder, capture_output=True, text=True, check=False,
        env=environment(folder, NETWORKX_TEST_BACKEND="apsp", APSP_COUNTS=str(counts), **variables),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
    found: dict[str, dict[str, int]] = json.loads(counts.read_text())
    return found


@pytest.mark.slow
def test_networkx_tests_pass(tmp_path: Path) -> None:
    """What the backend does not have runs in NetworkX."""
    counts = run(tmp_path, NETWORKX_FALLBACK_TO_NX="True")
    untested = FUNCTIONS.keys() - counts["ran"].keys()
    assert untested <= MISSING
    assert sum(counts["ran"].values()) > 10 * sum(counts["left"].values())


@pytest.mark.slow
def test_networkx_tests_pass_alone(tmp_path: Path) -> None:
    """Tests that call a function that the backend does not have are expected to fail: NetworkX marks them itself."""
    counts = run(tmp_path)
    assert sum(counts["ran"].values()) > 200


def test_networkx_finds_the_backend(tmp_path: Path) -> None:
    """In a new process: by name, by priority, in its documents; and the conversion is kept."""
    code = """
import sys, networkx as nx
assert "apsp" not in sys.modules and "numpy" not in sys.modules, "import networkx must not import more"
assert "Distances of all pairs" in nx.diameter.__doc__
nx.config.warnings_to_ignore.add("cache")
G = nx.cycle_graph(100)
assert nx.diameter(G, backend="apsp") == 50
(kept,) = G.__networkx_cache__["backends"]["apsp"].values()
nx.config.backend_priority = ["apsp"]
from apsp.compat.networkx import backend
calls = []
for name in ("radius", "closeness_centrality", "single_source_dijkstra_path_length"):
    def call(*args, real=getattr(backend, name), **kwargs):
        calls.append(real.__name__)
        return real(*args, **kwargs)
    setattr(backend, name, call)
assert nx.radius(G) == 50 and calls == ["radius"]
assert nx.radius(nx.cycle_graph(10)) == 5 and calls == ["radius"], "a small graph stays with NetworkX"
assert next(iter(G.__networkx_cache__["backends"]["apsp"].values())) is kept
G.add_edge(0, 50)
assert not G.__networkx_cache__
assert nx.radius(G) == nx.radius(G, backend="networkx") and len(calls) == 2
weights = nx.Graph([(u, u + 1, {"weight": __import__("fractions").Fraction(1, 3)}) for u in range(100)])
assert nx.diameter(weights, weight="weight") == __import__("fractions").Fraction(100, 3), "left to NetworkX"
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(tmp_path), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_page_of_the_guide_is_true(tmp_path: Path) -> None:
    page = ROOT / "docs/guide/networkx.md"
    assert page.read_text().count(">>> ") > 15
    command = [sys.executable, "-m", "doctest", "-o", "NORMALIZE_WHITESPACE", "-o", "ELLIPSIS", str(page)]
    done = subprocess.run(command, env=environment(tmp_path), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_description_names_the_functions() -> None:
    from _apsp_networkx import get_info

    assert get_info()["functions"].keys() == FUNCTIONS.keys() == set(backend.__all__) - BESIDE
    there = nx.utils.backends._registered_algorithms.keys()
    assert FUNCTIONS.keys() - there == MISSING
