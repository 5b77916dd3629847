"""What this process may use: cores, instruction set, memory and caches, as plain data.

Cores and memory are the smallest of what the machine has, what the process is pinned to and what its control groups
(containers, batch systems; versions 1 and 2) and `ulimit -v` allow. GPUs are looked for on their own, in
`apsp.plan.gpus`, since that imports CuPy.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from apsp import _cpu
from apsp.errors import RequestError

__all__ = ["CudaVersions", "Gpu", "Machine", "threads_from"]


@dataclass(frozen=True)
class Gpu:
    """One GPU.

    Attributes
    ----------
    name : str
    memory_total, memory_free, memory_held : int
        Bytes: in all; what this process can get; what its own arrays hold. Others hold the rest.
    capability : (int, int)
        Compute capability, such as (9, 0).
    peers : tuple of int
        Numbers of the GPUs whose memory it reaches directly.
    multiprocessors : int
    clock : int
        Hertz.
    unusable : str or None
        Why this package cannot compute on it, with the remedy.
    """

    name: str
    memory_total: int
    memory_free: int
    capability: tuple[int, int]
    peers: tuple[int, ...] = ()
    multiprocessors: int = 0
    clock: int = 0
    memory_held: int = 0
    unusable: str | None = None


@dataclass(frozen=True)
class CudaVersions:
    """Of the NVIDIA driver (None where it does not say), of CUDA as it supports it, and of CUDA as CuPy uses it."""

    driver: str | None
    supported: str
    runtime: str


@dataclass(frozen=True)
class Machine:
    """What a plan is made for.

    Attributes
    ----------
    cores : int
        Cores that this process may use at the same time, at least 1.
    isa : str
        Instruction set of the kernels in force: 'baseline', 'avx2' or 'avx512'.
    memory_total, memory_available : int
        Bytes. Available is what can be allocated now without swapping.
    l2_bytes, l3_bytes : int or None
        Size of one second-level and one third-level cache, where known.
    gpus : tuple of Gpu
        Empty until `with_gpus` has looked for them.
    cuda : CudaVersions or None
        Where there are GPUs.
    no_gpu : str or None
        Why there are none, with the remedy; None where there are some, and until they have been looked for.
    """

    cores: int
    isa: str
    memory_total: int
    memory_available: int
    l2_bytes: int | None = None
    l3_bytes: int | None = None
    gpus: tuple[Gpu, ...] = ()
    cuda: CudaVersions | None = None
    no_gpu: str | None = None

    @classmethod
    def detect(cls, root: Path = Path("/")) -> Machine:
        """Look at this machine and at the limits of this process.

        Parameters
        ----------
        root : Path
            Where /proc and /sys are found; the tests give invented ones.
        """
        total, available = _memory(root)
        return cls(
            cores=_cores(root),
            isa=_cpu.isa(),
            memory_total=total,
            memory_available=available,
            l2_bytes=_cache_bytes(root, 2),
            l3_bytes=_cache_bytes(root, 3),
        )


def is_count(value: object) -> bool:
    """Whether a value is a whole number of at least 1."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and int(value) >= 1


def threads_from(threads: int | None, cores: int | None = None) -> int:
    """Threads to use: the argument, else the environment variable APSP_NUM_THREADS, else all cores of this process.

    Raises
    ------
    RequestError
        If the argument or the variable is not a whole number of at least 1.
    """
    if threads is not None:
        if not is_count(threads):
            raise RequestError(f"threads must be a whole number of at least 1, not {threads!r}")
        return int(threads)
    text = os.environ.get("APSP_NUM_THREADS", "").strip()
    if text:
        if not text.isdecimal() or int(text) < 1:
            raise RequestError(
                f"the environment variable APSP_NUM_THREADS must be a whole number of at least 1, not {text!r}"
            )
        return int(text)
    return _cores(Path("/")) if cores is None else cores


# -- cores ------------------------------------------------------------------------------------------------------------


def _cores(root: Path) -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    for folder in _group_folders(root, "cpu"):
        quota, period = _text(folder / "cpu.cfs_quota_us"), _text(folder / "cpu.cfs_period_us")
        words = (_text(folder / "cpu.max") or f"{quota} {period}").split()
        if len(words) == 2 and words[0].isdecimal() and words[1].isdecimal() and int(words[1]):
            cores = min(cores, math.ceil(int(words[0]) / int(words[1])))
    return max(cores, 1)


