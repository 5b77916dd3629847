"""Systems that Python has less of: Windows, macOS, WebAssembly. Real ones run in `.github/workflows`."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from apsp.system import positioned, windows

PROGRAM = Path(__file__).with_name("other_systems.py")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what other systems lack is taken away from Linux")
@pytest.mark.parametrize("system", ["win32", "darwin", "emscripten"])
def test_all_that_touches_the_system(system: str, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", PROGRAM, system, tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("done\n")
    if system == "win32":
        assert "the emulated GPU is not there for Windows" in done.stdout


def test_structures_have_the_sizes_of_windows() -> None:
    assert ctypes.sizeof(windows.Overlapped) == 3 * ctypes.sizeof(ctypes.c_void_p) + 8
    assert ctypes.sizeof(windows.MemoryStatus) == 64
    assert windows.MemoryStatus.available.offset == 16


@pytest.mark.parametrize("has_functions", [True, False])
def test_reading_and_writing_at_positions(has_functions: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not has_functions:
        for name in ("preadv", "pwrite"):
            monkeypatch.delattr(os, name, raising=False)
    handle = os.open(tmp_path / "file", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        assert positioned.write_at(handle, b"0123456789", 0) == 10
        assert positioned.write_at(handle, memoryview(b"ab"), 4) == 2
        found = np.zeros(12, dtype=np.uint8)
        assert positioned.read_at(handle, found[:8].data, 4) == 6
        assert found.tobytes()[:6] == b"ab6789"
        assert positioned.read_at(handle, found.data, 10) == 0
    finally:
        os.close(handle)
