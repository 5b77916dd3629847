"""What makes a million graphs affordable: the machine is looked at once per process, not at every call."""

from __future__ import annotations

from pathlib import Path

from apsp.system.machine import Machine

__all__ = ["look_at_the_machine_once"]


def look_at_the_machine_once() -> None:
    """Keep the first answer of `Machine.detect`. (Calls that compare methods spend a part of their time on it.)"""
    detect, kept = Machine.detect, {}

    def remembered(root: Path = Path("/")) -> Machine:
        if root not in kept:
            kept[root] = detect(root)
        return kept[root]

    Machine.detect = remembered  # type: ignore[method-assign]
