"""What an installed package can do without its checkout, a compiler or a test runner: `python tests/installed.py`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

import numpy as np

import apsp
from apsp import _cpu

CHECKOUT = Path(__file__).resolve().parents[1]


def test_the_package_is_the_installed_one():
    for module in (apsp, _cpu):
        assert not Path(module.__file__).is_relative_to(CHECKOUT / "src"), module.__file__


def test_free_threading_is_kept():
    """An extension that does not declare itself safe would switch the lock on again."""
    if hasattr(sys, "_is_gil_enabled") and "free-threading" in sys.version:
        assert not sys._is_gil_enabled()


def test_methods_give_the_same_and_paths_replay():
    graph = apsp.generate("grid", 400, seed=1)
    expected = apsp.solve(graph, method="reference").distances
    for method in ("floyd-warshall", "dijkstra", "johnson", "label-correcting", "elimination", "auto"):
        result = apsp.solve(graph, method=method, paths=True)
        assert np.array_equal(result.distances, expected), method
        result.verify()


def test_kernels_of_gpus_run_on_the_cpu():
    if sys.platform == "win32":  # where they are not built
        return
    graph = apsp.generate("random", 100, seed=1)
    result = apsp.solve(graph, method="floyd-warshall", device="emulated")
    assert np.array_equal(result.distances, apsp.solve(graph, method="dijkstra").distances)


def test_every_instruction_set_gives_the_same():
    graph, found = apsp.generate("random", 300, seed=1), []
    best = _cpu.best_isa()
    try:
        for isa in ("baseline", "avx2", "avx512"):
            try:
                _cpu.set_isa(isa)
            except ValueError:
                continue
            found.append(apsp.solve(graph, method="floyd-warshall").distances)
    finally:
        _cpu.set_isa(best)
    assert all(np.array_equal(found[0], other) for other in found)


def test_threads_share_a_graph_and_an_oracle():
    graph = apsp.generate("grid", 900, seed=1)
    oracle = apsp.prepare(graph)
    expected = apsp.solve(graph).distances

    def work(source: int) -> bool:
        rows = apsp.solve(graph, sources=[source], method="dijkstra").distances
        pair = oracle.distance(source, 7)
        return bool(np.array_equal(rows[0], expected[source])) and pair == expected[source, 7]

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(64)))


def test_networkx_finds_the_backend():
    """By the metadata of the distribution, which names it; its description loads neither apsp nor NumPy."""
    found = {entry.group: entry for entry in metadata.distribution("apsp").entry_points if entry.name == "apsp"}
    assert found["networkx.backends"].value == "apsp.compat.networkx.backend"
    code = f"import sys, {found['networkx.backend_info'].module} as info; info.get_info(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert not {"apsp", "numpy"} & set(done.stdout.split())


def test_entry_points_find_the_published_methods():
    graph = apsp.generate("random", 60, seed=1)
    expected = apsp.solve(graph).distances
    for method in ("fw-blocked", "okuyama"):
        assert np.array_equal(apsp.solve(graph, method=method).distances, expected), method
    assert apsp.reachable(graph, method="katz-kider-closure").count() == apsp.reachable(graph).count()
    subprocess.run([sys.executable, "-m", "apsp", "bench", "--help"], check=True, stdout=subprocess.DEVNULL)


def test_command_line():
    with tempfile.TemporaryDirectory() as folder:
        for arguments in (
            ["generate", "city", "-n", "500", "-o", "city.gr"],
            ["solve", "city.gr", "-o", "city.npz", "-q"],
            ["path", "city.npz", "1", "9"],
            ["stats", "city.npz"],
        ):
            subprocess.run(
                [sys.executable, "-m", "apsp", *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL
            )


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(f"ok: {name[5:].replace('_', ' ')}")
