"""Fewer tests of many parameters: every two values of different parameters meet, not every three; or a few cases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from itertools import combinations

import pytest

__all__ = ["covering", "few", "mark_what_others_cover"]


def covering(rows: Sequence[Sequence[Hashable]]) -> set[int]:
    """Return the numbers of rows which contain every pair of values, in two columns, that the rows contain."""

    def pairs(row: Sequence[Hashable]) -> set[Hashable]:
        return set(combinations(enumerate(row), 2))

    left, chosen = set().union(*map(pairs, rows)), set()
    columns = len(rows[0])
    for wanted in range(columns * (columns - 1) // 2, 0, -1):  # first the rows that contribute most
        for number, row in enumerate(rows):
            new = pairs(row) & left
            if len(new) >= wanted:
                chosen.add(number)
                left -= new
    return chosen


def _key(value: object) -> Hashable:
    """What is equal for equal words and numbers, and for the same object."""
    return (type(value), value) if isinstance(value, str | int | float | None) else id(value)


def few(rows: Sequence[Sequence[Hashable]], count: int) -> set[int]:
    """Return the numbers of COUNT rows: each time the row with values that were taken least, far from those taken."""
    chosen: list[int] = []
    with_value: dict[Hashable, list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        for each in enumerate(row):
            with_value[each].append(number)
    taken, distances = [0] * len(rows), [len(rows)] * len(rows)
    while len(chosen) < min(count, len(rows)):
        left = [number for number, distance in enumerate(distances) if distance > 0]
        best = min(left, key=lambda number: (taken[number], -distances[number]))
        chosen.append(best)
        for each in enumerate(rows[best]):
            for number in with_value[each]:
                taken[number] += 1
        distances = [min(distance, abs(number - best)) for number, distance in enumerate(distances)]
    return set(chosen)


def mark_what_others_cover(items: Sequence[pytest.Item]) -> None:
    """Mark tests as slow of which others cover a part.

    Those with pytest.mark.few(count): all but so many cases. Others with three parameters or more: those whose values
    meet in other cases, two by two.
    """
    tests: dict[str, list[tuple[pytest.Item, list[Hashable]]]] = defaultdict(list)
    for item in items:
        if isinstance(item, pytest.Function) and hasattr(item, "callspec") and not item.get_closest_marker("slow"):
            values = {name: _key(value) for name, value in item.callspec.params.items()}
            together = [mark.args[0] for mark in item.iter_markers("parametrize")]
            groups = [names.split(",") if isinstance(names, str) else names for names in together]
            row: list[Hashable] = [tuple(values.pop(name.strip(), None) for name in names) for names in groups]
            tests[item.nodeid.partition("[")[0]].append((item, [*row, *values.values()]))
    for found in tests.values():
        rows = [row for _, row in found]
        wanted = found[0][0].get_closest_marker("few")
        if wanted is None and len(rows[0]) < 3:
            continue
        chosen = covering(rows) if wanted is None else few(rows, wanted.args[0])
        for number, (item, _) in enumerate(found):
            if number not in chosen:
                item.add_marker(pytest.mark.slow)
