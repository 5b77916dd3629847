"""The speeds along and against an OpenStreetMap way, by its tags, for a car, a bicycle or a pedestrian.

The speed is the limit (`maxspeed`, also per direction and for a vehicle), but at most the maximum speed of the mode;
without a limit, a car has the speed of the class of the street, as in the car profile of OSRM. A way, or one direction
of it (`motor_vehicle:backward`), is closed if a tag says so: first the tag for the mode decides, then those for all
vehicles, then `access`. Not considered: barriers, traffic lights, conditions that hold at certain times, lanes,
surfaces and slopes. Source: https://wiki.openstreetmap.org/wiki/Key:access, Key:oneway, Key:maxspeed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["CLASSES", "KEYS", "MODES", "class_speed", "speeds"]

MODES = ("car", "bike", "foot")

_CAR = {
    "motorway": 90, "motorway_link": 45, "trunk": 85, "trunk_link": 40, "primary": 65, "primary_link": 30,
    "secondary": 55, "secondary_link": 25, "tertiary": 40, "tertiary_link": 20, "unclassified": 25, "residential": 25,
    "living_street": 10, "service": 15, "road": 25,
}  # fmt: skip
_QUIET = {street: 15 for street in _CAR if not street.startswith(("motorway", "trunk"))}
_BIKE = _QUIET | {"cycleway": 15, "track": 12, "path": 12}
_FOOT = dict.fromkeys([*_QUIET, "cycleway", "track", "path", "footway", "pedestrian", "bridleway", "corridor"], 5)
_CLASSES: dict[str, Mapping[str, int]] = {"car": _CAR, "bike": _BIKE, "foot": _FOOT | {"steps": 3}}
"""Classes of streets that are open to a mode, with speeds in km/h."""

_IF_ALLOWED: dict[str, Mapping[str, int]] = {
    "car": {"track": 15, "pedestrian": 5},
    "bike": {"trunk": 15, "trunk_link": 15, "footway": 8, "pedestrian": 8, "bridleway": 8},
    "foot": {"trunk": 5, "trunk_link": 5},
}
"""Classes that are open to a mode only with a tag for the mode."""

CLASSES = frozenset(name for classes in (*_CLASSES.values(), *_IF_ALLOWED.values()) for name in classes)
"""The classes of streets that are open to some mode."""

_ACCESS = {
    "car": ("motorcar", "motor_vehicle", "vehicle", "access"),
    "bike": ("bicycle", "vehicle", "access"),
    "foot": ("foot", "access"),
}
_CLOSED = {"no", "private", "agricultural", "forestry", "agricultural;forestry", "delivery", "military", "emergency",
           "psv", "bus", "permit", "residents", "use_sidepath"}  # fmt: skip
_ALLOWED = {"yes", "designated", "permissive", "official", "destination"}

_ONEWAY = {
    "car": ("oneway:motorcar", "oneway:motor_vehicle", "oneway:vehicle", "oneway"),
    "bike": ("oneway:bicycle", "oneway:vehicle", "oneway"),
    "foot": ("oneway:foot",),
}
_DIRECTIONS = {
    **dict.fromkeys(["yes", "true", "1"], (True, False)),
    **dict.fromkeys(["-1", "reverse"], (False, True)),
    **dict.fromkeys(["no", "false", "0", "alternating"], (True, True)),
    "reversible": (False, False),
}
_CYCLEWAYS = ("cycleway", "cycleway:left", "cycleway:right", "cycleway:both")

_BOTH = ("forward", "backward")
_OWN = {"car": 2, "bike": 1, "foot": 1}
"""How many of the tags of access, the first, open classes of streets that are closed otherwise."""


def _narrowest(keys: tuple[str, ...], direction: str) -> tuple[str, ...]:
    """Each key for a direction, then for both."""
    return tuple(each for key in keys for each in (f"{key}:{direction}", key))


_LIMITED = {
    "car": ("maxspeed:motorcar", "maxspeed:motor_vehicle", "maxspeed:vehicle", "maxspeed"),
    "bike": ("maxspeed:bicycle", "maxspeed:vehicle", "maxspeed"),
    "foot": ("maxspeed",),
}
_ACCESS_OF = {(mode, direction): _narrowest(_ACCESS[mode], direction) for mode in MODES for direction in _BOTH}
_OWN_OF = {
    (mode, direction): _narrowest(_ACCESS[mode][: _OWN[mode]], direction) for mode in MODES for direction in _BOTH
}
_LIMITS_OF = {(mode, direction): _narrowest(_LIMITED[mode], direction) for mode in MODES for direction in _BOTH}

KEYS = frozenset({
    "area", "highway", "junction", "sidewalk", *_CYCLEWAYS, *(key for mode in MODES for key in _ONEWAY[mode]),
    *(key for keys in (*_ACCESS_OF.values(), *_LIMITS_OF.values()) for key in keys),
})  # fmt: skip
"""The keys of the tags that speeds depend on."""

_LIMIT = re.compile(r"(\d{1,3}(?:\.\d+)?)\s*(km/h|kmh|kph|mph|knots)?", re.ASCII)
_UNITS = {"mph": 1.609344, "knots": 1.852}
_ZONES = {"urban": 50, "rural": 90, "trunk": 110, "motorway": 120, "living_street": 10, "bicycle_road": 30}
_WORDS = {"walk": 5.0, "none": 130.0}


def speeds(tags: Mapping[str, str], mode: str) -> tuple[float, float]:
    """Return the speeds along a way and against it in km/h; 0 if that direction is closed."""
    if tags.get("area") == "yes" and mode != "foot":
        return 0.0, 0.0
    along, against = _directions(tags, mode)
    return (_speed(tags, mode, "forward") if along else 0.0, _speed(tags, mode, "backward") if against else 0.0)


def _speed(tags: Mapping[str, str], mode: str, direction: str) -> float:
    """The speed in one direction that is open as far as one-way streets are concerned."""
    street = tags.get("highway", "")
    said = _first(tags, _ACCESS_OF[mode, direction])
    speed = class_speed(street, mode, is_named=_first(tags, _OWN_OF[mode, direction]) in _ALLOWED)
    if mode == "foot" and street.startswith("trunk") and tags.get("sidewalk") in ("both", "left", "right", "yes"):
        speed = 5
    if not speed or said in _CLOSED:
        return 0.0
    if mode == "bike" and said == "dismount":
        speed = 5
    limits = (_limit(tags[key]) for key in _LIMITS_OF[mode, direction] if key in tags)
    limit = next((each for each in limits if each is not None), None)
    if limit is None:
        return float(speed)
    return limit if mode == "car" else min(limit, float(speed))


def _first(tags: Mapping[str, str], keys: tuple[str, ...]) -> str:
    return next((tags[key] for key in keys if key in tags), "")


def class_speed(street: str, mode: str, *, is_named: bool) -> int:
    """The speed on a class of street in km/h, 0 if it is closed; `is_named` says that the mode itself is allowed."""
    return _CLASSES[mode].get(street, 0) or (_IF_ALLOWED[mode].get(street, 0) if is_named else 0)


def _directions(tags: Mapping[str, str], mode: str) -> tuple[bool, bool]:
    implied = tags.get("highway") == "motorway" or tags.get("junction") in ("roundabout", "circular")
    default = (True, not implied) if mode != "foot" else (True, True)
    for key in _ONEWAY[mode]:
        if key == "oneway" and mode == "bike" and any(tags.get(c, "").startswith("opposite") for c in _CYCLEWAYS):
            return True, True
        if key in tags:
            return _DIRECTIONS.get(tags[key].lower(), default)
    return default


def _limit(text: str) -> float | None:
    """Return the limit of a tag in km/h, the lowest of several; None if it has none that can be read."""
    found = [limit for part in text.lower().split(";") if (limit := _one_limit(part.strip())) is not None]
    return min(found, default=None)


def _one_limit(text: str) -> float | None:
    if number := _LIMIT.fullmatch(text):
        limit = float(number[1]) * _UNITS.get(number[2], 1.0)
        return limit if 1 <= limit <= 300 else None
    zone = text.rpartition(":")[2].removeprefix("zone")  # 'de:urban', 'de:zone:30', 'fr:zone30'
    if ":" in text and zone.isascii() and zone.isdigit() and len(zone) < 4:
        return float(zone) or None
    return _WORDS.get(text) or (_ZONES.get(zone) if ":" in text else None)
