"""Run small tests of every CUDA kernel under NVIDIA's compute-sanitizer, on a GPU.

Usage: python tests/gpu/sanitizer.py [--tools memcheck,racecheck,initcheck,synccheck] [--tests WORD] [--jobs N]
[--seconds S]

One process per tool and file of tests, N at a time; a process begins no test after S seconds, and is killed after
twice as many. Prints the errors that each tool found, process by process, and the kernels that no test has launched.
Exit status 1 if there are any.

The ends of rows, up to the next multiple of 16 bytes, are read with whole words and copied along, and never used: they
are written here before, so that initcheck finds only what is used. What CuPy sorts is sorted on the host, since its
kernels move the unused bytes of pairs of different dtypes. Races within kernels of CuPy are not counted. A process
takes one or two GiB of the GPU, which limits N.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")

SELECTIONS: tuple[tuple[str, str], ...] = (
    ("tests/test_contract.py", "GPU and several and panels and int32"),
    ("tests/test_contract.py", "GPU and only and zero and float64"),
    ("tests/test_contract.py", "GPU and zones and float32 and not only"),
    ("tests/test_extreme_shapes.py", "GPU and hub and grid"),
    ("tests/gpu/test_interop.py", "narrow_dtypes or loops_and_cycles"),
    ("tests/methods/closure/test_bits.py", "counts or zones or beyond_its_depth"),
    ("tests/published/test_johnson.py", "prefix and int32 and 256"),
    ("tests/published/test_johnson.py", "queue and int32 and 256"),
    ("tests/published/test_johnson.py", "flag and float64 and 256"),
    ("tests/methods/rows/test_predecessors.py", "rounded_sums"),
    *(
        (str(path.relative_to(ROOT)), "")
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if "mark.gpu" in path.read_text()
        and path.name
        not in ("test_contract.py", "test_interop.py", "test_faults.py", "test_tune.py", "test_johnson.py")
        and "spmd" not in path.parts
    ),
)
"""Files of tests, and the expression that selects some of them; not of times, nor of processes that have limits."""


# -- the plugin of pytest in each process ----------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _launches(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Record which kernels a test launches; every allocation has its own memory, so that its ends are seen."""
    from apsp.gpu import jit, page
    from apsp.gpu.recorder import Recorder

    if time.monotonic() - BEGIN > float(os.environ["APSP_SECONDS"]):
        pytest.skip("no time is left")
    cupy.cuda.set_allocator(None)
    allocate = page.allocate

    def with_ends_of_rows(device: int, rows: int, columns: int, *how: Any) -> Any:
        made = allocate(device, rows, columns, *how)
        with made.device:
            made.base[:, columns:] = 0
        return made

    def sorted_on_host(keys: Any, axis: int = -1, **_: Any) -> Any:
        return cupy.asarray(np.argsort(keys.get(), axis=axis, kind="stable"))

    for module in list(sys.modules.values()):
        if getattr(module, "allocate", None) is allocate:
            monkeypatch.setattr(module, "allocate", with_ends_of_rows)
    monkeypatch.setattr(cupy, "argsort", sorted_on_host)
    recorder = Recorder()
    monkeypatch.setattr(jit, "active_recorder", lambda: recorder)  # in every thread
    yield
    with Path(os.environ["APSP_LAUNCHES"]).open("a") as file:
        file.writelines(f"{name}\n" for name in recorder.kernels)


BEGIN = time.monotonic()


# -- the program -----------------------------------------------------------------------------------------------------


def kernels() -> set[str]:
    """Return the names of all kernels of the package."""
    found: set[str] = set()
    for path in (ROOT / "src").rglob("*.cu*"):
        if "emulated" not in path.parts:
            for head in re.findall(r"__global__\b([^{;]*)", path.read_text()):
                plain = re.sub(r"__\w+__\((?:[^()]|\([^()]*\))*\)", "", head)  # without attributes
                found.update(re.findall(r"(\w+)\(", plain)[:1])
    return found


def run(tool: str, selection: tuple[str, str], folder: Path, seconds: int) -> dict[str, Any]:
    """Run some tests under a tool."""
    path, expression = selection
    name = f"{tool}-{SELECTIONS.index(selection)}"
    launches, log = folder / f"{name}.launches", folder / f"{name}.log"
    command = ["timeout", "--signal=KILL", str(2 * seconds)]  # the tests as well
    command += ["compute-sanitizer", "--tool", tool, "--error-exitcode", "99", "--print-limit", "5"]
    command += ["--report-api-errors", "no"]  # NCCL looks for kernels of other GPUs, too
    command += [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "gpu.sanitizer",
        "-p",
        "no:cacheprovider",
        "-m",
        "gpu",
        path,
    ]
    # The tools keep the frames of Python from which kernels are launched, and with them what should be freed.
    command += ["-k", f"({expression or 'test'}) and not are_freed"]
    environment = {**os.environ, "APSP_SECONDS": str(seconds), "APSP_LAUNCHES": str(launches)}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")])
    with log.open("w") as file:
        code = subprocess.run(command, cwd=ROOT, env=environment, stdout=file, stderr=file).returncode
    text = log.read_text(errors="replace")
    if tool == "racecheck":
        races = re.findall(r"Race reported between \w+ access at (\S+)", text)
        errors = sum("cupy_" not in kernel for kernel in races)
    else:
        summary = re.findall(r"ERROR SUMMARY: (\d+)", text)
        errors = max(map(int, summary), default=text.count("Saved host backtrace"))
    ending = re.findall(r"(?m)^.*\d (?:passed|failed|skipped).* in [\d.]+s", text)
    outcome = re.findall(r"(\d+) (passed|failed|skipped|error)", "".join(ending))
    return {
        "tool": tool,
        "tests": path,
        "selected": expression,
        "errors": errors,
        "reports": re.findall(r"=+ (.*(?:Race reported|Invalid|Uninitialized|Barrier error).*)", text)[:5],
        "outcome": {word: int(count) for count, word in outcome},
        "exit status": code,
        "launched": sorted(set(launches.read_text().split())) if launches.exists() else [],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", default=",".join(TOOLS))
    parser.add_argument("--tests", default="", help="only files, or what is selected from them, with this word")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=int, default=300, help="after which a process begins no test (%(default)s)")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "compute-sanitizer")
    given = parser.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    chosen = [selection for selection in SELECTIONS if given.tests in " ".join(selection)]
    work = [(tool, selection) for tool in given.tools.split(",") for selection in chosen]
    found = []
    with ThreadPoolExecutor(given.jobs) as pool:
        for row in pool.map(lambda one: run(*one, given.output, given.seconds), work):
            found.append(row)
            print(
                f"{row['tool']} {row['tests']} [{row['selected']}]: {row['errors']} errors, {row['outcome']}",
                flush=True,
            )
    bad = False
    for tool in given.tools.split(","):
        rows = [row for row in found if row["tool"] == tool]
        missing = sorted(kernels() - {name for row in rows for name in row["launched"]})
        errors = sum(row["errors"] for row in rows)
        passed = sum(row["outcome"].get("passed", 0) for row in rows)
        print(f"{tool}: {errors} errors in {passed} tests; not launched: {', '.join(missing) or 'none'}")
        for row in rows:
            if row["errors"] != 0 or row["exit status"] != 0:
                print(f"  {row['tests']} [{row['selected']}]: {row['errors']} errors, exit status {row['exit status']}")
        bad = bad or errors > 0 or bool(missing)
    (given.output / "summary.json").write_text(json.dumps(found, indent=1))
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
