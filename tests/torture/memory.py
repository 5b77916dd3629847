"""Limits of the memory of a process, which reads damaged input that may announce any size."""

from __future__ import annotations

import functools
import os
import resource
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["is_sanitized", "limit_memory", "with_memory_limit"]

ROOM = 4 << 30

Run = Callable[[int, dict[str, Any], "Counter[str]"], dict[str, Any] | None]


def is_sanitized() -> bool:
    """Whether the address sanitizer is part of this process."""
    return "libasan" in os.environ.get("LD_PRELOAD", "")


def limit_memory(room: int) -> None:
    """Limit the address space of this process to what it has and so many bytes."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + room, resource.RLIM_INFINITY))


def with_memory_limit(run: Run) -> Run:
    """Limit the memory of a seed to a few GiB more than the process has, unless the address sanitizer reserves it all.

    The limit ends with the seed: the next one may be of a kind that uses a GPU, whose driver reserves hundreds of GiB.
    """

    @functools.wraps(run)
    def limited(seed: int, options: dict[str, Any], counts: Counter[str]) -> dict[str, Any] | None:
        if is_sanitized():
            return run(seed, options, counts)
        before = resource.getrlimit(resource.RLIMIT_AS)
        limit_memory(ROOM)
        try:
            return run(seed, options, counts)
        finally:
            resource.setrlimit(resource.RLIMIT_AS, before)

    return limited
