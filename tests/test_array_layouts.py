"""Arrays that lie in memory in another way, or have another dtype, give the answers of plain ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import apsp
from torture.layouts import ARGUMENTS, BATCH, DENSE, LAYOUTS, fault

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.few(12)
@pytest.mark.parametrize("name", ARGUMENTS)
def test_answers_do_not_depend_on_how_an_array_lies(name: str) -> None:
    own = ARGUMENTS[name][1].dtype
    for dtype in (own, "uint8", "int16", "uint64", "float16", "float32", "bool"):
        for layout in LAYOUTS:
            assert fault(name, layout, dtype) is None


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "uint32", "uint64", "float16"])
@pytest.mark.parametrize("paths", [False, True])
def test_batches_by_columns_of_dtypes_that_are_converted(dtype: str, paths: bool) -> None:
    lengths = np.random.default_rng(1).integers(0, 2, (3, 70, 70)).astype(dtype)
    expected = apsp.solve_batch(lengths.copy(), paths=paths)
    for batch in (lengths.transpose(0, 2, 1).copy().transpose(0, 2, 1), np.asfortranarray(lengths)):
        np.testing.assert_array_equal(apsp.solve_batch(batch, paths=paths), expected)


OUTS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "solve": (lambda out: apsp.solve(DENSE, dtype="float64", out=out), apsp.solve(DENSE, dtype="float64").distances),
    "solve_batch": (lambda out: apsp.solve_batch(BATCH, out=out), apsp.solve_batch(BATCH)),
    "product": (lambda out: apsp.product(DENSE, DENSE, out=out), apsp.product(DENSE, DENSE)),
    "oracle": (lambda out: apsp.prepare(DENSE, dtype="float64").rows(out=out), apsp.solve(DENSE).distances),
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", OUTS)
def test_outputs_are_filled_or_refused(name: str, layout: str) -> None:
    call, expected = OUTS[name]
    out = LAYOUTS[layout](np.zeros(expected.shape))
    try:
        call(out)
    except apsp.RequestError:
        assert layout not in ("mapped", "subclass")
    else:
        np.testing.assert_array_equal(np.asarray(out), expected)
