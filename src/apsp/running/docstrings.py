"""The parts of docstrings that public functions share."""

from __future__ import annotations

import inspect
import re

__all__ = ["described"]

_OPTIONS = {
    "cutoff": """\
cutoff : int or float, optional
    Count pairs at a longer distance as pairs without a path.""",
    "dtype": """\
dtype : {'auto', 'uint16', 'int32', 'int64', 'float32', 'float64'}
    Dtype of the distances, as for `apsp.solve`.""",
    "paths": """\
paths : bool
    Keep predecessors.""",
    "method": """\
method : str
    'auto' or a name of `apsp.list_methods()`.""",
    "device": """\
device : {'auto', 'cpu', 'cuda', 'cuda:1', 'cuda:0,1', 'emulated'}
    As for `apsp.solve`. Rows that a GPU computes are reduced there.""",
    "gpu_memory": """\
gpu_memory : int or str, optional
    Most bytes to use of each GPU, or '16GiB'; by default APSP_GPU_MEMORY, or all that is free.""",
    "pages_file": """\
pages_file : path, optional
    File of pages for a run that can be resumed, as for `apsp.solve`.""",
    "threads": """\
threads : int, optional
    CPU threads; by default APSP_NUM_THREADS or all cores.""",
    "rows": """\
rows : int, optional
    Rows of distances per block, as for `apsp.stream`.""",
    "executor": """\
executor : 'processes', concurrent.futures.Executor or dask.distributed.Client, optional
    Compute in the workers of this engine; `threads` is then the number per worker.""",
    "store": """\
store : str, Path or store of obstore, optional
    Write the results of the rows there, a block of sources at a time (about half a minute of work): the same call
    resumes after an interruption, and several such calls share the work, as for `apsp.solve`.""",
    "progress": """\
progress : bool or callable
    True draws a bar; a callable is called as progress(stage, done, total).""",
}

_OPTIONS_OF_FLOWS = _OPTIONS | {
    "device": """\
device : {'auto', 'cpu', 'cuda', 'cuda:1', 'emulated'}
    A GPU computes in hops, and with integer weights above zero if the separators of the graph are small (roads, grids);
    by default if the CPU would take more than a few seconds. Its sums may differ from those of the CPU in the last
    bits.""",
    "executor": """\
executor : 'processes', concurrent.futures.Executor or dask.distributed.Client, optional
    Compute blocks of sources in the workers of this engine; `threads` is then the number per worker. The sums of blocks
    are added in their order, so that they do not depend on the number of workers; they may differ in the last bits from
    those without an executor.""",
    "store": """\
store : str, Path or store of obstore, optional
    Write the sums there, a block of sources at a time (some seconds of work of one core, and at most 256 blocks): the
    same call resumes after an interruption, also with another number of threads or an executor, and several such calls
    share the work, as for `apsp.solve`. The values are those with an executor, to the last bit.""",
}

_OPTIONS_OF_SOLVE = _OPTIONS | {
    name: f"{_OPTIONS[name].splitlines()[0]}\n    As for `apsp.solve`."
    for name in ("cutoff", "dtype", "paths", "method", "device", "gpu_memory", "pages_file", "threads")
}

_OPTIONS_OF_SEARCHES = _OPTIONS | {
    "dtype": """\
dtype : {'auto', 'uint16', 'int32', 'int64', 'float32', 'float64'}
    Dtype of the distances. 'auto' chooses the narrowest integer that provably holds every distance within the cutoff,
    or the floats of the weights.""",
    "device": """\
device : {'auto', 'cpu'}
    The searches run on the CPU.""",
}

_OPTIONS_OF_NEAR = _OPTIONS_OF_SEARCHES | {
    "device": """\
device : {'auto', 'cpu', 'cuda', 'cuda:1', 'emulated'}
    One GPU, unless sums of other costs are requested; by default if the CPU would take more than a few seconds, and
    sources reach some thousand vertices at most. The distances are the same; next hops may be others.""",
    "store": """\
store : str, Path or store of obstore, optional
    Write the pairs there as Parquet files, a block of sources at a time (tens of mebibytes, or half a minute of work):
    they need not fit into memory, the same call resumes after an interruption, also with another number of threads or
    an executor, and several such calls share the work, as for `apsp.solve`.""",
}

_FAILURES = """\
MemoryLimitError
    Before the work, if it does not fit.
ExecutorError
    If an engine (`executor`) or one of its workers fails.
OutputError
    If a store cannot be written; what is there stays."""

