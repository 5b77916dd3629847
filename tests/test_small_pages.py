"""Large arrays on small pages are like any other array."""

from __future__ import annotations

import pickle
import sys
from functools import partial

import numpy as np
import numpy.typing as npt
import pytest

import apsp
from apsp.api.places import by_ends
from apsp.system.small_pages import on_small_pages


@pytest.mark.parametrize("least", [0, 1 << 26])
@pytest.mark.parametrize("dtype", [np.float64, np.uint16])
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (300, 40), (7,)])
def test_arrays(shape: tuple[int, ...], dtype: npt.DTypeLike, least: int) -> None:
    found = on_small_pages(shape, dtype, least=least)
    assert (found.shape, found.dtype) == (shape, np.dtype(dtype))
    assert found.flags.writeable
    assert found.flags.c_contiguous
    found[...] = 3
    assert (found == 3).all()
    again = pickle.loads(pickle.dumps(found))
    part, found = found[1:], None
    assert (part == 3).all()  # the memory lives as long as its parts
    assert (again == 3).all()


def test_no_memory() -> None:
    with pytest.raises(MemoryError):
        on_small_pages((sys.maxsize >> 4,), np.float64)


def test_tables_of_places_are_on_them(monkeypatch: pytest.MonkeyPatch) -> None:
    city = apsp.generate("city", 400, seed=2)
    places = city.snap(np.asarray(city.coordinates)[:40] + 3, crs="plane", speed=1.4)
    expected = apsp.matrix(city, places, device="cpu").distances.tobytes()
    monkeypatch.setattr(by_ends, "on_small_pages", partial(on_small_pages, least=0))
    found = apsp.matrix(city, places, device="cpu")
    assert found.distances.tobytes() == expected
    found.distances[0, 0] = 7.0
    assert found.distances[0, 0] == 7
