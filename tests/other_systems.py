"""Pretends to be another system, and uses the package there: `python other_systems.py win32 FOLDER`.

First everything is used as it is here, which imports the standard library and all other packages. Then what Python
lacks on that system is taken away, and the modules of apsp are imported a second time. As Windows does, files that are
open are neither removed nor renamed then.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np

MODULES = {
    "win32": ("fcntl", "resource", "pwd", "grp", "termios"),
    "darwin": (),
    "emscripten": ("fcntl", "resource", "termios"),
}
FUNCTIONS = {
    "win32": (
        "fork", "getuid", "geteuid", "getloadavg", "killpg", "mkfifo", "posix_fallocate", "pread", "preadv", "pwrite",
        "pwritev", "register_at_fork", "sched_getaffinity", "setsid", "sysconf", "uname",
    ),
    "darwin": ("posix_fallocate", "preadv", "pwritev", "sched_getaffinity"),
    "emscripten": ("fork", "posix_fallocate", "register_at_fork", "sched_getaffinity"),
}  # fmt: skip

LOCKED_BY_ANOTHER = 33


class Kernel:
    """The functions of kernel32 that the package calls."""

    def __init__(self) -> None:
        self._locked: set[int] = set()

    def LockFileEx(self, file: Any, flags: int, reserved: int, low: int, high: int, place: Any) -> int:
        assert (reserved, low, high) == (0, 1, 0)
        assert place._obj.offset_high, "what is locked cannot be read by others: a byte behind the content"
        if file.value in self._locked:
            return 0
        try:
            fcntl.flock(file.value, fcntl.LOCK_EX | (fcntl.LOCK_NB if flags & 1 else 0))
        except BlockingIOError:
            return 0
        self._locked.add(file.value)
        return 1

    def UnlockFileEx(self, file: Any, *_: Any) -> int:
        self._locked.discard(file.value)
        return 1

    def GlobalMemoryStatusEx(self, status: Any) -> int:
        assert status._obj.length == 64
        status._obj.total, status._obj.available, status._obj.available_page_file = 16 << 30, 8 << 30, 9 << 30
        return 1


def open_files() -> set[str]:
    """What this process has open or mapped."""
    found = {
        line.split(maxsplit=5)[5].strip() for line in Path("/proc/self/maps").read_text().splitlines() if "/" in line
    }
    for each in Path("/proc/self/fd").iterdir():
        try:
            found.add(os.readlink(each))  # noqa: PTH115
        except FileNotFoundError:
            continue
    return found


def refuse_open_files() -> None:
    """Let the removal and the renaming of open files fail."""

    def guarded(act: Any) -> Any:
        def refuse(*paths: Any, **where: Any) -> Any:
            if not where and open_files() & {os.path.realpath(path) for path in paths}:
                raise PermissionError(13, "Permission denied", str(paths[0]))
            return act(*paths, **where)

        return refuse

    for name in ("remove", "rename", "replace", "unlink"):
        setattr(os, name, guarded(getattr(os, name)))


def pretend(system: str) -> None:
    """Become another system."""
    for name in [name for name in sys.modules if name.split(".")[0] == "apsp" and name != "apsp._cpu"]:
        del sys.modules[name]
    for name in MODULES[system]:
        sys.modules[name] = None  # type: ignore[assignment]
    for name in FUNCTIONS[system]:
        delattr(os, name)
    sys.modules["apsp._emulated"] = None  # type: ignore[assignment]
    if system == "win32":
        msvcrt: Any = types.ModuleType("msvcrt")
        msvcrt.get_osfhandle = lambda handle: handle
        sys.modules["msvcrt"] = msvcrt
        kernel = Kernel()
        windows: Any = ctypes
        windows.WinDLL = lambda *_, **__: kernel
        windows.get_last_error = lambda: LOCKED_BY_ANOTHER
        refuse_open_files()
    sys.platform = system


def use_all(folder: Path) -> None:
    """Use whatever touches the system."""
    import apsp
    from apsp import csgraph
    from apsp.cli.main import main

    folder.mkdir()
    graph = apsp.generate("grid", 400, seed=1)
    result = apsp.solve(graph, paths=True)
    assert np.array_equal(result.distances, csgraph.dijkstra(graph.to_scipy()))
    result.save(folder / "grid.npz")
    result.save(folder / "grid.npz")
    loaded = apsp.load(folder / "grid.npz")
    assert np.array_equal(loaded.distances, result.distances)
    pages = apsp.solve(graph, method="floyd-warshall", pages_file=folder / "pages")
    assert np.array_equal(pages.distances, result.distances)
    for _ in range(2):
        stored = apsp.solve(graph, store=folder / "grid.zarr")
        assert np.array_equal(np.asarray(stored.distances), result.distances)
    oracle = apsp.prepare(graph)
    oracle.save(folder / "oracle.npz")
    assert apsp.Oracle.load(folder / "oracle.npz").distance(0, 399) == result.distance(0, 399)
    apsp.isochrone(graph, 0, 5)
    for arguments in (
        ["info"],
        ["generate", "city", "-n", "200", "-o", str(folder / "city.gr")],
        ["solve", str(folder / "city.gr"), "-o", str(folder / "city.npz"), "-q"],
        ["path", str(folder / "city.npz"), "1", "9"],
    ):
        sys.argv = ["apsp", *arguments]
        main()
    left = [path for path in folder.rglob("*") if path.name.endswith((".part", ".lock"))]
    assert not left, left


def check_facts(system: str) -> None:
    """Check what is known of the machine."""
    import apsp
    from apsp.system.limits import allowed_memory, physical_cores

    if system == "win32":
        assert allowed_memory(Path("missing")) == (16 << 30, 8 << 30)
    assert physical_cores() is None
    try:
        apsp.solve(apsp.generate("grid", 16, seed=1), device="emulated")
    except apsp.DeviceError as error:
        print(error)


if __name__ == "__main__":
    system, folder = sys.argv[1], Path(sys.argv[2]).resolve()
    use_all(folder / "before")
    pretend(system)
    use_all(folder / "after")
    check_facts(system)
    print("done")
