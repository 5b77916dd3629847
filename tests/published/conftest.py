"""What the tests of the published methods share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from emulation import Launches, emulated_gpus


@pytest.fixture
def gpu_of_cpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[Launches]:
    """A GPU that is emulated; what was launched on it."""
    with emulated_gpus(monkeypatch) as launches:
        yield launches
