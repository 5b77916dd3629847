"""Two solves at the same time in threads, and a solve in a forked child while others ran in the parent."""

from __future__ import annotations

import os
import signal
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from apsp.errors import DeviceError
from torture.doors.solve import solve
from torture.judging import Judging
from torture.promise import WrongError

__all__ = ["forked", "together"]


def together(judging: Judging, call: dict[str, Any]) -> None:
    """The same graph in several threads, each by its own judge."""
    judges = [Judging(judging.case) for _ in range(3)]
    with ThreadPoolExecutor(len(judges)) as pool:
        waiting = [pool.submit(solve, judge, call) for judge in judges]
        for judge, future in zip(judges, waiting, strict=True):
            future.result()
            judging.counts += judge.counts


def forked(judging: Judging, call: dict[str, Any]) -> None:
    """In this process, and then in a child that was forked from it."""
    solve(judging, call)
    child = os.fork()
    if child == 0:  # pragma: no cover
        code = 1
        try:
            signal.alarm(60)
            solve(Judging(judging.case), call)
            code = 0
        except BaseException as error:
            if isinstance(error, DeviceError) and "spawn" in str(error):  # CUDA does not survive a fork, and it is said
                code = 0
            else:
                traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise WrongError(f"a forked child ended with {os.waitstatus_to_exitcode(status)}")
