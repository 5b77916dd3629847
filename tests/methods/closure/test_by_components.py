"""Reachability without bits is that of the bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import apsp
from apsp.api import reaching
from apsp.methods.closure.closure import closure

V = np.arange(60)


@pytest.fixture
def from_components(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaching, "_FROM", 1)


def graphs() -> dict[str, tuple[Any, Any]]:
    rng = np.random.default_rng(1)
    parent = (rng.random(59) * V[1:]).astype(int)
    return {
        "path": (V[:-1], V[1:]),
        "ring": (V, (V + 1) % 60),
        "ring and a tail": (V, np.append(V[1:], 30)),
        "tree to the leaves": (parent, V[1:]),
        "tree to the root": (V[1:], parent),
        "pairs": (V[::2], V[1::2]),
        "acyclic": tuple(np.sort(rng.integers(0, 60, (2, 90)), axis=0)),
        "cyclic": tuple(rng.integers(0, 60, (2, 70))),
        "no arcs": ([], []),
    }


@pytest.mark.usefixtures("from_components")
@pytest.mark.parametrize("directed", [True, False], ids=["directed", "undirected"])
@pytest.mark.parametrize("name", graphs())
def test_as_the_bits(name: str, directed: bool) -> None:
    tails, heads = graphs()[name]
    graph = apsp.from_edges(tails, heads, n=60, directed=directed, labels=[f"v{k}" for k in V])
    expected: npt.NDArray[np.bool_] = apsp.Reachability(60, closure(graph)).to_numpy()
    found = apsp.reachable(graph)
    assert repr(found) == "Reachability(n=60, cpu, by components)"
    assert found.device == "cpu"
    for k in V:
        assert np.array_equal(found.row(f"v{k}"), expected[k])
    for u, v in np.random.default_rng(2).integers(0, 60, (100, 2)):
        assert found.reaches(f"v{u}", f"v{v}") is bool(expected[u, v])
    found.row("v3")[:] = False
    assert np.array_equal(found.row("v3"), expected[3])
    assert found.count() == expected.sum()
    is_forest = name not in ("acyclic", "cyclic")
    assert ("by components" in repr(found)) >= is_forest
    assert found.bits.tobytes() == closure(graph).tobytes()
    assert "by components" not in repr(found)
    assert found.count() == expected.sum()


@pytest.mark.slow
@pytest.mark.usefixtures("from_components")
def test_thousands_of_small_graphs() -> None:
    rng = np.random.default_rng(3)
    for _ in range(2000):
        n = int(rng.integers(1, 9))
        tails, heads = rng.integers(0, n, (2, int(rng.integers(0, n + 2))))
        graph = apsp.from_edges(tails, heads, n=n)
        bits = apsp.Reachability(n, closure(graph))
        found = apsp.reachable(graph)
        assert np.array_equal(np.stack([found.row(v) for v in range(n)]), bits.to_numpy())
        assert found.count() == bits.count()


@pytest.mark.slow
def test_a_long_path_takes_no_bit_per_pair() -> None:
    n = 3_000_000  # 1 TiB of bits
    path = apsp.from_edges(np.arange(n - 1), np.arange(1, n))
    found = apsp.reachable(path)
    assert found.count() == n * (n + 1) // 2
    assert found.reaches(5, n - 1)
    assert not found.reaches(6, 5)
    assert found.row(n - 3).sum() == 3
    with pytest.raises(apsp.MemoryLimitError):
        found.bits  # noqa: B018


@pytest.mark.slow
def test_bits_of_components_are_enough_to_count() -> None:
    """Diamonds, whose graph of components is not a forest, one large acyclic component, and single vertices."""
    n, rest = 400_000, 1000  # 20 GB of bits
    first = np.arange(0, n, 4)
    large = np.sort(np.random.default_rng(0).integers(n, n + rest, (2, 2 * rest)), axis=0)
    tails = np.concatenate([first, first, first + 1, first + 2, large[0]])
    heads = np.concatenate([first + 1, first + 2, first + 3, first + 3, large[1]])
    mixed = np.random.default_rng(1).permutation(n + rest + 7)
    found = apsp.reachable(apsp.from_edges(mixed[tails], mixed[heads], n=len(mixed)))
    expected = apsp.reachable(apsp.from_edges(*(large - n), n=rest)).count()
    assert found.count() == 9 * (n // 4) + expected + 7
    assert "by components" in repr(found)


@pytest.mark.usefixtures("from_components")
def test_zones_and_odd_arguments() -> None:
    graph = apsp.Graph([0, 1, 2, 2], [1, 2], zones=[False, True, False])
    assert apsp.reachable(graph).to_numpy().tolist() == [[True, True, False], [False, True, True], [False, False, True]]
    plain = apsp.from_edges([0], [1])
    with pytest.raises(apsp.RequestError, match="threads"):
        apsp.reachable(plain, threads=0)
    with pytest.raises(apsp.ApspError):
        apsp.reachable(plain, device="toaster")
    with pytest.raises(apsp.GraphError):
        apsp.reachable(plain).reaches(0, 7)
