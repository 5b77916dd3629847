"""What the tests of the published methods share."""

from __future__ import annotations

from typing import Any

import pytest

import cuda_on_cpu
from apsp.cuda import jit


@pytest.fixture(scope="session")
def cupy() -> Any:
    reason = jit.why_no_gpu()
    if reason is not None:
        pytest.skip(reason)
    return jit.cupy()


@pytest.fixture
def gpu_of_cpu(monkeypatch: pytest.MonkeyPatch) -> cuda_on_cpu.Launches:
    """A GPU made of this CPU; what was launched on it."""
    return cuda_on_cpu.install(monkeypatch)
