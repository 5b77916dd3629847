"""The backend, known to NetworkX also where the package is not installed, as its own tests do with theirs."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint

import networkx as nx
import pytest

BACKENDS = nx.utils.backends


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    if "apsp" in BACKENDS.backends:
        yield
        return
    dispatching = getattr(BACKENDS._dispatchable, "_call_if_any_backends_installed", None)  # since 3.5
    with pytest.MonkeyPatch.context() as patch:
        entry = EntryPoint("apsp", "apsp.compat.networkx.backend", "networkx.backends")
        patch.setitem(BACKENDS.backends, "apsp", entry)
        patch.setitem(BACKENDS.backend_info, "apsp", {})
        if dispatching is not None:
            patch.setattr(BACKENDS._dispatchable, "__call__", dispatching)
        yield
