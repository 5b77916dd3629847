"""What the tests of the GPU share."""

from __future__ import annotations

from typing import Any

import pytest

from apsp.cuda import jit


@pytest.fixture(scope="session")
def cupy() -> Any:
    reason = jit.why_no_gpu()
    if reason is not None:
        pytest.skip(reason)
    return jit.cupy()