_TEXTS = {
    "failures": _FAILURES,
    "narrow_dtype": """\
.. warning:: The dtype is the narrowest that holds the distances: sums of integers wrap, and "no path" is a
   number. To compute with them, `numpy.where(found == apsp.unreachable(found.dtype), numpy.inf, found)` is
   float64.""",
    "weight": """\
weight : str, callable, (m,) numbers or None
    The lengths of the edges, as in `apsp.as_graph`; None counts hops.""",
    "pairs": """\
sources, targets : sequences of k vertices, or one vertex
    The i-th pair is that of the i-th source and the i-th target. One vertex is paired with each of the others.""",
    "reduced_parts": """\
measures : str or sequence of str, optional
    Keep what these measures need, and nothing else, as for `apsp.summary`.
groups : (n,) sequence, mapping, Series or sets of vertices, optional
    Keep statistics of the distances within and between groups, as for `apsp.distance_statistics`.
quantiles : number or sequence of numbers, optional
    Shares from 0 to 1: keep the quantiles between groups.
columns : bool
    Keep sums of incoming distances too, which direction='in' needs in a directed graph.
bins : int
    Maximum number of bins of the histogram; 0 means no histogram.
edges : (B + 1,) increasing numbers, optional
    Bins of the histogram instead.""",
    "areas": """\
width : number
    The polygon holds what is within so much of the source, or of a reached part of a street: in metres if the
    coordinates are degrees, otherwise in their unit.
crs : str or pyproj.CRS, optional
    What the coordinates of the graph are: 'degrees', 'microdegrees' (polygons then have degrees) or 'plane', as for
    `Graph.snap`, or what pyproj knows, such as 'EPSG:25832'. Needed unless the graph knows it (`Graph.crs`).
holes : bool
    Leave out areas between streets that are farther away than the width.""",
    "graph": """\
graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
    The graph, or an object that is converted to one.""",
    "sources": """\
sources : vertex or sequence of vertices, optional
    Only distances from these vertices; all vertices by default.""",
    "vertices": """\
vertices : vertex or sequence of vertices, optional
    Only these vertices; all by default.""",
    "top": """\
top : int, optional
    Return only the vertices with so many largest centralities, of `vertices` if these are given.""",
    "direction": """\
direction : {'in', 'out'}
    Distances to the vertex, as in NetworkX, or from it.""",
    "centralities": """\
(S,) float64, or MostCentral
    Centralities in the order of the vertices; with `top` the vertices with the largest ones, largest first, and of
    equal numbers the first in the graph.""",
    "whole_sum": """\
int or float
    The sum, exact for integer distances; infinite if a pair has no path.""",
    "degrees": """\
Each unordered pair counts once. Degrees count edges, whatever their weights, and a self-loop twice. Directed graphs are
refused, as in NetworkX.""",
    "few_searches": """\
Integer distances of graphs of 4,096 vertices or more are bounded by a few searches, on a GPU if `device` names one and
all rows would take it much longer: Takes and Kosters, "Computing the eccentricity distribution of large graphs",
Algorithms 6, 2013; Borassi et al., "Fast diameter and radius BFS-based computation in (weakly connected) real-world
graphs", Theoretical Computer Science 586, 2015. Where these close little, twins (vertices with the same neighbours),
trees that hang at a vertex, chains and rings get theirs from one or two searches each; components are searched
apart.""",
    "from_to": """\
sources : vertex or sequence of vertices, optional
    Only paths from these vertices; all vertices by default.
targets : vertex or sequence of vertices, optional
    Only paths to these vertices; all vertices by default.
cutoff : int or float, optional
    Only pairs of at most this distance.""",
    "flow_errors": """\
GraphError, DtypeRangeError, DeviceError
    If the input is invalid, a path may be longer than int64 can hold, or the device does not exist.
RequestError
    If the request is invalid, or names a GPU that cannot compute it; if a source reaches a cycle of length zero,
    other than there and back along a tree (as connectors of zones are); if a number of paths is beyond float64; if
    float weights are negative.
NegativeCycleError
    If a source reaches a cycle of negative length; the error holds the cycle.
"""
    + _FAILURES,
    "ties": """\

Two paths of integer weights are equally short if their lengths are equal. Lengths of float weights are summed up from
the source in float64, and paths to a vertex are equally short if these sums are equal, as in NetworkX: to count
decimal fractions that are equal but for rounding, use integers (multiples of a unit). Parallel arcs count as one,
and self-loops do not count. Numbers of paths are float64: exact up to 2^53, then good to a few roundings.""",
    "errors": """\
GraphError, RequestError, UnknownMethodError, MethodRefusedError, DtypeRangeError, DeviceError
    If the input or the request is invalid.
NegativeCycleError
    If a requested source reaches a cycle of negative length; the error holds the cycle.
"""
    + _FAILURES,
}

_TABLES = {
    "options": _OPTIONS,
    "flow_options": _OPTIONS_OF_FLOWS,
    "near_options": _OPTIONS_OF_NEAR,
    "search_options": _OPTIONS_OF_SEARCHES,
    "solve_options": _OPTIONS_OF_SOLVE,
}

_ERRORS = {"options": "errors", "flow_options": "flow_errors"}
"""The errors of functions with these options, whose docstrings have no section Raises."""

_AFTER_ERRORS = re.compile(r"^(?=(See Also|Notes|References|Examples)\n-)", re.MULTILINE)

_PLACEHOLDER = re.compile(r"^\{(\w+)\}$", re.MULTILINE)


def described(text: str | None, options: list[str]) -> str | None:
    """Return a docstring in which lines that are a word in braces are the text that functions share.

    Parameters
    ----------
    options : list of str
        Names of what `{options}` stands for, in their order; `{flow_options}`, ... are other texts of the same.
    """
    if text is None:  # python -OO removes docstrings
        return None

    def shared(found: re.Match[str]) -> str:
        word = found[1]
        if word in _TABLES:
            return "\n".join(_TABLES[word][name] for name in options)
        return _TEXTS[word] if word in _TEXTS else _OPTIONS[word]

    text = inspect.cleandoc(text) + "\n"
    for word, errors in _ERRORS.items():
        if f"\n{{{word}}}\n" in text and "\nRaises\n" not in text:
            text = _AFTER_ERRORS.sub(f"Raises\n------\n{{{errors}}}\n\n", text, count=1)
    return _PLACEHOLDER.sub(shared, text)
