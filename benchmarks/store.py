"""A store of a city on this disk: beside its parts, and single paths of a large one."""

from __future__ import annotations

import itertools
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from apsp.store.folder import Folder
from apsp.store.header import header_at
from apsp.store.shard import ShardCodec
from benchmarks.harness import Comparison

__all__ = ["comparisons"]


def comparisons(quick: bool) -> Iterator[Comparison]:
    """A store of all distances, and paths from a store of 100 GB."""
    with tempfile.TemporaryDirectory(prefix="apsp-store-", dir=Path.cwd()) as folder:
        yield _written(3_000 if quick else 60_000, Path(folder))
        yield from _paths(3_000 if quick else 224_000, Path(folder), 10 if quick else 200)


def _written(n: int, folder: Path) -> Comparison:
    """All rows into a store, beside the rows alone, and beside compressing and writing as many bytes alone."""
    city = apsp.generate("city", n, seed=1)
    place = folder / "city.zarr"

    def solved() -> Any:
        shutil.rmtree(place, ignore_errors=True)
        return apsp.solve(city, store=place)

    def rows() -> int:
        return sum(len(block.distances) for block in apsp.stream(city, reuse=True))

    def written() -> int:
        header = header_at(Folder(place))
        assert header is not None
        copy = folder / "copy"
        encoder = ShardCodec(Folder(place), header, "distances")
        block = next(apsp.stream(city, sources=range(header.band_rows), rows=header.band_rows))
        for band in range(header.bands.count):
            Folder(copy).write(encoder.key(band), encoder.encode(band, block.distances))
        shutil.rmtree(copy)
        return header.bands.count

    def agree(results: Mapping[str, Any]) -> None:
        results["apsp.solve(store=)"].verify(sample=200)
        assert results["apsp.solve(store=)"].is_complete
        assert results["rows alone"] == n

    return Comparison(
        f"city, n = {n}, uint16",
        {"apsp.solve(store=)": solved, "rows alone": rows, "compressing and writing alone": written},
        agree,
        {"compressing and writing alone": 0.8},
        facts=lambda seconds: {"MB of distances per second": round(2e-6 * n * n / seconds)},
    )


def _paths(n: int, folder: Path, count: int) -> Iterator[Comparison]:
    """Single paths of 512 rows: how many others the store has does not matter."""
    city = apsp.generate("city", n, seed=1)
    for paths in (False, True):
        place = folder / f"large-{paths}.zarr"

        result: Any = apsp.solve(city, store=place, sources=range(512), paths=paths)
        numbers = np.random.default_rng(2)
        pairs = list(zip(numbers.integers(512, size=count), numbers.integers(n, size=count), strict=True))
        kept = "predecessors" if paths else "distances"
        calls: dict[str, Callable[[], list[Any]]] = {
            f"path, from {kept}": lambda result=result, pairs=pairs: list(itertools.starmap(result.path, pairs)),  # type: ignore[misc]
            "distance": lambda result=result, pairs=pairs: list(itertools.starmap(result.distance, pairs)),  # type: ignore[misc]
        }

        def agree(results: Mapping[str, Any]) -> None:
            lengths = [apsp.result.paths.replay(city, path) for path in next(iter(results.values()))]
            assert lengths == results["distance"]

        yield Comparison(
            f"city, n = {n}: {count} pairs, {kept} stored",
            calls,
            agree,
            facts=lambda seconds: {"ms per path": round(1e3 * seconds / count, 2)},
        )
