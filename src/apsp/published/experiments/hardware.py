"""A model of the papers' GPUs: seconds from the counts of a run.

The model is independent of papers and methods. It sums, over kernels, the part of each kernel that takes longest:

    seconds = launches x launch + max(memory, issue, latency, atomics) + copies x copy + bytes / bus

- memory: the bytes that the GPU's own coalescing rules move, over its bandwidth;
- issue: warp instructions, which are estimated from threads, accesses, conflicts and branches, over the rate of all
  multiprocessors;
- latency: the accesses of a warp one after another, over the number of warps that can run concurrently;
- atomics: those of a warp on the same address, one after another.

It has few constants, each with its origin. They were chosen before the errors were computed and not tuned afterwards:
`apsp bench` shows these errors. In a first version colliding atomics were treated as other accesses, many of which wait
at the same time; they became a separate part because of the errors of that version on complete graphs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from apsp.gpu.counts import KernelCounts

__all__ = ["GPUS", "Copies", "Hardware", "Seconds", "predict"]

_WARP = 32

INSTRUCTIONS_PER_THREAD = 12
"""Warp instructions that a warp always executes: its index, the bounds, the end. Counted in the listings."""

INSTRUCTIONS_PER_ACCESS = 4
"""Warp instructions per access of a warp: the address, the access, the use of the value, the loop around it."""

INSTRUCTIONS_PER_BRANCH = 2
"""Additional warp instructions for each branch that diverges: both sides begin and end."""

LATENCY = 500
"""Clock cycles of an access to device memory: 400 to 600 (Okuyama, Ino, Hagihara, section 3)."""

ATOMIC_BYTES = 64
"""Bytes that an atomic of capability 1.x moves: 32 are read and 32 written, without a cache between."""

ROW_CYCLE = 40e-9
"""Seconds between two atomics on one address of a GPU of capability 1.x, which has no cache: a row of GDDR3 memory is
opened, read, written and closed (the row cycle time of data sheets, 35 to 45 ns)."""


@dataclass(frozen=True)
class Hardware:
    """The specification of a GPU.

    Attributes
    ----------
    name : str
    multiprocessors, cores : int
        Number of multiprocessors, and of cores of each.
    clock : float
        GHz of the cores.
    bandwidth : float
        GB/s of device memory.
    capability : (int, int)
    warps : int
        Maximum number of resident warps of a multiprocessor.
    bus_to_device, bus_to_host : float
        GB/s between the host and the device.
    launch : float
        Seconds of the host for a launch.
    copy : float
        Seconds of the host for a copy, whatever its size.
    origin : str
        Origin of the numbers.
    """

    name: str
    multiprocessors: int
    cores: int
    clock: float
    bandwidth: float
    capability: tuple[int, int]
    warps: int
    bus_to_device: float
    bus_to_host: float
    launch: float
    copy: float
    origin: str

    @property
    def words(self) -> str:
        """One line."""
        return (
            f"{self.name}: {self.multiprocessors} multiprocessors of {self.cores} cores at {self.clock:g} GHz, "
            f"{self.bandwidth:g} GB/s, capability {self.capability[0]}.{self.capability[1]}; host to device "
            f"{self.bus_to_device:g} GB/s, back {self.bus_to_host:g} GB/s; {self.launch * 1e6:g} us per launch, "
            f"{self.copy * 1e6:g} us per copy ({self.origin})"
        )


@dataclass(frozen=True)
class Copies:
    """Copies over the bus.

    Attributes
    ----------
    to_device, to_host : float
        Number of copies.
    bytes_to_device, bytes_to_host : float
    """

    to_device: float = 0
    to_host: float = 0
    bytes_to_device: float = 0
    bytes_to_host: float = 0


@dataclass(frozen=True)
class Seconds:
    """A prediction by parts; those of kernels are sums over the kernels, `kernels` is the sum of their maxima."""

    launches: float
    memory: float
    issue: float
    latency: float
    atomics: float
    kernels: float
    copies: float

    @property
    def whole(self) -> float:
        """The total."""
        return self.launches + self.kernels + self.copies

    @property
    def bound(self) -> str:
        """The part that takes longest: 'launches', 'copies', 'memory', 'issue', 'latency' or 'atomics'."""
        inside = max(("memory", "issue", "latency", "atomics"), key=lambda name: float(getattr(self, name)))
        parts = {"launches": self.launches, "copies": self.copies, inside: self.kernels}
        return max(parts, key=lambda name: parts[name])


_LAUNCH_2008 = 10e-6
_COPY_2008 = 15e-6
_HOST_2008 = "launch and copy: the middles of 3 to 14 and 10 to 20 us, which were usual for CUDA 2.0"


def _of_2008(
    name: str, multiprocessors: int, clock: float, bandwidth: float, capability: tuple[int, int], bus: float, slot: str
) -> Hardware:
    """A GPU of the G80 family."""
    return Hardware(
        name, multiprocessors, 8, clock, bandwidth, capability, 24, bus, bus, _LAUNCH_2008, _COPY_2008,
        f"data sheet; {slot}, memory not pinned; {_HOST_2008}",
    )  # fmt: skip


_ALL = (
    _of_2008("GeForce 8800 GTS (G92)", 16, 1.625, 62.1, (1, 1), 3.0, "PCI Express 2.0"),
    _of_2008("Quadro FX 5600", 16, 1.35, 76.8, (1, 0), 1.5, "PCI Express 1.x"),
    _of_2008("GeForce 8800 GT", 14, 1.5, 57.6, (1, 1), 1.5, "PCI Express 1.x"),
    _of_2008("Tesla C870", 16, 1.35, 76.8, (1, 0), 1.5, "PCI Express 1.x"),
    Hardware(
        "GeForce GTX 1050", 5, 128, 1.455, 112.0, (6, 1), 64, 6.0, 6.0, 5e-6, 10e-6,
        "data sheet; PCI Express 3.0, memory not pinned; launch and copy as usual under Windows",
    ),
    Hardware(
        "the laboratory's GPU", 3, 128, 1.1, 26.004, (5, 0), 64, 6.106, 6.538, 5e-6, 10e-6,
        "the three bandwidths are printed; the model of the GPU is not: multiprocessors and clock are those of a small "
        "Maxwell (Quadro K620)",
    ),
)  # fmt: skip

GPUS: dict[str, Hardware] = {gpu.name: gpu for gpu in _ALL}
"""The GPUs that the papers name."""


def moved(kernel: KernelCounts, gpu: Hardware) -> int:
    """Bytes between a multiprocessor and device memory, by the coalescing rules of the GPU."""
    if gpu.capability < (1, 2):
        return kernel.bytes_cc10 + ATOMIC_BYTES * kernel.atomics
    if gpu.capability < (2, 0):
        return kernel.bytes_cc12 + ATOMIC_BYTES * kernel.atomics
    return 32 * (kernel.load_sectors + kernel.store_sectors + 2 * kernel.atomic_sectors)


def instructions(kernel: KernelCounts, gpu: Hardware) -> int:
    """Warp instructions, estimated."""
    warps = -(-kernel.threads // _WARP)
    conflicts = kernel.bank_conflicts_cc1 if gpu.capability < (2, 0) else kernel.bank_conflicts
    accesses = kernel.load_requests + kernel.store_requests + kernel.atomic_requests + kernel.shared_requests
    return (
        INSTRUCTIONS_PER_THREAD * warps
        + INSTRUCTIONS_PER_ACCESS * accesses
        + conflicts
        + INSTRUCTIONS_PER_BRANCH * kernel.divergent_branches
    )


def waiting(kernel: KernelCounts, gpu: Hardware) -> float:
    """Clock cycles of waiting for memory, with as many warps as possible waiting at the same time."""
    if not kernel.launches:
        return 0.0
    of_a_launch = -(-kernel.threads // _WARP) / kernel.launches
    under_way = max(min(float(gpu.multiprocessors * gpu.warps), of_a_launch), 1.0)
    return LATENCY * (kernel.load_requests + kernel.atomic_requests) / under_way


def predict(kernels: Iterable[KernelCounts], copies: Copies, gpu: Hardware) -> Seconds:
    """The seconds of a run on a GPU, by the model of this module."""
    launches = memory = issue = latency = atomics = slowest = 0.0
    rate = gpu.multiprocessors * gpu.cores / _WARP * gpu.clock * 1e9
    collision = ROW_CYCLE if gpu.capability < (2, 0) else 1e-9 / gpu.clock  # one per cycle if there is a cache
    for kernel in kernels:
        parts = (
            moved(kernel, gpu) / (gpu.bandwidth * 1e9),
            instructions(kernel, gpu) / rate,
            waiting(kernel, gpu) / (gpu.clock * 1e9),
            kernel.atomic_collisions * collision,
        )
        launches += kernel.launches * gpu.launch
        memory, issue = memory + parts[0], issue + parts[1]
        latency, atomics = latency + parts[2], atomics + parts[3]
        slowest += max(parts)
    bus = copies.bytes_to_device / (gpu.bus_to_device * 1e9) + copies.bytes_to_host / (gpu.bus_to_host * 1e9)
    copied = bus + (copies.to_device + copies.to_host) * gpu.copy
    return Seconds(launches, memory, issue, latency, atomics, slowest, copied)
