"""One row per method: its name, modules, accepted graphs and sources.

The rows are plain data: planning and listing never import a solver. `load` does. Methods that are defined elsewhere
register themselves (docs/architecture.md).
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from apsp._types import HostOrGpuArray
from apsp.errors import UnknownMethodError
from apsp.methods.closure_cost import ClosureModel
from apsp.methods.cost import CostModel
from apsp.methods.method import Method
from apsp.methods.problem import Solver
from apsp.methods.source_cost import SourceModel
from apsp.methods.table import Methods
from apsp.semiring import ALL_DTYPES, MIN_PLUS, Semiring

__all__ = [
    "CLOSURES",
    "METHODS",
    "GraphFacts",
    "Method",
    "automatic",
    "close",
    "closure_costs",
    "considered",
    "costs",
    "get",
    "list_methods",
    "load",
    "prepare",
    "probing",
    "refusal",
    "register",
    "source_methods",
    "source_models",
    "source_solver",
]

METHODS = Methods(
    (
        Method(
            name="floyd-warshall",
            module="apsp.methods.floyd_warshall.floyd_warshall",
            costs="apsp.methods.floyd_warshall.cost:floyd-warshall",
            family="dense",
            summary="Blocked Floyd-Warshall on packed tiles, in SIMD registers",
            source="Venkataraman, Sahni, Mukhopadhyaya 2003, section 3; Katz, Kider 2008, section 3",
            by_rows=False,
            negative=True,
            time="n^3 (add, min) pairs",
            memory="t n for packed panels",
            devices=("cpu", "cuda", "emulated"),
            several_gpus=True,
            files=("cpu", "cuda"),
            distributed="apsp.methods.floyd_warshall.spmd.prepare",
            semirings=("min_plus", "max_min", "min_max"),
            improves_on="scipy floyd_warshall",
        ),
        Method(
            name="dijkstra",
            module="apsp.methods.searches.dijkstra",
            costs="apsp.methods.searches.cost:dijkstra",
            family="sparse",
            summary="Dijkstra from every source over all cores, 4-ary heap",
            source="Dijkstra 1959; Johnson 1975 (d-ary heaps)",
            by_rows=True,
            negative=False,
            time="n (m + n log n)",
            memory="12 n bytes per thread",
            improves_on="scipy dijkstra",
        ),
        Method(
            name="dijkstra-buckets",
            module="apsp.methods.searches.dijkstra_buckets",
            costs="apsp.methods.searches.cost:dijkstra-buckets",
            family="sparse",
            summary="Dijkstra with a ring of buckets and a heap in the open one",
            source="Dial 1969; Cherkassky, Goldberg, Silverstein 1999, section 4 (hot queues)",
            by_rows=True,
            negative=False,
            time="n (m + n), at worst n m log n",
            memory="20 KB and 16 n bytes per thread",
            improves_on="dijkstra",
        ),
        Method(
            name="label-correcting",
            module="apsp.methods.label_correcting.label_correcting",
            costs="apsp.methods.label_correcting.cost:label-correcting",
            family="sparse",
            summary="Label correcting: one SIMD lane per source, 16 to 128 at once; on a GPU one block per source",
            source="Okuyama, Ino, Hagihara 2010, section 4; Meyer, Sanders 2003, section 2; on GPUs also Davidson, "
            "Baxter, Garland, Owens 2014, section 4",
            by_rows=True,
            negative=True,
            time="c n m / l for l lanes (64, 32 or 16 by dtype), c about 2 to 20; on a GPU c n m, c about 1 to 3",
            memory="141 n bytes per thread, 16 to 32 m bytes of arcs; on a GPU 32 to 128 n + 12 to 32 m bytes "
            "of its own",
            devices=("cpu", "cuda", "emulated"),
            several_gpus=True,
            rows_at_once=128,
            improves_on="dijkstra-buckets",
        ),
        Method(
            name="bfs",
            module="apsp.methods.searches.bfs",
            costs="apsp.methods.searches.cost:bfs",
            family="sparse",
            summary="Breadth-first search from 64 sources at once, for graphs that count hops",
            source="Moore 1959; Then et al. 2014, section 3",
            by_rows=True,
            negative=False,
            weighted=False,
            time="n m (worst), n m / 64 where frontiers are shared",
            memory="32 n bytes per thread",
            rows_at_once=64,
            improves_on="scipy shortest_path(unweighted=True)",
        ),
        Method(
            name="bit-bfs",
            module="apsp.methods.bit_bfs.bit_bfs",
            costs="apsp.methods.bit_bfs.cost:bit-bfs",
            family="sparse",
            summary="Breadth-first search from 512 sources at once, along or against arcs; on a GPU from 1,024",
            source="Then et al. 2014, sections 3 and 4; Beamer, Asanovic, Patterson 2012, section 4",
            by_rows=True,
            negative=False,
            weighted=False,
            time="n m (worst), n m / 512 where frontiers are shared; on a GPU n m d / 1024 for paths of at most d arcs",
            memory="64 (3 + d) n bytes per thread for distances of d binary digits, 16 m bytes of arcs; on a GPU twice "
            "64 (3 + d) n bytes of its own",
            devices=("cpu", "cuda", "emulated"),
            several_gpus=True,
            rows_at_once=512,
            improves_on="bfs",
        ),
        Method(
            name="johnson",
            module="apsp.methods.searches.johnson",
            costs="apsp.methods.searches.cost:johnson",
            family="sparse",
            summary="Bellman-Ford potentials, then Dijkstra on exact reduced weights",
            source="Johnson 1977, section 4",
            by_rows=True,
            negative=True,
            time="n m (worst, potentials) + n (m + n log n)",
            memory="40 n + 24 m bytes, and 30 n per thread",
            improves_on="scipy johnson",
        ),
        Method(
            name="near-pairs",
            module="apsp.methods.near.matrix",
            costs="apsp.methods.near.matrix_cost:near-pairs",
            family="sparse",
            summary="The pairs within a cutoff, found as sparse rows and written into rows of 'no path'",
            source="Dijkstra 1959; Okuyama, Ino, Hagihara 2010, section 4; Delling, Goldberg, Nowatzyk, Werneck 2011",
            by_rows=True,
            negative=False,
            time="of what is within the cutoff, and n to write a row",
            memory="144 n bytes per thread, 48 m bytes of arcs, of elimination a factor; of some sources their pairs",
            rows_at_once=64,
            improves_on="dijkstra-buckets",
        ),
        Method(
            name="elimination",
            module="apsp.methods.elimination.elimination",
            costs="apsp.methods.elimination.cost:elimination",
            family="sparse",
            summary="A factor on a nested dissection order, then sweeps up and down its tree, one lane per source",
            source="Carré 1971; George 1973; Sao, Kannan, Gera, Vuduc 2020",
            by_rows=True,
            negative=True,
            time="n^2 log n on planar graphs, n^3 where separators are large",
            memory="n log n values on planar graphs, n^2 at worst; 256 n bytes per thread; on a GPU up to 8 times the "
            "factor, and for rows as much again",
            devices=("cpu", "cuda", "emulated"),
            several_gpus=True,
            shares_preparation=True,
            rows_at_once=64,
            improves_on="dijkstra-buckets",
        ),
        Method(
            name="reference",
            module="apsp.methods.reference",
            costs="apsp.methods.reference_cost:reference",
            family="reference",
            summary="Bellman-Ford from every source in plain NumPy: slow, short, the oracle of the tests",
            source="Bellman 1958; Ford 1956",
            by_rows=True,
            negative=True,
            time="n^2 m (worst)",
            memory="8 n + 8 m bytes",
            automatic=False,
        ),
    )
)


_SOURCE_METHODS: dict[str, tuple[Method, ...]] = {
    "flows": (
        Method(
            name="searches",
            module="apsp.methods.flows.flows",
            costs="apsp.methods.flows.cost:searches",
            family="sparse",
            summary="A search from every source, or from 64 at once in hops, then a pass back over its arcs",
            source="Brandes 2001, section 4; Then et al. 2014",
            by_rows=True,
            negative=False,
            time="n (m + n) in hops, n (m + n log n) with weights",
            memory="1,024 n bytes per thread in hops, 64 n + 8 m with weights",
            dtypes=("float64",),
            purpose="flows",
            devices=("cpu", "cuda", "emulated"),
            rows_at_once=64,
        ),
        Method(
            name="elimination",
            module="apsp.methods.flows.flows",
            costs="apsp.methods.flows.cost:elimination",
            family="sparse",
            summary="A factor over distances and numbers of paths, then sweeps down the trees of sources and back",
            source="Carré 1971",
            by_rows=True,
            negative=False,
            time="n^2 log n on planar graphs, n^3 where separators are large",
            memory="640 n bytes per thread, 32 per entry of the factor",
            dtypes=("float64",),
            purpose="flows",
            devices=("cpu", "cuda", "emulated"),
            rows_at_once=16,
            shares_preparation=True,
        ),
    ),
    "skims": (
        Method(
            name="searches",
            module="apsp.methods.skims.skims",
            costs="apsp.methods.skims.cost:searches",
            family="sparse",
            summary="Dijkstra from every source over tuples of costs",
            source="Dijkstra 1959; Carré 1971",
            by_rows=True,
            negative=False,
            time="n m log n",
            memory="O(n) tuples per thread",
            dtypes=("float64",),
            purpose="skims",
        ),
        Method(
            name="elimination",
            module="apsp.methods.skims.skims",
            costs="apsp.methods.skims.cost:elimination",
            family="sparse",
            summary="A factor over tuples of costs, then the panels between targets and roots per source",
            source="Carré 1971",
            by_rows=True,
            negative=False,
            time="n^2 log n on planar graphs, n^3 where separators are large",
            memory="n log n tuples on planar graphs, n^2 at worst",
            dtypes=("float64",),
            purpose="skims",
            devices=("cpu", "cuda", "emulated"),
            shares_preparation=True,
        ),
    ),
    "within": (
        Method(
            name="searches",
            module="apsp.methods.near.preparing",
            costs="apsp.methods.near.cost:searches",
            family="sparse",
            summary="A truncated search from every source, with buckets",
            source="Dijkstra 1959; Cherkassky, Goldberg, Silverstein 1999, section 4",
            by_rows=True,
            negative=False,
            time="of what is near, per source",
            memory="12 n bytes per thread, 24 m bytes of arcs",
            options={"kind": "searches"},
            purpose="within",
        ),
        Method(
            name="label-correcting",
            module="apsp.methods.near.preparing",
            costs="apsp.methods.near.cost:label-correcting",
            family="sparse",
            summary="Label correcting from sources that are near each other, one SIMD lane per source",
            source="Okuyama, Ino, Hagihara 2010, section 4",
            by_rows=True,
            negative=False,
            time="of what is near to any of 64 (32, 16) sources, c times for all of them",
            memory="144 n bytes per thread, 48 m bytes of arcs, 80 m with next hops",
            options={"kind": "lanes"},
            devices=("cpu", "cuda", "emulated"),
            rows_at_once=64,
            purpose="within",
        ),
        Method(
            name="elimination",
            module="apsp.methods.near.preparing",
            costs="apsp.methods.near.cost:elimination",
            family="sparse",
            summary="A factor, then sweeps that skip what is farther from every source of a batch",
            source="Carré 1971; Delling, Goldberg, Nowatzyk, Werneck 2011",
            by_rows=True,
            negative=False,
            time="n^2 log n on planar graphs, n^3 where separators are large; less by the part that is near",
            memory="n log n values on planar graphs, n^2 at worst; 512 n bytes per thread",
            dtypes=("uint16", "int32"),
            options={"kind": "sweeps"},
            rows_at_once=128,
            shares_preparation=True,
            purpose="within",
        ),
    ),
}
"""Methods of other work than distances, by purpose; the first one of each always applies."""


def source_methods(purpose: str) -> tuple[Method, ...]:
    """Return the methods of flows, skims or near pairs; the planner chooses among all of them."""
    return _SOURCE_METHODS[purpose]


@functools.cache
def source_models(purpose: str) -> tuple[SourceModel[Any], ...]:
    """Return the cost models of flows, skims or near pairs."""
    return tuple(_costs(method.costs) for method in source_methods(purpose))


def source_solver(purpose: str, name: str) -> Callable[..., Any]:
    """Return the function that prepares a method of a purpose, with its options."""
    method = next(method for method in source_methods(purpose) if method.name == name)
    return functools.partial(load(method).prepare, **method.options)


CLOSURES = Methods(
    (
        Method(
            name="strong-components",
            module="apsp.methods.closure.closing",
            costs="apsp.methods.closure.cost:strong-components",
            family="sparse",
            summary="Strong components, then unions of their successors' rows",
            source="Tarjan 1972, section 4; Purdom 1970, section 3",
            by_rows=False,
            negative=True,
            time="n + m, and n / 64 words per arc that adds vertices; on a GPU n + m, and n^3 / 6 pairs of bits",
            memory="nothing; on a GPU n^2 / 4 bytes",
            options={"components": True},
            dtypes=("bool",),
            devices=("cpu", "cuda"),
            semirings=("or_and",),
            purpose="closure",
        ),
        Method(
            name="warshall",
            module="apsp.methods.closure.closing",
            costs="apsp.methods.closure.cost:warshall",
            family="dense",
            summary="Warshall on packed bits: tables of unions, or tensor cores",
            source="Warshall 1962; Arlazarov, Dinic, Kronrod, Faradzev 1970; Katz, Kider 2008, section 3",
            by_rows=False,
            negative=True,
            time="n^3 / 512 words read from tables; on a GPU n^3 pairs of bits",
            memory="128 KiB per thread; in a file panels of rows; on a GPU n^2 / 4 bytes, or strips",
            options={"components": False},
            dtypes=("bool",),
            devices=("cpu", "cuda"),
            semirings=("or_and",),
            files=("cpu", "cuda"),
            several_gpus=True,
            purpose="closure",
        ),
    ),
    purpose="closure",
)
"""The methods of `apsp.reachable`."""


def register(*rows: Method) -> None:
    """Add methods that are defined elsewhere; existing names are not replaced."""
    METHODS.add(row for row in rows if row.purpose == "distances")
    CLOSURES.add(row for row in rows if row.purpose == "closure")


def automatic() -> Iterator[Method]:
    """Return the methods among which the planner chooses."""
    return METHODS.automatic()


def considered(name: str, methods: Methods = METHODS) -> Iterator[Method]:
    """Return the methods that a request considers: that of its name, with 'auto' those that may be chosen."""
    return methods.automatic() if name == "auto" else iter((get(name, methods),))


def list_methods() -> tuple[Method, ...]:
    """Return every method that `solve(method=...)` accepts, as rows of plain data.

    Returns
    -------
    tuple of Method
        The methods; each names its paper in `source`.

    Examples
    --------
    >>> import apsp
    >>> [method.name for method in apsp.list_methods() if method.family == "dense"]
    ['floyd-warshall']
    """
    return tuple(METHODS.values())


def get(name: str, methods: Methods = METHODS) -> Method:
    """Return the row of a method; UnknownMethodError with similar names if there is none."""
    try:
        return methods[name]
    except (KeyError, TypeError):  # TypeError: the name is a list
        raise UnknownMethodError(name, methods) from None


def costs(method: Method) -> CostModel:
    """Return the cost model of a method, without importing kernels or using GPUs."""
    found: CostModel = _costs(method.costs)
    return found


def closure_costs(method: Method) -> ClosureModel:
    """Return the cost model of a closure."""
    found: ClosureModel = _costs(method.costs)
    return found


@functools.cache
def _costs(where: str) -> Any:
    module, _, name = where.partition(":")
    return importlib.import_module(module).COSTS[name]


def probing() -> Iterator[CostModel]:
    """Return the models that examine the graph before a method is chosen: of the methods that may be chosen."""
    models = map(costs, automatic())
    return (model for model in models if model.probes)


def prepare(method: Method) -> Callable[..., Solver]:
    """The function that makes a solver of a problem, with the options of the method."""
    made: Callable[..., Solver] = load(method).prepare
    return functools.partial(made, **method.options) if method.options else made


def close(method: Method) -> Callable[..., HostOrGpuArray]:
    """The function that computes a closure, with the options of the method."""
    found: Callable[..., HostOrGpuArray] = load(method).close
    return functools.partial(found, **method.options) if method.options else found


def load(method: Method) -> ModuleType:
    """Import the module of a method."""
    return _module(method.module)


@functools.cache  # a microsecond or two of each small request
def _module(name: str) -> ModuleType:
    return importlib.import_module(name)


_NAMES = {np.dtype(name): name for name in (*ALL_DTYPES, "bool")}
"""The names of dtypes: NumPy puts together `dtype.name` at each access."""


class GraphFacts(Protocol):
    """The properties of a graph that decide whether a method accepts it: of a `Graph`, or of its statistics."""

    @property
    def is_weighted(self) -> bool: ...  # noqa: D102
    @property
    def has_negative_arc(self) -> bool: ...  # noqa: D102


def refusal(
    method: Method,
    graph: GraphFacts,
    dtype: np.dtype[Any],
    *,
    semiring: Semiring = MIN_PLUS,
    device: str = "cpu",
    by_rows: bool = False,
    in_file: bool = False,
) -> str | None:
    """Return why `method` cannot be used, as text that follows "method 'x' cannot be used:"; None if it can.

    Parameters
    ----------
    by_rows : bool
        The request needs some rows without the others (streaming, reducers).
    in_file : bool
        The matrix will be stored in a file while it is computed.
    """
    if device not in method.devices:
        return f"it runs on {' or '.join(method.devices)}, not on {device}"
    if semiring.name not in method.semirings:
        return f"it computes in {', '.join(method.semirings)}, not in {semiring.name}"
    if not method.weighted and graph.is_weighted:
        return "it counts hops, and this graph has weights (graph.unweighted() drops them)"
    if not method.negative and graph.has_negative_arc:
        return "the graph has negative arcs"
    if _NAMES.get(dtype) not in method.dtypes:
        return f"it computes in {', '.join(method.dtypes)}, not in {dtype.name}"
    if by_rows and not method.by_rows:
        return "it computes all n x n distances at once and cannot give some rows without the others"
    if in_file and device not in method.files:
        where = f"; it can on {' or '.join(method.files)}" if method.files else ""
        return f"on {device} it cannot keep its matrix in a file while it computes (pages_file){where}"
    return None
