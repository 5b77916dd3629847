"""The memory of a process that reads damaged input, which may announce any size."""

from __future__ import annotations

import os
import resource

__all__ = ["is_sanitized", "limit_memory"]

MEMORY = 4 << 30


def is_sanitized() -> bool:
    """Whether the address sanitizer is part of this process."""
    return "libasan" in os.environ.get("LD_PRELOAD", "")


def limit_memory() -> None:
    """Limit the address space of this process, unless the address sanitizer reserves most of it."""
    if not is_sanitized():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
