"""The division of a matrix into strips of rows, and their assignment to devices: plain data, decided before the work.

Source: Katz, Kider 2008, section 3.2 (pages), whose conclusion names the missing scheduler: work is done on the devices
that hold its pages. Input: sizes in bytes. Output: a `StripPlan`, or the reason why there is none.

The idea: pivots are processed in panels of `panel` rows, assigned to the devices in turn, and the owner of a panel
works on its rows in every step. A device holds two panels (one in use, one arriving) and its rows: all of them, or
three strips of `height` rows in turn, whose copies from the host and back take less time than relaxing them through a
panel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from apsp.errors import format_bytes

__all__ = ["BUFFERS", "READ_SLOTS", "TILE", "WRITE_SLOTS", "StripPlan", "cpu_bytes", "staging_bytes", "strip_plan"]

BUFFERS = 3
"""Strips in the memory of a device that does not hold its rows: one arrives, one is relaxed, one leaves."""

READ_SLOTS, WRITE_SLOTS = 4, 3
"""Strips in host memory, for each device, that are copied from a file and to it."""

TILE = 128
"""Panels and strips are whole tiles of the kernels (the last ones may be smaller)."""

_RESIDENT_PANEL = 1024
_STREAMED_PANEL = 4096
"""A strip of h rows takes (h n panel) pairs and moves 2 h n values: at 15e12 pairs and 4e10 bytes per second in each
direction, both take the same time with 1,500 pivots and values of 4 bytes."""

_FILE_PANEL = 8192
_PIECE_PAIRS = 1.5e12
"""Largest number of pairs of one launch, so that Ctrl-C is handled soon: about 0.1 s on a GPU."""

_PIECE_BYTES = 512 << 20
_CLOSING_WIDTH = 512
_ASIDE_COLUMNS = 16384

_CPU_BYTES, _STAGING_BYTES = 4 << 30, 16 << 30

Where = Literal["devices", "host", "file"]


@dataclass(frozen=True)
class StripPlan:
    """How the matrix is cut.

    Attributes
    ----------
    n : int
        Rows of the matrix, and pivots.
    columns : int
        Values of a row: n, or fewer words of `pivots_per_column` bits each.
    devices : int
    panel : int
        Pivots of a step; a multiple of `pivots_per_column`.
    height : int
        Rows that are relaxed at a time; at most `panel` where they are moved.
    itemsize : int
        Bytes of a value.
    where : {'devices', 'host', 'file'}
        Where the matrix is stored between two steps.
    pivots_per_column : int
    """

    n: int
    columns: int
    devices: int
    panel: int
    height: int
    itemsize: int
    where: Where
    pivots_per_column: int = 1

    @property
    def panels(self) -> int:
        """Steps."""
        return -(-self.n // self.panel)

    def rows(self, panel: int) -> tuple[int, int]:
        """Rows (from, to) of a panel."""
        return panel * self.panel, min((panel + 1) * self.panel, self.n)

    def pivot_columns(self, panel: int) -> tuple[int, int]:
        """Columns (from, to) that hold the pivots of a panel."""
        first, last = self.rows(panel)
        return first // self.pivots_per_column, -(-last // self.pivots_per_column)

    def strips(self, panel: int) -> list[tuple[int, int]]:
        """Rows (from, to) of the strips of a panel."""
        first, last = self.rows(panel)
        return [(start, min(start + self.height, last)) for start in range(first, last, self.height)]

    def owner(self, panel: int) -> int:
        """The device that works on the rows of a panel."""
        return panel % self.devices

    def owned(self, device: int) -> list[int]:
        """Panels of a device."""
        return list(range(device, self.panels, self.devices))

    @property
    def aside_columns(self) -> int:
        """Columns of the closed panel that are copied aside at a time."""
        return max(min(self.columns, _ASIDE_COLUMNS), 1)

    @property
    def device_bytes(self) -> int:
        """Memory of the device that needs the most."""
        pitch = (self.columns * self.itemsize + 15) // 16 * 16
        pivots = -(-self.panel // self.pivots_per_column)
        missing = self.panels * self.panel - self.n if self.owner(self.panels - 1) == 0 else 0  # of the last panel
        kept = -(-self.panels // self.devices) * self.panel - missing  # of the first device: no other holds more
        resident = kept if self.where == "devices" else BUFFERS * self.height
        scratch = max(min(self.height, self.n), self.panel) * (pivots + 16) + self.panel * (self.aside_columns + 16)
        closing = 2 * (self.panel + 16) * _CLOSING_WIDTH
        return pitch * (2 * self.panel + resident) + (scratch + closing) * self.itemsize + (1 << 16)

    @property
    def staging_bytes(self) -> int:
        """Memory of the host between a file and the devices."""
        slots = (READ_SLOTS + WRITE_SLOTS) if self.where == "file" else 0
        return slots * self.height * self.columns * self.itemsize * self.devices

    def smaller(self) -> StripPlan | None:
        """Return the next plan that needs less device memory, or None."""
        if self.where != "devices" and self.height > TILE:
            return replace(self, height=_tiles(self.height / 2))
        if self.panel > max(TILE, self.pivots_per_column):
            panel = max(_tiles(self.panel / 2), self.pivots_per_column)
            return replace(
                self, panel=panel, height=self.height if self.where == "devices" else min(self.height, panel)
            )
        return None


def strip_plan(
    n: int,
    itemsize: int,
    devices: int,
    device_bytes: int,
    host_bytes: int,
    *,
    where: Sequence[Where] = ("devices", "host"),
    columns: int | None = None,
    pivots_per_column: int = 1,
) -> StripPlan | str:
    """Return a plan for these devices, or text on why there is none.

    Parameters
    ----------
    n, itemsize : int
        Rows of the matrix, and bytes of a value.
    devices : int
        Number of devices, at least 1.
    device_bytes : int
        Memory of each device that may be used.
    host_bytes : int
        Memory of the host that may be used: for the matrix, or for staging copies to and from a file.
    where : sequence of {'devices', 'host', 'file'}
        Where the matrix may be stored, the preferred place first.
    columns, pivots_per_column : int
        Values of a row, and vertices per value if bits are packed.
    """
    columns = n if columns is None else columns
    reasons = []
    for place in where:
        plan: StripPlan | None = _first_plan(n, columns, itemsize, devices, place, pivots_per_column)
        matrix = n * columns * itemsize
        if place == "host" and matrix > host_bytes:
            reasons.append(f"the host has {format_bytes(host_bytes)} and the matrix takes {format_bytes(matrix)}")
            continue
        while plan is not None:
            least = plan
            if plan.device_bytes <= device_bytes and plan.staging_bytes <= host_bytes:
                return plan
            plan = plan.smaller()
        each, has, needed = "the device has" if devices == 1 else "each device has", device_bytes, least.device_bytes
        if needed <= device_bytes:
            each, has, needed = "for what goes to the file the host has", host_bytes, least.staging_bytes
        reasons.append(f"{each} {format_bytes(max(has, 0))} and needs at least {format_bytes(needed)} ({place})")
    return "; ".join(reasons)


def cpu_bytes(free: int) -> int:
    """Return how much of this host memory panels and strips use if the CPU computes: more would not be faster."""
    return min(free // 2, _CPU_BYTES)


def staging_bytes(free: int) -> int:
    """Return how much of this host memory strips use between a file and the devices."""
    return min(free // 4, _STAGING_BYTES)


def _first_plan(n: int, columns: int, itemsize: int, devices: int, where: Where, pivots_per_column: int) -> StripPlan:
    """Return the fastest plan without regard to memory."""
    unit = max(TILE, pivots_per_column)
    wanted = max({"devices": _RESIDENT_PANEL, "host": _STREAMED_PANEL, "file": _FILE_PANEL}[where], unit)
    panels = max(-(-n // wanted), 1)
    if devices > 1:  # several panels each, and the same number for each
        panels = max(-(-panels // devices), 4) * devices
    panel = max(-(-n // (panels * unit)), 1) * unit
    height = _PIECE_PAIRS / (max(columns, 1) * panel)
    if where != "devices":
        height = min(height, panel / 4, _PIECE_BYTES / max(columns * itemsize, 1))
    return StripPlan(n, columns, devices, panel, _tiles(height), itemsize, where, pivots_per_column)


def _tiles(rows: float) -> int:
    return max(int(rows) // TILE, 1) * TILE
