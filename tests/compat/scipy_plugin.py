"""A plugin of pytest: SciPy's tests run with this package in the place of SciPy."""

from __future__ import annotations

import os
from typing import Any

import apsp.csgraph
from apsp.compat.csgraph import handing_on, searches, solving

answered = 0


def counted(call: solving.Call) -> Any:
    global answered
    found = solving.answer(call)
    answered += found is not None
    return found


def pytest_terminal_summary(terminalreporter: Any) -> None:
    terminalreporter.write_line(f"apsp answered {answered} calls")


searches.answer = handing_on.answer = counted
if os.environ.get("APSP_TEST_NO_CROSSOVER"):
    searches.scipy_is_faster = handing_on.scipy_is_faster = lambda *arguments: False
apsp.csgraph.install()
