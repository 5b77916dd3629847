"""The version of NetworkX, for what differs between versions."""

from __future__ import annotations

import networkx as nx

__all__ = ["networkx_version"]


def networkx_version() -> tuple[int, ...]:
    """Return major and minor."""
    return tuple(int(part) for part in nx.__version__.split(".")[:2])
