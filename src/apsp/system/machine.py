"""The resources of this process as plain data: cores, instruction set, memory and caches.

Cores and memory are what `apsp.system.limits` allows. GPUs are detected separately, in `apsp.gpu.gpus`, since that
imports CuPy.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from apsp import _cpu
from apsp.errors import MemoryLimitError
from apsp.system.arguments import MOST_THREADS, whole_number
from apsp.system.limits import allowed_cores, allowed_memory, output_of, physical_cores, text_of
from apsp.system.thread_limit import thread_limit, threads_by_default

__all__ = [
    "EMULATED_GPU",
    "CudaVersions",
    "Gpu",
    "Machine",
    "refuse_unless_fits",
    "threads_from",
    "threads_named",
    "usable",
]

EMULATED_GPU = "emulated GPU (this CPU)"
"""The name of a GPU whose kernels run on the CPU: see `apsp.facts.emulated`."""

HEADROOM = 0.05
"""Share of the available memory that stays free."""


@dataclass(frozen=True)
class Gpu:
    """One GPU.

    Attributes
    ----------
    name : str
    memory_total, memory_free, memory_held : int
        Bytes in total, available to this process, and used by its own arrays.
    capability : (int, int)
        Compute capability, such as (9, 0).
    peers : tuple of int
        Numbers of the GPUs whose memory it reaches directly.
    multiprocessors : int
    clock : int
        Hertz.
    unusable : str or None
        The reason why this package cannot compute on it, with the remedy.
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

    @property
    def is_emulated(self) -> bool:
        """Whether its kernels run on the CPU and its memory is host memory."""
        return self.name == EMULATED_GPU

    @property
    def words(self) -> str:
        """Its name, for use in brackets."""
        return "emulated" if self.is_emulated else self.name


@dataclass(frozen=True)
class CudaVersions:
    """Versions of the NVIDIA driver (None if unknown), of the CUDA that it supports, and of the CUDA that CuPy uses."""

    driver: str | None
    supported: str
    runtime: str


@dataclass(frozen=True)
class Machine:
    """The machine that a plan is made for.

    Attributes
    ----------
    cores : int
        Threads of this process that may run at the same time, at least 1.
    physical : int or None
        Cores that run them: fewer if a core runs two threads (SMT). None means one each, or unknown.
    isa : str
        Instruction set of the kernels in force: 'baseline', 'avx2' or 'avx512'.
    memory_total, memory_available : int
        Bytes. Available is what can be allocated now without swapping.
    l2_bytes, l3_bytes : int or None
        Size of one second-level and one third-level cache, if known.
    gpus : tuple of Gpu
        Empty until `with_gpus` has detected them.
    cuda : CudaVersions or None
        None if there are no GPUs.
    no_gpu : str or None
        Why there are none, with the remedy; None if there are some, and until they have been detected.
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
    physical: int | None = None

    @classmethod
    def detect(cls, root: Path = Path("/")) -> Machine:
        """Look at this machine and at the limits of this process.

        Parameters
        ----------
        root : Path
            Folder of /proc and /sys; tests pass another one.
        """
        total, available = allowed_memory(root)
        return cls(
            cores=allowed_cores(root),
            isa=_cpu.isa(),
            memory_total=total,
            memory_available=available,
            l2_bytes=_cache_bytes(root, 2),
            l3_bytes=_cache_bytes(root, 3),
            physical=physical_cores(root),
        )


def threads_from(threads: int | None, cores: int | None = None) -> int:
    """Threads to use: the argument, else the environment variable APSP_NUM_THREADS, else all cores of this process.

    The last two are limited by threadpoolctl, the last also by OMP_NUM_THREADS.

    Raises
    ------
    As `threads_named`.
    """
    return threads_named(threads) or threads_by_default(allowed_cores() if cores is None else cores)


def threads_named(threads: int | None) -> int | None:
    """Return the requested number of threads, by the argument or else by APSP_NUM_THREADS; None without a request.

    Raises
    ------
    RequestError
        If the argument or the variable is not a whole number of at least 1.
    """
    if threads is not None:
        return whole_number(threads, "threads", least=1, most=MOST_THREADS)
    text = os.environ.get("APSP_NUM_THREADS", "").strip()
    if not text:
        return None
    variable = "the environment variable APSP_NUM_THREADS"
    named = whole_number(
        int(text) if text.isdecimal() and len(text) < 10 else text, variable, least=1, most=MOST_THREADS
    )
    limit = thread_limit()
    return named if limit is None else min(named, limit)


# -- caches -----------------------------------------------------------------------------------------------------------


@functools.cache
def _cache_bytes(root: Path, level: int) -> int | None:
    for folder in sorted((root / "sys/devices/system/cpu/cpu0/cache").glob("index*")):
        if text_of(folder / "level") == str(level) and text_of(folder / "type") != "Instruction":
            size = (text_of(folder / "size") or "").upper()
            unit = {"K": 1 << 10, "M": 1 << 20}.get(size[-1:], 1)
            if size.rstrip("KM").isdecimal():
                return int(size.rstrip("KM")) * unit
    if sys.platform == "darwin":
        found = output_of("/usr/sbin/sysctl", "-n", f"hw.l{level}cachesize").strip()
        return int(found) if found.isdecimal() and int(found) else None
    if sys.platform == "win32":
        return None
    try:
        return os.sysconf(f"SC_LEVEL{level}_CACHE_SIZE") or None
    except (ValueError, OSError, AttributeError):
        return None


def usable(machine: Machine) -> int:
    """Return the bytes that a request may use."""
    return int(machine.memory_available * (1 - HEADROOM))


def refuse_unless_fits(needed: int, what: str | Callable[[], str], *remedies: str) -> int:
    """Raise MemoryLimitError, with words for the need, unless so many bytes fit into memory; the bytes that do."""
    machine = Machine.detect()
    most = usable(machine)
    if needed > most:
        raise MemoryLimitError(what if isinstance(what, str) else what(), needed, machine.memory_available, remedies)
    return most
