"""What the tests of the published methods share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from apsp.cuda import jit
from emulation import Launches, emulated_gpus


@pytest.fixture(scope="session")
def cupy() -> Any:
    reason = jit.why_no_gpu()
    if reason is not None:
        pytest.skip(reason)
    return jit.cupy()


@pytest.fixture
def gpu_of_cpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[Launches]:
    """A GPU that is emulated; what was launched on it."""
    with emulated_gpus(monkeypatch) as launches:
        yield launches
