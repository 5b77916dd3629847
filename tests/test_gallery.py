"""Programs of the gallery: they run, and the traffic equilibrium reaches the published flows."""

from __future__ import annotations

import ast
import gzip
import re
import runpy
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Run a program of the gallery without a screen, and return its names."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    monkeypatch.setattr(pyplot, "show", lambda: None)
    monkeypatch.chdir(tmp_path)
    yield lambda name: runpy.run_path(str(EXAMPLES / name))
    pyplot.close("all")


def test_social_network(program: Any) -> None:
    nx = pytest.importorskip("networkx")
    names = program("plot_social_network.py")
    expected = nx.betweenness_centrality(nx.les_miserables_graph())
    found = dict(zip(names["graph"].labels, names["values"].tolist(), strict=True))
    assert found == pytest.approx(expected)
    assert [names["graph"].labels[person] for person in names["top"][:2]] == ["Valjean", "Myriel"]


def test_real_city(program: Any, tmp_path: Path) -> None:
    """The times are those that another program finds; the picture names who made the data."""
    pytest.importorskip("osmium")
    shutil.copy(EXAMPLES / "helsinki.osm.pbf", tmp_path)
    names = program("plot_real_city.py")
    at = list(names["city"].labels).index(names["target"])
    assert names["seconds"][at] == pytest.approx(147.5888, abs=1e-4)
    assert names["free"][at] == pytest.approx(77.7716, abs=1e-4)
    credit = "© OpenStreetMap contributors"
    assert credit in names["figure"].get_supxlabel()
    assert credit in (EXAMPLES / "helsinki.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def equilibrium() -> Any:
    """The function of the program, without its pictures."""
    tree = ast.parse((EXAMPLES / "plot_traffic_equilibrium.py").read_text(encoding="utf-8"))
    names: dict[str, Any] = {"np": np, "apsp": apsp}
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    exec(compile(ast.Module(functions, []), "plot_traffic_equilibrium.py", "exec"), names)
    return names["equilibrium"]


def test_traffic_equilibrium(equilibrium: Any) -> None:
    # Two routes of 10 + x and 15 + x minutes, and 10 drivers.
    network = apsp.from_edges(
        [0, 1, 0, 2], [1, 3, 2, 3], [5.0, 5.0, 7.5, 7.5],
        costs={"capacity": [10, 10, 15, 15], "b": [1.0] * 4, "power": [1.0] * 4},
    )  # fmt: skip
    flow, gaps = equilibrium(network, [[0, 10.0], [0, 0]], [0, 3], gap=1e-9)
    assert flow == pytest.approx([7.5, 2.5, 7.5, 2.5])
    assert gaps[-1] < 1e-9


def test_parallel_streets_share_the_flow(equilibrium: Any) -> None:
    """In equilibrium the times of streets that are used are equal: 10 (1 + x / 100) = 12 (1 + (300 - x) / 200)."""
    costs = {"capacity": [100.0, 200.0, 100.0], "b": [1.0] * 3, "power": [1.0] * 3}
    network = apsp.from_edges([0, 0, 1], [1, 1, 0], [10.0, 12.0, 1.0], costs=costs)
    flow, gaps = equilibrium(network, np.array([[0, 300.0], [0, 0]]), [0, 1], gap=1e-9)
    assert gaps[-1] < 1e-9
    assert flow == pytest.approx([125, 175, 0], abs=1e-3)


def trips(path: Path, zones: int) -> np.ndarray:
    text = path.read_text() if path.exists() else gzip.decompress(Path(f"{path}.gz").read_bytes()).decode()
    found = np.zeros((zones, zones))
    for block in text.split("Origin")[1:]:
        for zone, volume in re.findall(r"(\d+)\s*:\s*([-+.\deE]+)\s*;", block):
            found[int(block.split()[0]) - 1, int(zone) - 1] = float(volume)
    return found


@pytest.mark.parametrize(("name", "zones", "most"), [("SiouxFalls", 24, 400), ("Anaheim", 38, 30)])
def test_published_flows(equilibrium: Any, shared_data: Path, name: str, zones: int, most: int) -> None:
    place = shared_data / "transport" / name
    network = apsp.read(place / f"{name}_net.tntp")
    flow, gaps = equilibrium(network, trips(place / f"{name}_trips.tntp", zones), range(1, zones + 1))
    assert gaps[-1] < 1e-4
    assert len(gaps) <= most
    rows = np.loadtxt(place / f"{name}_flow.tntp", skiprows=1, usecols=(0, 1, 2))
    best = rows[np.lexsort((rows[:, 1], rows[:, 0])), 2]
    capacity, b, power = (network.costs[each] for each in ("capacity", "b", "power"))

    def objective(flows: np.ndarray) -> float:  # Beckmann, McGuire and Winsten 1956
        slower = b * flows ** (power + 1) / ((power + 1) * capacity**power)
        return float((network.arc_weights(float) * (flows + slower)).sum())

    assert objective(best) <= objective(flow) * (1 + 1e-9)
    assert objective(flow) == pytest.approx(objective(best), rel=1e-4)
    assert np.abs(flow - best).sum() < 0.02 * best.sum()
