"""Why a plan is as it is, as data: `apsp.planning.words` puts it into sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["Kind", "Reason", "reason"]

Kind = Literal[
    # of the graph and the request
    "graph", "components", "probe", "purpose", "requested", "cutoff",
    # of the method and its place
    "method", "about_method", "cpu", "thread_limit", "pages_file", "no_gpu", "gpus_not_sought", "emulated_instead",
    "a_gpu", "gpus", "device_memory",
    # what it needs
    "dtype", "memory", "group_memory", "expected", "note",
    # of a matrix that is distributed over processes
    "grid", "strong_components", "columns", "process_memory", "panels_sent", "rows_sent", "kernels", "nothing_to_close",
    "connecting", "one_process",
    # why another method was not chosen
    "refused", "unneeded", "beyond_gpu_memory", "too_large", "slower",
]  # fmt: skip
"""What a reason is about: one sentence each."""


@dataclass(frozen=True)
class Reason:
    """A reason of a plan, or one against a method.

    Attributes
    ----------
    kind : str
    values : mapping
        What the sentence of this kind states: the arguments of its function in `apsp.planning.words`.
    """

    kind: Kind
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)


def reason(kind: Kind, **values: Any) -> Reason:
    """Return a reason of these values."""
    return Reason(kind, values)
