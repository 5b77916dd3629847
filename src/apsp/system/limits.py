"""Cores and memory that this process may use: those of the machine within all limits.

Limits are the CPU affinity of the process, its control groups (containers, batch systems; versions 1 and 2), and
`ulimit -v`. If nothing is known, the result is small enough to be safe on nearly every machine.
"""

from __future__ import annotations

import functools
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

__all__ = ["allowed_cores", "allowed_memory", "output_of", "physical_cores", "text_of"]


def allowed_cores(root: Path = Path("/")) -> int:
    """Cores that this process may use at the same time, at least 1. Tests pass another root."""
    processors = _processors()
    cores = (os.cpu_count() or 1) if processors is None else len(processors)
    return max(min(cores, _quota(root)), 1)


def _processors() -> frozenset[int] | None:
    """The logical processors that this process may run on; None if the system does not say."""
    if sys.platform == "win32" or not hasattr(os, "sched_getaffinity"):
        return None
    return frozenset(os.sched_getaffinity(0))


@functools.cache
def _quota(root: Path) -> int:
    """Cores that the control groups of this process allow, as read at the first call."""
    cores = sys.maxsize
    for folder in _group_folders(root, "cpu"):
        quota, period = text_of(folder / "cpu.cfs_quota_us"), text_of(folder / "cpu.cfs_period_us")
        words = (text_of(folder / "cpu.max") or f"{quota} {period}").split()
        if len(words) == 2 and words[0].isdecimal() and words[1].isdecimal() and int(words[1]):
            cores = min(cores, math.ceil(int(words[0]) / int(words[1])))
    return cores


def physical_cores(root: Path = Path("/")) -> int | None:
    """Number of physical cores that this process may run on (each has one or more logical processors); None if
    unknown.
    """
    processors = _processors()
    return None if processors is None else _cores_of(root, processors)


@functools.cache
def _cores_of(root: Path, processors: frozenset[int]) -> int | None:
    seen = set()
    for number in processors:
        topology = root / f"sys/devices/system/cpu/cpu{number}/topology"
        siblings = text_of(topology / "thread_siblings_list") or text_of(topology / "core_cpus_list")
        if not siblings:
            return None
        seen.add(siblings)
    return max(len(seen), 1)


@functools.cache
def _group_folders(root: Path, controller: str) -> tuple[Path, ...]:
    """The folders that limit this process, from its own control group up to the root: version 2, then version 1."""
    return tuple(folder for folder in _folders(root, controller) if folder.is_dir())


def _folders(root: Path, controller: str) -> Iterator[Path]:
    mount = root / "sys/fs/cgroup"
    for line in (text_of(root / "proc/self/cgroup") or "").splitlines():
        number, controllers, path = (*line.split(":", 2), "", "")[:3]
        if number == "0" and not controllers:
            top = mount
        elif controller in controllers.split(","):
            top = mount / controllers if (mount / controllers).is_dir() else mount / controller
        else:
            continue
        folder = top / path.lstrip("/")
        yield from (place for place in (folder, *folder.parents) if place == top or top in place.parents)


# -- memory -----------------------------------------------------------------------------------------------------------


_UNKNOWN = 4 << 30, 2 << 30
"""Total and available bytes that nearly every machine has."""


def allowed_memory(root: Path = Path("/")) -> tuple[int, int]:
    """Total and available bytes, within all limits."""
    info = _table(root / "proc/meminfo", "MemTotal", "MemAvailable", "MemFree", "Cached")
    if "MemTotal" in info:
        total = info["MemTotal"] * 1024
        available = info.get("MemAvailable", info.get("MemFree", 0) + info.get("Cached", 0)) * 1024
    else:
        total, available = _memory_elsewhere()
    for folder, limit in _memory_groups(root):
        used = _number(folder / "memory.current", folder / "memory.usage_in_bytes")
        if used is None:
            continue
        stat = _table(folder / "memory.stat", "total_inactive_file", "inactive_file")
        reclaimable = stat.get("total_inactive_file", stat.get("inactive_file", 0))
        total = min(total, limit)
        available = min(available, max(limit - used + reclaimable, 0))
    return total, min(available, _address_space_left(root), total)


@functools.cache
def _memory_groups(root: Path) -> tuple[tuple[Path, int], ...]:
    """The control groups that limit the memory of this process, and their limits in bytes, as at the first call."""
    limits = ((folder, _number(folder / "memory.max", folder / "memory.limit_in_bytes"))
              for folder in _group_folders(root, "memory"))  # fmt: skip
    return tuple((folder, limit) for folder, limit in limits if limit is not None and limit < 1 << 60)


def _memory_elsewhere() -> tuple[int, int]:
    """Systems without /proc: POSIX sysconf, `vm_stat` on macOS, and Windows."""
    if sys.platform == "win32":
        from apsp.system.windows import memory

        return memory() or _UNKNOWN
    try:
        page = os.sysconf("SC_PAGE_SIZE")
        total = page * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return _UNKNOWN
    if sys.platform == "darwin":
        free = 0
        for line in output_of("/usr/bin/vm_stat").splitlines():
            name, _, count = line.partition(":")
            if name in ("Pages free", "Pages inactive", "Pages speculative"):
                free += int(count.strip().rstrip(".")) * page
        return total, free or total // 2
    try:
        return total, page * os.sysconf("SC_AVPHYS_PAGES")
    except (ValueError, OSError):
        return total, total // 2


def _address_space_left(root: Path) -> int:
    """Return the bytes that `ulimit -v` leaves."""
    if sys.platform == "win32":
        return 1 << 62
    try:
        import resource
    except ImportError:
        return 1 << 62
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return 1 << 62
    return max(limit - _table(root / "proc/self/status", "VmSize").get("VmSize", 0) * 1024, 0)


# -- small files ------------------------------------------------------------------------------------------------------


def text_of(path: Path) -> str | None:
    """Return the text of a small file; None if it cannot be read."""
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123 # a tenth of the time of Path.read_text
            return file.read().decode().strip()
    except (OSError, ValueError):
        return None


def _number(*paths: Path) -> int | None:
    """Return the number in the first of the files that contains one ('max' does not)."""
    for path in paths:
        text = text_of(path)
        if text is not None and text.isdecimal():
            return int(text)
    return None


@functools.cache
def _lines(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"^({'|'.join(names)}):?[ \t]+([0-9]+)(?:\s|$)", re.MULTILINE | re.ASCII)


def _table(path: Path, *names: str) -> dict[str, int]:
    """Lines such as 'MemTotal:  123 kB' or 'inactive_file 123' with these names as a dictionary of numbers."""
    return {name: int(number) for name, number in _lines(names).findall(text_of(path) or "")}


def output_of(*command: str) -> str:
    """Return what a command prints; empty if it fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=5, check=False).stdout  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return ""
