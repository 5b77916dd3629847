"""The kernels of the GPU against those of the CPU: equal to the last bit, since all values are integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import apsp
from apsp.methods.backend import CpuBackend
from apsp.methods.floyd_warshall.kernels.backend import CudaBackend
from apsp.methods.floyd_warshall.kernels.update import update
from apsp.methods.floyd_warshall.pages import close_pages, cut
from apsp.semiring import SEMIRINGS, Algebra
from apsp.system.array_device import to_host
from contract import GRAPHS, assert_paths_replay, assert_same_distances, graph_of, random_edges, ring, shifted

pytestmark = pytest.mark.gpu

DTYPES = ("uint16", "int32", "int64", "float32", "float64")
SIGNED = DTYPES[1:]
SIZES = (0, 1, 127, 128, 129, 1000)


def algebra(name: str = "min_plus", nonnegative: bool = True) -> Algebra:
    return Algebra(SEMIRINGS[name], nonnegative)


def values(shape: tuple[int, int], dtype: str, seed: int, low: int = 0, high: int = 1000) -> np.ndarray[Any, Any]:
    """Random values, a third of them "no path" in the kernels' words of both devices."""
    rng = np.random.default_rng(seed)
    page = rng.integers(low, high + 1, shape).astype(dtype)
    none = {"uint16": 32767, "int32": 2**30 - 1, "int64": 2**62 - 1}.get(dtype, np.inf)
    page[rng.random(shape) < 1 / 3] = none
    return page


def on_device(cupy: Any, page: np.ndarray[Any, Any], offset: int | None) -> Any:
    """A copy on the device: aligned, or at an odd place of a wider array."""
    if offset is None:
        copy = CudaBackend().allocate(*page.shape, page.dtype)
    else:
        copy = cupy.zeros((page.shape[0] + 2, page.shape[1] + 7), dtype=page.dtype)[
            1:-1, offset : offset + page.shape[1]
        ]
    copy[...] = cupy.asarray(page)
    return copy


@pytest.mark.parametrize("offset", [None, 3])
@pytest.mark.parametrize(
    ("semiring", "dtype"),
    [("min_plus", dtype) for dtype in DTYPES]
    + [(semiring, dtype) for semiring in ("max_min", "min_max") for dtype in ("int32", "float32")],
)
@pytest.mark.parametrize(
    ("m", "n", "k"),
    [(1, 1, 1), (128, 128, 128), (127, 129, 65), (129, 127, 1), (300, 520, 33), (257, 70, 512), (5, 1000, 200)],
)
def test_update(cupy: Any, semiring: str, dtype: str, offset: int | None, m: int, n: int, k: int) -> None:
    c, a, b = (values(shape, dtype, seed) for seed, shape in enumerate([(m, n), (m, k), (k, n)]))
    ours = [on_device(cupy, page, offset) for page in (c, a, b)]
    CudaBackend().update(*ours, algebra(semiring))
    CpuBackend(2).update(c, a, b, algebra(semiring))
    np.testing.assert_array_equal(ours[0].get(), c)
    if offset is not None:
        around = ours[0].base.copy()
        around[1:-1, offset : offset + n] = 0
        assert not around.any(), "nothing outside the view is touched"


def relaxed(c: Any, a: Any, b: Any, semiring: str = "min_plus") -> Any:
    """C by definition, a pivot at a time."""
    choose, join = {"min_plus": (np.minimum, np.add), "max_min": (np.maximum, np.minimum)}[semiring]
    for k in range(a.shape[1]):
        c = choose(c, join(a[:, k : k + 1], b[k : k + 1]))
    return c


