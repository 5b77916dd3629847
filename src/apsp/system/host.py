"""Which processes are on one machine."""

from __future__ import annotations

import platform
from pathlib import Path

from apsp.system.limits import text_of

__all__ = ["host_identity"]

_BOOT = Path("/proc/sys/kernel/random/boot_id")


def host_identity() -> tuple[str, str]:
    """Return what is the same in the processes of this machine, and nowhere else.

    Its name, and on Linux the number of its start, since machines may have the same name. Containers with names of
    their own count as machines: they have their own memory limits.
    """
    return platform.node(), text_of(_BOOT) or ""