def _group_folders(root: Path, controller: str) -> Iterator[Path]:
    """The folders that limit this process, from its own control group up to the root: version 2, then version 1."""
    mount = root / "sys/fs/cgroup"
    for line in (_text(root / "proc/self/cgroup") or "").splitlines():
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


def _memory(root: Path) -> tuple[int, int]:
    """Bytes in all and bytes available, after every limit."""
    info = _table(root / "proc/meminfo")
    if "MemTotal" in info:
        total = info["MemTotal"] * 1024
        available = info.get("MemAvailable", info.get("MemFree", 0) + info.get("Cached", 0)) * 1024
    else:
        total, available = _memory_elsewhere()
    for folder in _group_folders(root, "memory"):
        limit = _number(folder / "memory.max", folder / "memory.limit_in_bytes")
        used = _number(folder / "memory.current", folder / "memory.usage_in_bytes")
        if limit is None or used is None or limit >= 1 << 60:
            continue
        stat = _table(folder / "memory.stat")
        reclaimable = stat.get("total_inactive_file", stat.get("inactive_file", 0))
        total = min(total, limit)
        available = min(available, max(limit - used + reclaimable, 0))
    return total, min(available, _address_space_left(root), total)


def _memory_elsewhere() -> tuple[int, int]:
    """Systems without /proc: POSIX sysconf, and `vm_stat` on macOS."""
    try:
        page = os.sysconf("SC_PAGE_SIZE")
        total = page * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 4 << 30, 2 << 30  # unknown: small enough to be safe nearly everywhere
    if sys.platform == "darwin":
        free = 0
        for line in _output("/usr/bin/vm_stat").splitlines():
            name, _, count = line.partition(":")
            if name in ("Pages free", "Pages inactive", "Pages speculative"):
                free += int(count.strip().rstrip(".")) * page
        return total, free or total // 2
    try:
        return total, page * os.sysconf("SC_AVPHYS_PAGES")
    except (ValueError, OSError):
        return total, total // 2


def _address_space_left(root: Path) -> int:
    """What `ulimit -v` leaves, in bytes."""
    try:
        import resource
    except ImportError:
        return 1 << 62
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return 1 << 62
    return max(limit - _table(root / "proc/self/status").get("VmSize", 0) * 1024, 0)


# -- caches -----------------------------------------------------------------------------------------------------------


def _cache_bytes(root: Path, level: int) -> int | None:
    for folder in sorted((root / "sys/devices/system/cpu/cpu0/cache").glob("index*")):
        if _text(folder / "level") == str(level) and _text(folder / "type") != "Instruction":
            size = (_text(folder / "size") or "").upper()
            unit = {"K": 1 << 10, "M": 1 << 20}.get(size[-1:], 1)
            if size.rstrip("KM").isdecimal():
                return int(size.rstrip("KM")) * unit
    if sys.platform == "darwin":
        found = _output("/usr/sbin/sysctl", "-n", f"hw.l{level}cachesize").strip()
        return int(found) if found.isdecimal() and int(found) else None
    try:
        return os.sysconf(f"SC_LEVEL{level}_CACHE_SIZE") or None
    except (ValueError, OSError, AttributeError):
        return None


# -- small files ------------------------------------------------------------------------------------------------------


def _text(path: Path) -> str | None:
    try:
        return path.read_text().strip()
    except (OSError, ValueError):
        return None


def _number(*paths: Path) -> int | None:
    """The first of the files that holds a number ('max' is none)."""
    for path in paths:
        text = _text(path)
        if text is not None and text.isdecimal():
            return int(text)
    return None


def _table(path: Path) -> dict[str, int]:
    """Lines such as 'MemTotal:  123 kB' or 'inactive_file 123' as a dictionary of numbers."""
    rows = (line.replace(":", " ").split() for line in (_text(path) or "").splitlines())
    return {row[0]: int(row[1]) for row in rows if len(row) > 1 and row[1].isdecimal()}


def _output(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=5, check=False).stdout  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return ""
