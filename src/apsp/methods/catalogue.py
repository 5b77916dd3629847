"""The page of methods, from the registry: `python -m apsp.methods.catalogue > docs/algorithms.md`."""

from __future__ import annotations

from apsp.methods.registry import METHODS, Method
from apsp.semiring import ALL_DTYPES

__all__ = ["markdown"]

_HEAD = """# Algorithms

Generated from `src/apsp/methods/registry.py` and `published/rows.py` by `scripts/docs`: edit there. `n` is the number
of vertices, `m` of arcs, `p` of threads, `t` the side of a tile. `apsp plan FILE` says which method a graph would get,
and why."""

_FAMILIES = {
    "dense": ("Dense", "All n x n distances at once; the cost does not depend on the number of arcs."),
    "sparse": ("Sparse", "One source after another (or several at a time); the cost grows with the number of arcs."),
    "published": ("Published", "As in the paper, for comparison: correctness is the aim, speed is not."),
    "reference": ("Reference", "Short and slow: what the tests compare everything else with."),
}

_BESIDE = """## Beside the methods

- Transitive closure (`apsp.reachable`), one bit per pair: strongly connected components, then unions of bit rows over
  the condensation; tables of unions where arcs are many. Tarjan 1972; Purdom 1970; Arlazarov, Dinic, Kronrod,
  Faradzev 1970. `src/apsp/methods/closure/closure.py`
- The same on GPUs: components on the CPU, then Warshall's algorithm over blocks of the triangular condensation, bits
  multiplied by the tensor cores; dense graphs without components; several GPUs, and bits that do not fit on one, by
  strips. Warshall 1962; Katz, Kider 2008. `src/apsp/methods/closure/on_gpu.py`, `closure_by_strips.py`
- The same over processes (`apsp.spmd.reachable`): each closes the rows of all components in columns of its own, arc by
  arc or by products. `src/apsp/methods/closure/columns.py`
- The bound that proves a dtype: inside a strongly connected component every distance is at most ecc_in(r) + ecc_out(r)
  for any vertex r. `src/apsp/facts/bounds.py`
- Chains on GPUs: where no vertex has many neighbours, distances of vertices with one or two are put together from those
  of the core that is left without them. `src/apsp/methods/label_correcting/chains.py`, `through_core.py`
- Predecessors of dense results, and paths without kept predecessors: a pass over the arcs that are tight, that is
  dist[i, u] + w(u, v) = dist[i, v]. `src/apsp/result/paths.py`, `src/apsp/methods/rows/kernels/predecessors.cu`
- Checking: a row is right exactly if no arc shortens a distance and tight arcs lead from the source to every vertex
  reached. `src/apsp/result/verification.py`, `cpp/paths/verify.hpp`"""


def markdown() -> str:
    """Return the text of docs/algorithms.md."""
    parts = [_HEAD, _table()]
    for family, (title, words) in _FAMILIES.items():
        members = [method for method in METHODS.values() if method.family == family]
        if members:
            parts += [f"## {title}\n\n{words}", *(_section(method) for method in members)]
    return "\n\n".join([*parts, _BESIDE]) + "\n"


def _table() -> str:
    lines = ["| method | time | takes | picked by itself |", "|---|---|---|---|"]
    lines += [
        f"| [{method.name}](#{method.name}) | {method.time} | {_takes(method)} | {_yes(method.automatic)} |"
        for method in METHODS.values()
    ]
    return "\n".join(lines)


def _yes(claim: bool) -> str:
    return "yes" if claim else "no"


def _takes(method: Method) -> str:
    words = "any weights" if method.negative else "weights of at least 0"
    return words if method.weighted else "hops"


def _section(method: Method) -> str:
    facts = [
        ("source", method.source),
        ("code", f"`src/{method.module.replace('.', '/')}.py`"),
        ("runs on", method.where),
        ("time", method.time),
        ("memory beyond the output", method.memory),
        ("dtypes", "all" if method.dtypes == ALL_DTYPES else ", ".join(method.dtypes)),
        ("algebras", ", ".join(method.semirings)),
        ("negative arcs", "yes, and negative cycles are reported" if method.negative else "no"),
        ("some rows without the others", "yes" if method.by_rows else "no"),
        ("built to beat", method.improves_on),
    ]
    lines = [f"### {method.name}", "", f"{method.summary}.", ""]
    lines += [f"- {name}: {value}" for name, value in facts if value]
    return "\n".join(lines)


if __name__ == "__main__":
    print(markdown(), end="")
