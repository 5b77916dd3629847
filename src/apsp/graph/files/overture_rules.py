"""The speeds along and against parts of Overture segments, by their rules of access and speed, for a mode.

Of a list of rules the last one that matches decides, and without one the class of the street. Rules for certain times,
purposes, permits or vehicles are not applied; their number is noted. Roads under construction and abandoned ones are
closed where a flag says so.
Source: https://docs.overturemaps.org/guides/transportation/scoping-and-travel-modes
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from apsp.errors import shown
from apsp.graph.files.osm_streets import CLASSES, class_speed

__all__ = ["HEADINGS", "ROUNDING", "Scope", "Stretch", "is_unusable", "scope_of", "street_of", "stretches"]

HEADINGS = ("forward", "backward")

ROUNDING = 1e-7
"""Of the numbers that say where on a segment something is, which have nine decimals."""

_MODES = {"car": ("car", "motor_vehicle", "vehicle"), "bike": ("bicycle", "vehicle"), "foot": ("foot",)}
"""A mode and what it belongs to."""

_EVERY_MODE = ("vehicle", "motor_vehicle", "car", "truck", "motorcycle", "foot", "bicycle", "bus", "hgv", "hov",
               "emergency")  # fmt: skip

_CONDITIONS = ("during", "using", "recognized", "vehicle")
_SCOPES = {"heading", "mode", *_CONDITIONS}
_ACCESS = ("allowed", "denied", "designated")
_UNITS = {"km/h": 1.0, "mph": 1.609344}
_FASTEST = 350
_UNUSABLE = {"is_under_construction", "is_abandoned"}

_STREETS = {
    "unknown": "road", "sidewalk": "footway", "crosswalk": "footway", "driveway": "service", "alley": "service",
    "parking_aisle": "service",
}  # fmt: skip
"""Classes that have another name as those of OpenStreetMap."""

Row = Mapping[str, Any]


class Scope(NamedTuple):
    """Where a rule holds for a mode.

    Attributes
    ----------
    headings : tuple of str
    begin, end : float
        Fractions of the segment.
    is_named : bool
        Whether the rule names the mode.
    """

    headings: tuple[str, ...]
    begin: float
    end: float
    is_named: bool


class Stretch(NamedTuple):
    """A stretch of a segment, and the speeds along and against it in km/h; 0 if that direction is closed."""

    begin: float
    end: float
    along: float
    against: float


class _Rule(NamedTuple):
    scope: Scope
    value: Any

    def holds(self, heading: str, at: float) -> bool:
        return heading in self.scope.headings and self.scope.begin <= at <= self.scope.end


def scope_of(rule: Row, mode: str) -> tuple[Scope | None, bool]:
    """Where a rule holds, None if nowhere for the mode at all times; and whether it depends on a condition.

    Raises
    ------
    ValueError
        If it is not a rule of the schema.
    """
    when = {name: value for name, value in (rule.get("when") or {}).items() if value is not None}
    if not when.keys() <= _SCOPES:
        raise ValueError(
            f"rules depend on {', '.join(sorted(_SCOPES))}, not {', '.join(sorted(when.keys() - _SCOPES))}"
        )
    heading = when.get("heading")
    if heading is not None and heading not in HEADINGS:
        raise ValueError(f"a heading is {' or '.join(HEADINGS)}, not {shown(heading)}")
    begin, end = _between(rule.get("between"))
    modes = when.get("mode") or []
    if not isinstance(modes, list):
        raise ValueError(f"modes are a list, not {shown(modes)}")
    for each in modes:
        if each not in _EVERY_MODE:
            raise ValueError(f"modes are {', '.join(_EVERY_MODE)}, not {shown(each)}")
    is_named = not set(_MODES[mode]).isdisjoint(modes)
    if modes and not is_named:
        return None, False
    if any(when.get(name) for name in _CONDITIONS):
        return None, True
    return Scope(HEADINGS if heading is None else (heading,), begin, end, is_named), False


def _between(between: Any) -> tuple[float, float]:
    if between is None:
        return 0.0, 1.0
    if (
        not isinstance(between, list)
        or len(between) != 2
        or any(each is None for each in between)
        or not 0 <= between[0] <= between[1] <= 1
    ):
        raise ValueError(f"between has two numbers from 0 to 1, not {shown(between)}")
    return float(between[0]), float(between[1])


def street_of(row: Row) -> str:
    """The class of a segment, as OpenStreetMap names it."""
    found = row.get("class") or "unknown"
    return _STREETS.get(found, found)


def is_unusable(rule: Row) -> bool:
    """Whether a rule of flags says that a road is under construction or abandoned."""
    return not _UNUSABLE.isdisjoint(rule.get("values") or ())


def stretches(row: Row, mode: str) -> tuple[list[Stretch], int]:
    """The speeds on a segment, from its beginning to its end; and how many rules depend on a condition.

    Raises
    ------
    ValueError
        If a rule is not one of the schema.
    """
    access, some = _rules(row.get("access_restrictions"), mode, _access)
    limits, more = _rules(row.get("speed_limits"), mode, _limit)
    links, _ = _rules(row.get("subclass_rules"), mode, lambda rule: rule.get("value") == "link" or None)
    links += _rules(row.get("road_flags"), mode, lambda rule: "is_link" in (rule.get("values") or ()) or None)[0]
    closed, _ = _rules(row.get("road_flags"), mode, lambda rule: is_unusable(rule) or None)
    street = street_of(row)
    cuts = sorted({0.0, 1.0, *(at for rule in (*access, *limits, *links, *closed) for at in rule.scope[1:3])})
    found = []
    for begin, end in itertools.pairwise(cuts):
        middle = (begin + end) / 2
        is_link = row.get("subclass") == "link" or _last(links, HEADINGS[0], middle) is not None
        name = f"{street}_link" if is_link and f"{street}_link" in CLASSES else street
        if _last(closed, HEADINGS[0], middle) is not None:
            taken = [0.0, 0.0]
        else:
            taken = [_speed(name, mode, access, limits, heading, middle) for heading in HEADINGS]
        found.append(Stretch(begin, end, *taken))
    return found, some + more


def _speed(street: str, mode: str, access: list[_Rule], limits: list[_Rule], heading: str, at: float) -> float:
    rule = _last(access, heading, at)
    if rule is not None and rule.value == "denied":
        return 0.0
    speed = float(class_speed(street, mode, is_named=rule is not None and rule.scope.is_named))
    limit = _last(limits, heading, at)
    if not speed or limit is None:
        return speed
    return float(limit.value) if mode == "car" else min(float(limit.value), speed)


def _last(rules: list[_Rule], heading: str, at: float) -> _Rule | None:
    return next((rule for rule in reversed(rules) if rule.holds(heading, at)), None)


def _rules(rows: Iterable[Row] | None, mode: str, value_of: Any) -> tuple[list[_Rule], int]:
    """The rules that hold for a mode at all times, and the number of those that depend on a condition."""
    found, conditional = [], 0
    for rule, value in _valued(rows or (), value_of):
        scope, depends = scope_of(rule, mode)
        conditional += depends
        if scope is not None:
            found.append(_Rule(scope, value))
    return found, conditional


def _valued(rows: Iterable[Row], value_of: Any) -> Iterator[tuple[Row, Any]]:
    return ((rule, value) for rule in rows if (value := value_of(rule)) is not None)


def _access(rule: Row) -> str:
    found = rule.get("access_type")
    if found not in _ACCESS:
        raise ValueError(f"an access_type is {', '.join(_ACCESS)}, not {shown(found)}")
    return str(found)


def _limit(rule: Row) -> float | None:
    """The highest speed in km/h; None for a rule of the lowest one."""
    speed = rule.get("max_speed")
    if speed is None:
        return None
    value, unit = speed.get("value"), speed.get("unit")
    if unit not in _UNITS or value is None or not 1 <= value <= _FASTEST:
        raise ValueError(
            f"a max_speed has a value from 1 to {_FASTEST} and a unit, {' or '.join(_UNITS)}, not {shown(speed)}"
        )
    return float(value) * _UNITS[unit]