@pytest.mark.parametrize("size", [0, 1, 2])
@pytest.mark.parametrize("offset", [None, 3])
@pytest.mark.parametrize(
    ("semiring", "dtype"), [("min_plus", dtype) for dtype in DTYPES] + [("max_min", "int32"), ("max_min", "uint16")]
)
@pytest.mark.parametrize(("m", "n", "k"), [(1, 1, 1), (128, 128, 512), (127, 129, 257), (300, 270, 130), (70, 520, 40)])
def test_every_size_of_tile(
    cupy: Any, semiring: str, dtype: str, offset: int | None, size: int, m: int, n: int, k: int, monkeypatch: Any
) -> None:
    monkeypatch.setattr(
        "apsp.methods.floyd_warshall.kernels.policy.Policy.choose", lambda policy, *_: policy.shapes[size][0]
    )
    c, a, b = (values(shape, dtype, seed) for seed, shape in enumerate([(m, n), (m, k), (k, n)]))
    nonnegative = dtype != "int32" and offset is None
    if semiring == "min_plus" and not nonnegative and dtype != "uint16":
        a[::2] -= 700
    ours = [on_device(cupy, page, offset) for page in (c, a, b)]
    update(*ours, algebra(semiring, nonnegative))
    np.testing.assert_array_equal(ours[0].get(), relaxed(c, a, b, semiring))


@pytest.mark.parametrize("rows", [(0, 0), (128, 256), (0, 512), (512, 700)])
@pytest.mark.parametrize("columns", [(0, 0), (128, 300), (101, 301), (100, 700)])
def test_update_leaves_alone_what_it_is_told_to(cupy: Any, rows: tuple[int, int], columns: tuple[int, int]) -> None:
    c, a, b = (values(shape, "int32", seed) for seed, shape in enumerate([(700, 700), (700, 128), (128, 700)]))
    ours = [on_device(cupy, page, None) for page in (c, a, b)]
    update(*ours, algebra(), skip_rows=rows, skip_columns=columns)
    keep = np.zeros(c.shape, dtype=bool)
    keep[slice(*rows)] = True
    keep[:, slice(*columns)] = True
    np.testing.assert_array_equal(ours[0].get(), np.where(keep, c, relaxed(c, a, b)))


@pytest.mark.parametrize("dtype", SIGNED)
def test_update_with_negative_values(cupy: Any, dtype: str) -> None:
    c, a, b = (values(shape, dtype, seed, -500, 500) for seed, shape in enumerate([(200, 300), (200, 150), (150, 300)]))
    ours = [on_device(cupy, page, None) for page in (c, a, b)]
    CudaBackend().update(*ours, algebra(nonnegative=False))
    CpuBackend(2).update(c, a, b, algebra(nonnegative=False))
    np.testing.assert_array_equal(ours[0].get(), c)


@pytest.mark.parametrize("offset", [None, 1])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", SIZES)
def test_close_a_page(cupy: Any, n: int, dtype: str, offset: int | None) -> None:
    page = values((n, n), dtype, n)
    np.fill_diagonal(page, 0)
    ours = on_device(cupy, page, offset)
    steps: list[int] = []
    assert CudaBackend().close_tile(ours, algebra(), steps.append) == -1
    CpuBackend(2).close_tile(page, algebra())
    np.testing.assert_array_equal(ours.get(), page)
    assert steps == sorted(steps)
    assert n == 0 or steps[-1] == n


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_driver_of_pages(cupy: Any, dtype: str) -> None:
    n = 500
    page = values((n, n), dtype, n)
    np.fill_diagonal(page, 0)
    ours, bounds = on_device(cupy, page, None), cut(n, 190)
    pages = [[ours[top:bottom, left:right] for left, right in bounds] for top, bottom in bounds]
    assert close_pages(CudaBackend(), pages, bounds, algebra()) == -1
    CpuBackend(2).close_tile(page, algebra())
    np.testing.assert_array_equal(ours.get(), page)


@pytest.mark.parametrize("dtype", SIGNED)
def test_a_negative_cycle_is_found_at_its_last_vertex(cupy: Any, dtype: str) -> None:
    page = on_device(cupy, values((700, 700), dtype, 1, 100, 1000), None)
    page[cupy.arange(700), cupy.arange(700)] = 0
    page[300, 650], page[650, 300] = 4, -5
    assert CudaBackend().close_tile(page, algebra(nonnegative=False)) == 650


