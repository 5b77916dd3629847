"""The memory of a process that reads damaged input, which may announce any size."""

from __future__ import annotations

import os
import resource

__all__ = ["limit_memory"]

MEMORY = 4 << 30


def limit_memory() -> None:
    """Limit the address space of this process, unless the sanitizers reserve most of it."""
    if "libasan" not in os.environ.get("LD_PRELOAD", ""):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
