"""The public functions, called and judged: one module per door. Each raises `WrongError`, or whatever apsp raised."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torture.doors.access import access
from torture.doors.batch import batch
from torture.doors.betweenness import betweenness
from torture.doors.command import command
from torture.doors.counted import counted
from torture.doors.counts import counts
from torture.doors.csgraph import scipys
from torture.doors.decays import decays
from torture.doors.given import given
from torture.doors.isochrones import isochrones
from torture.doors.kept import kept
from torture.doors.loads import loads
from torture.doors.local import local
from torture.doors.measures import measures, nearest
from torture.doors.near import near
from torture.doors.oracle import oracle
from torture.doors.parts import parts
from torture.doors.periods import periods
from torture.doors.places import places
from torture.doors.products import products
from torture.doors.reach import reach
from torture.doors.simple_paths import simple_paths
from torture.doors.single import single
from torture.doors.skims import skims
from torture.doors.solve import solve
from torture.doors.stores import stores
from torture.doors.stream import stream
from torture.doors.together import forked, together
from torture.doors.updates import updates
from torture.judging import Judging

__all__ = ["DOORS"]

DOORS: dict[str, Callable[[Judging, dict[str, Any]], None]] = {
    "solve": solve,
    "stream": stream,
    "batch": batch,
    "oracle": oracle,
    "measures": measures,
    "counts": counts,
    "near": near,
    "nearest": nearest,
    "access": access,
    "kept": kept,
    "reach": reach,
    "given": given,
    "command": command,
    "skims": skims,
    "betweenness": betweenness,
    "loads": loads,
    "decays": decays,
    "isochrones": isochrones,
    "local": local,
    "periods": periods,
    "places": places,
    "simple_paths": simple_paths,
    "single": single,
    "products": products,
    "csgraph": scipys,
    "parts": parts,
    "stores": stores,
    "counted": counted,
    "together": together,
    "forked": forked,
    "updates": updates,
}