# -- whole solves -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", SIGNED)
@pytest.mark.parametrize("name", GRAPHS)
def test_solve(cupy: Any, name: str, weights: str) -> None:
    graph = GRAPHS[name](weights)
    ours, cpu = (
        apsp.solve(graph, method="floyd-warshall", device=device, paths=True, threads=2) for device in ("cuda", "cpu")
    )
    by_rows = weights.startswith("float") and graph.has_negative_arc  # rounding blurs which arcs are tight
    assert ours.info["device"] == ("cpu" if by_rows else "cuda")
    assert_same_distances(ours.distances, cpu.distances)
    assert_paths_replay(ours)


@pytest.mark.parametrize("semiring", ["max_min", "min_max"])
@pytest.mark.parametrize("weights", SIGNED)
def test_other_semirings(cupy: Any, semiring: str, weights: str) -> None:
    for name in ("several panels", "parallel arcs", "negative arcs", "no vertex", "isolated vertices"):
        ours, cpu = (
            apsp.solve(GRAPHS[name](weights), method="floyd-warshall", device=device, semiring=semiring, threads=2)
            for device in ("cuda", "cpu")
        )
        np.testing.assert_array_equal(to_host(ours.distances), cpu.distances)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_solve_sizes_into_a_wider_array(cupy: Any, dtype: str, n: int) -> None:
    edges = random_edges(n, 8 * n, 1, 20, n) if n else []
    graph = graph_of(n, edges, dtype=dtype if dtype.startswith("float") else "int32")
    whole = np.full((n + 2, n + 9), 7, dtype=dtype)
    out = whole[1 : n + 1, 3 : n + 3]
    apsp.solve(graph, method="floyd-warshall", device="cuda", dtype=dtype, out=out)
    cpu = apsp.solve(graph, method="floyd-warshall", device="cpu", dtype=dtype, threads=2)
    np.testing.assert_array_equal(out, cpu.distances)
    out[:] = 7
    assert (whole == 7).all()


def test_sources_targets_and_cutoff(cupy: Any) -> None:
    graph = GRAPHS["several panels"]("int32")
    options: dict[str, Any] = {"sources": [5, 0, 299, 5], "targets": [1, 2, 64], "cutoff": 900, "paths": True}
    ours, cpu = (apsp.solve(graph, method="floyd-warshall", device=device, **options) for device in ("cuda", "cpu"))
    np.testing.assert_array_equal(to_host(ours.distances), cpu.distances)
    np.testing.assert_array_equal(ours.predecessors.get() == -1, cpu.predecessors == -1)


@pytest.mark.parametrize("weights", SIGNED)
@pytest.mark.parametrize(
    "edges", [[(0, 0, -1)], [(0, 1, 1), (1, 0, -2)], [*ring(199, -1), (199, 0, 5)]], ids=["loop", "two", "long"]
)
def test_negative_cycle(cupy: Any, edges: list[tuple[int, int, int]], weights: str) -> None:
    graph = graph_of(200, edges, dtype=weights)
    with pytest.raises(apsp.NegativeCycleError) as caught:
        apsp.solve(graph, device="cuda")
    assert caught.value.length is None or caught.value.length < 0


def test_sixteen_bits_need_a_proof(cupy: Any) -> None:
    for limit, dtype in ((2**15 - 2, "uint16"), (2**15 - 1, "int32")):
        graph = graph_of(4, [(0, 1, limit - 7), (1, 2, 7)], dtype="int64")
        result = apsp.solve(graph, device="cuda")
        assert result.distances.dtype == dtype
        assert result.distance(0, 2) == limit
    with pytest.raises(apsp.DtypeRangeError):
        apsp.solve(graph, device="cuda", dtype="uint16")


def test_runs_are_identical(cupy: Any) -> None:
    rng = np.random.default_rng(3)
    weights = rng.random((900, 900)).astype(np.float32)
    graph = apsp.from_dense(weights)
    first, second = (to_host(apsp.solve(graph, device="cuda").distances) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    np.testing.assert_allclose(first, apsp.solve(graph, device="cpu").distances, rtol=1e-5)


def test_an_interrupt_stops_the_work(cupy: Any) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    graph = graph_of(300, shifted(300, random_edges(300, 3000, 0, 50, 1), 1, 5), dtype="int32")
    with pytest.raises(KeyboardInterrupt):
        apsp.solve(graph, device="cuda", progress=stop)
    assert apsp.solve(graph, device="cuda").info["device"] == "cuda"
