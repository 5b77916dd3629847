"""What several tests share."""

from __future__ import annotations

import gc
import signal
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

import examples  # noqa: F401 -- the profiles of Hypothesis
from apsp.gpu import jit
from pairs import mark_what_others_cover

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in background jobs of a shell: children would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Leave the tests, tens of thousands of objects, to no collection of garbage: a third of the time of collecting."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mark_what_others_cover(items)


def shared_data() -> Path:
    """The folder of real graphs beside the repository, or a skipped test where there is none."""
    repository = Path(__file__).resolve().parents[1]
    for folder in repository.parents[:2]:
        data = folder / "shared" / "data"
        if data.is_dir():
            return data
    pytest.skip("the shared graph data are not on this machine")


@pytest.fixture(scope="session", name="shared_data")
def shared_data_fixture() -> Path:
    return shared_data()


@pytest.fixture(scope="session")
def cupy() -> Any:
    """CuPy, or a skipped test where it finds no GPU."""
    reason = jit.why_no_gpu()
    if reason is not None:
        pytest.skip(reason)
    return jit.cupy()
