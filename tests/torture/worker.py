"""A process that runs seeds: it reads jobs from its standard input and writes what it found to its standard output.

The seed that it is at lies in a small shared file, so that its parent knows it after a crash.
"""

from __future__ import annotations

import faulthandler
import json
import mmap
import os
import signal
import struct
import sys
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

__all__ = ["main"]

_TELL_AFTER = 1.0  # seconds


def main(place: str) -> None:
    """Run jobs until the input ends: one JSON object per line, with kind, first, last and options."""
    faulthandler.enable()
    faulthandler.register(signal.SIGALRM, chain=True)
    warnings.simplefilter("error")
    # What is printed by anything else must not get between the lines of this process.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    from torture.kinds import runner
    from torture.quick import look_at_the_machine_once

    look_at_the_machine_once()
    with Path(place).open("r+b") as file:
        at = mmap.mmap(file.fileno(), 16)
    for line in sys.stdin:
        job = json.loads(line)
        _run(job, runner(job["kind"]), at, out)


def _run(job: dict[str, Any], run: Any, at: mmap.mmap, out: Any) -> None:
    counts: Counter[str] = Counter()
    told = time.monotonic()
    done = 0

    def tell(**more: Any) -> None:
        nonlocal done, counts, told
        print(json.dumps({"done": done, "counts": counts, **more}), file=out, flush=True)
        done, counts, told = 0, Counter(), time.monotonic()

    limit = int(job["options"].get("seconds", 120))
    for seed in range(job["first"], job["last"]):
        at[:16] = struct.pack("<qq", seed, int(time.time()))
        signal.alarm(limit)  # a case that hangs ends its process, and is reported as such
        found = run(seed, job["options"], counts)
        signal.alarm(0)
        done += 1
        if found is not None:
            tell(failure=found | {"kind": job["kind"], "seed": seed})
        elif time.monotonic() - told > _TELL_AFTER:
            tell()
    tell(finished=True)


if __name__ == "__main__":
    main(sys.argv[1])
