"""Code shared by the GPU benchmarks: their arguments, the name of the GPU, clocks, and the file of results."""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from apsp.gpu import jit

__all__ = ["arguments", "device_seconds", "document", "host_seconds", "write"]


def arguments(benchmark: str, description: str | None, **files: str) -> argparse.Namespace:
    """`quick` and `write` of the command line, and further files (name -> help); prints which GPU runs."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{benchmark}", description=description)
    parser.add_argument("--quick", action="store_true", help="small inputs, to see that everything runs")
    parser.add_argument("--write", type=Path, help="file for the results as JSON")
    for name, words in files.items():
        parser.add_argument(f"--{name}", type=Path, help=words)
    options = parser.parse_args()
    cupy = jit.cupy()
    print(f"{_gpu()}, CUDA {cupy.cuda.runtime.runtimeGetVersion()}, CuPy {cupy.__version__}")
    return options


def document(benchmark: str, rows: list[dict[str, Any]], **facts: Any) -> dict[str, Any]:
    """The document to write: command, commit (empty outside a checkout), GPU, further facts, rows."""
    done = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    command = f"python -m benchmarks.{benchmark}"
    return {"command": command, "commit": done.stdout.strip(), "gpu": _gpu(), **facts, "rows": rows}


def write(path: Path | None, results: dict[str, Any]) -> None:
    """Write a document, if a file was requested."""
    if path is not None:
        path.write_text(json.dumps(results, indent=1) + "\n")


def device_seconds(prepare: Callable[[], object], work: Callable[[], object], rounds: int) -> list[float]:
    """Times of the device, after one unmeasured round."""
    cuda, times = jit.cupy().cuda, []
    for _ in range(rounds + 1):
        prepare()
        begin, end = cuda.Event(), cuda.Event()
        cuda.Device().synchronize()
        begin.record()
        work()
        end.record()
        end.synchronize()
        times.append(cuda.get_elapsed_time(begin, end) / 1e3)
    return times[1:]


def host_seconds(work: Callable[[], object], rounds: int) -> list[float]:
    """Times of the host around a synchronised device, after one unmeasured round."""
    device, times = jit.cupy().cuda.Device(), []
    for _ in range(rounds + 1):
        device.synchronize()
        started = time.perf_counter()
        work()
        device.synchronize()
        times.append(time.perf_counter() - started)
    return times[1:]


def _gpu() -> str:
    return str(jit.cupy().cuda.runtime.getDeviceProperties(0)["name"].decode())
