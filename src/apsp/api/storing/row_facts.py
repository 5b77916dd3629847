"""What is written about a store of distances, or of what is computed from rows of distances."""

from __future__ import annotations

from typing import Any

from apsp._types import JsonObject
from apsp.facts.request import Request
from apsp.planning.plan import Plan
from apsp.store.facts import Facts, Problem

__all__ = ["facts_of_rows", "wanted_of_rows"]


def facts_of_rows(
    problem: Problem,
    request: Request,
    decided: Plan,
    band_rows: int,
    kind: str,
    *,
    reciprocals: bool = False,
    measure: JsonObject | None = None,
    extra: dict[str, tuple[str, str, int]] | None = None,
) -> Facts:
    """Return the facts of a new store; parameters as the attributes of `Facts`."""
    from apsp import __version__

    n = problem.graph.n
    rows, columns = (n if chosen is None else len(chosen) for chosen in (problem.sources, problem.targets))
    return Facts(
        kind=kind, shape=(rows, columns), band_rows=band_rows, dtype=decided.dtype.name, paths=request.paths,
        reciprocals=reciprocals, cutoff=request.cutoff, method=decided.method, device=decided.device,
        threads=decided.threads,
        pinned=request.paths or reciprocals or kind == "measure" or decided.dtype.kind == "f",
        directed=problem.graph.directed, semiring=request.semiring.name, apsp=__version__, plan=decided.to_dict(),
        measure=measure or {}, extra=extra or {},
    )  # fmt: skip


def wanted_of_rows(
    request: Request, kind: str, *, reciprocals: bool = False, measure: JsonObject | None = None
) -> dict[str, Any]:
    """Return the request, for `refuse_other`."""
    return vars(request) | {"kind": kind, "reciprocals": reciprocals, "measure": measure or {}}
