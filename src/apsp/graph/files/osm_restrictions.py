"""Turn restrictions of OpenStreetMap: what the tags and members of a relation say for a mode.

A tag for the mode (`restriction:bicycle`) decides before that for all vehicles (`restriction`), which does not hold for
pedestrians, nor for vehicles that `except` lists. Restrictions at certain times are not considered: those of
`restriction:conditional`, of a value with `@`, and with the older tags `day_on`, `hour_on` and so on.
Source: https://wiki.openstreetmap.org/wiki/Relation:restriction
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = ["KINDS", "Restriction", "kinds_of", "restriction_of", "types_of"]

KINDS = frozenset({
    "no_left_turn", "no_right_turn", "no_straight_on", "no_u_turn", "no_entry", "no_exit", "only_left_turn",
    "only_right_turn", "only_straight_on", "only_u_turn",
})  # fmt: skip

_VEHICLES = {"car": ("motorcar", "motor_vehicle", "vehicle"), "bike": ("bicycle", "vehicle"), "foot": ("foot",)}
"""The words for a mode and for what it belongs to, the narrowest first."""

_HOURS = ("day_on", "day_off", "hour_on", "hour_off")


class Restriction(NamedTuple):
    """A relation that restricts movements of a mode.

    Attributes
    ----------
    number : int
        Of the relation.
    kind : str
        A value of the tag, such as no_left_turn; empty: it holds at certain times only.
    is_timed : bool
        Whether something holds at certain times only.
    from_, to : tuple of int
        Ways.
    via_nodes, via_ways : tuple of int
        Nodes and ways in their order.
    """

    number: int
    kind: str
    is_timed: bool
    from_: tuple[int, ...]
    via_nodes: tuple[int, ...]
    via_ways: tuple[int, ...]
    to: tuple[int, ...]


def types_of(mode: str) -> list[str]:
    """The values of the tag `type` of restrictions that may concern a mode."""
    return ["restriction", *(f"restriction:{vehicle}" for vehicle in ("", *_VEHICLES[mode]))]


def kinds_of(tags: Mapping[str, str], mode: str) -> tuple[str, bool]:
    """The kind of a restriction for a mode, which is empty if there is none, and whether one holds at certain times."""
    first, _, vehicle = tags.get("type", "").partition(":")
    vehicles = _VEHICLES[mode]
    if first != "restriction" or (vehicle and vehicle not in vehicles):
        return "", False
    keys = [f"restriction:{each}" for each in vehicles]
    excepted = {word.strip() for word in tags.get("except", "").split(";")}
    if vehicle or (mode != "foot" and excepted.isdisjoint(vehicles)):
        keys.append("restriction")
    kind = next((tags[key].strip() for key in keys if key in tags), "none")
    timed = any(f"{key}:conditional" in tags for key in keys)
    if kind == "none" or "@" in kind or not tags.keys().isdisjoint(_HOURS):
        return "", timed or kind != "none"
    return kind, timed


def restriction_of(relation: Any, mode: str) -> Restriction | None:
    """What a relation of osmium says; None if it restricts nothing."""
    kind, is_timed = kinds_of(dict(relation.tags), mode)
    if not kind and not is_timed:
        return None
    members = [(member.role, member.type, member.ref) for member in relation.members]

    def of(role: str, type_: str) -> tuple[int, ...]:
        return tuple(ref for each, its_type, ref in members if each == role and its_type == type_)

    return Restriction(
        relation.id, kind, is_timed, of("from", "w"), of("via", "n"), of("via", "w"), of("to", "w")
    )  # fmt: skip
