"""Cases that failed once, as the torture found and shrank them: none may fail again."""

from __future__ import annotations

from pathlib import Path

import pytest

from torture.case import Case
from torture.judge import judge

CASES = sorted((Path(__file__).parent / "cases").glob("*.json"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_case_that_failed_once(path: Path) -> None:
    failure = judge(Case.load(path))
    assert failure is None, f"{failure.what} in {failure.where}: {failure.words}"
