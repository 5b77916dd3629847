"""Writing a graph file, which appears complete or not at all."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, cast

from apsp._types import GraphLike, PathLike
from apsp.errors import GraphError, RequestError
from apsp.graph.accept import as_graph
from apsp.graph.files.formats import format_named, format_of_suffix, modules
from apsp.graph.labels import Labels, labels_of
from apsp.graph.labels.integers import are_integers
from apsp.graph.model import Graph
from apsp.graph.turns.entered import streets_of
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.system.file_names import file_path
from apsp.system.inputs import check_no_input, inputs_among
from apsp.system.lack_of_memory import memory_errors
from apsp.system.replacing import replacing

__all__ = ["check_kept", "first_number", "losses", "write"]

_COMPRESSORS: dict[str, Callable[[Any], Any]] = {
    ".gz": lambda raw: gzip.GzipFile(fileobj=raw, mode="wb", mtime=0),
    ".xz": lambda raw: lzma.LZMAFile(raw, "wb"),  # noqa: SIM115
    ".bz2": lambda raw: bz2.BZ2File(raw, "wb"),
}


@memory_errors
def write(graph: GraphLike | TurnGraph, path: PathLike, format: str | None = None) -> None:  # noqa: A002
    """Write a graph to a file.

    The file appears complete or not at all: if the disk is full, the old file is unchanged. Properties that the format
    does not have are left out (`apsp.graph.files.losses` lists them); for a DIMACS `.gr` with coordinates, a `.co` is
    written beside it.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph, (n, n) array or TurnGraph
        The graph. One with turns is written to `.npz`, and `read(path, turns=True)` reads it.
    path : str or Path
        The file. Its name selects the format, and the compression if it ends in .gz, .xz or .bz2.
    format : str, optional
        The format, if it is not that of the file name; the names are those of `apsp.read`.

    Raises
    ------
    OutputError
        If the file cannot be written.
    GraphError
        If the format cannot express the graph's distances.
    RequestError
        If the file name has no ending of a format that can be written.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.generate("ring", 5, seed=1)
    >>> apsp.write(graph, "ring.gr.gz")
    >>> apsp.read("ring.gr.gz").n
    5
    """
    turned, path = _turned(graph), file_path(path)
    graph = as_graph(cast("GraphLike", graph)) if turned is None else turned.graph
    module = _writable(path, format)
    with inputs_among(graph._inputs):
        _write(graph, turned, path, module)


def _turned(graph: object) -> TurnGraph | None:
    """The graph with turns that is meant."""
    if isinstance(graph, Graph) and graph._turned is not None:
        if graph._turned.is_reversed or graph._turned.has_places:
            raise RequestError(
                "graph files hold neither a reversed graph with turns nor its places: write the graph itself"
            )
        return graph._turned.whole
    return graph if isinstance(graph, TurnGraph) else None


def check_kept(path: PathLike, what: str) -> None:
    """Check before any work that a file keeps a property, such as 'turns' or 'costs'.

    Raises
    ------
    RequestError
        If it does not; the message names the endings of formats that do.
    """
    path = file_path(path)
    if what not in _kept(_writable(path, None), path):
        every = [(module, Path(f"graph{each}")) for module in modules() for each in module.SUFFIXES]
        others = [at.suffix for module, at in every if hasattr(module, "write") and what in _kept(module, at)]
        raise RequestError(f"{path.name}: this format does not keep {what}; end the name in {' or '.join(others)}")


def _kept(module: Any, path: Path) -> frozenset[str]:
    """The properties that a file keeps."""
    kept: frozenset[str] = module.kept_in(path) if hasattr(module, "kept_in") else module.KEEPS
    return kept


def _write(graph: Graph, turned: TurnGraph | None, path: Path, module: Any) -> None:
    kept = _kept(module, path)
    if graph.has_zones and "zones" not in kept:
        raise GraphError(f"a {_name(module, path)} file cannot say that paths may not pass through zones; write .npz")
    if turned is not None and "turns" not in kept:
        raise GraphError(f"a {_name(module, path)} file cannot hold turns; write .npz")
    places = [module.coordinates_path(path)] if _has_coordinates_file(graph, module) else []
    for place in (path, *places):
        check_no_input(place)
    with _compressing(path) as stream:
        if turned is None:
            module.write(graph, stream, path)
        else:
            module.write_turned(turned, stream)
    for place in places:
        with _compressing(place) as stream:
            module.write_coordinates(graph, stream)


def _has_coordinates_file(graph: Graph, module: Any) -> bool:
    """Whether the coordinates are written to a file of their own."""
    return graph.coordinates is not None and hasattr(module, "write_coordinates")


def losses(graph: Graph, path: PathLike, format: str | None = None, *, beside: bool = True) -> list[str]:  # noqa: A002
    """Name what `write` would leave out: some of 'labels', 'label types', 'coordinates', 'zones', 'direction'
    (edges become two arcs each), 'costs', 'parallel links' (all but the best) and 'bends'.

    A format that numbers its vertices from 1 keeps the labels 1 to n. Text formats keep integers and strings. Other
    labels become strings, and if all strings look like integers they become integers when they are read: types are
    lost. `beside=False` counts coordinates in a second file as lost.
    """
    graph, path = streets_of(graph), file_path(path)
    module = _writable(path, format)
    kept = _kept(module, path)
    if not beside and hasattr(module, "write_coordinates"):
        kept -= {"coordinates"}
    has = {
        "coordinates": graph.coordinates is not None,
        "zones": graph.has_zones,
        "direction": not graph.directed and hasattr(module, "IS_DIRECTED"),
        "costs": not set(graph.costs) <= set(getattr(module, "COLUMNS", ())),
        "parallel links": graph.links is not None and graph.links.are_parallel,
        "bends": graph.links is not None and graph.links.bends is not None,
    }
    return [*_lost_labels(graph.labels, module, kept), *(what for what, it in has.items() if it and what not in kept)]


def first_number(graph: Graph, path: PathLike, format: str | None = None) -> int:  # noqa: A002
    """The number of vertex 0 in the file, whose format may count from 1."""
    are_positions = streets_of(graph).labels.are_positions
    return getattr(_writable(file_path(path), format), "FIRST", 0) if are_positions else 0


def _lost_labels(labels: Labels, module: Any, kept: frozenset[str]) -> list[str]:
    if "labels" not in kept:
        numbered = hasattr(module, "FIRST") and labels == labels_of(range(module.FIRST, module.FIRST + len(labels)))
        return [] if labels.are_positions or numbered else ["labels"]
    if are_integers(labels):
        return []
    if hasattr(module, "holds_types"):
        return [] if module.holds_types(labels) else ["label types"]
    same = not hasattr(module, "labels_read") or labels == module.labels_read(labels.texts())
    return [] if same else ["label types"]


def _name(module: Any, path: Path) -> str:
    """The name of the format, by which messages call a file; of NumPy's two kinds, a matrix keeps less."""
    return str(module.NAMES[0]) if _kept(module, path) == module.KEEPS else "npy"


@contextlib.contextmanager
def _compressing(path: Path) -> Iterator[IO[bytes]]:
    """Open a new file that replaces `path` when the block ends, compressed according to its name."""
    compressor = _COMPRESSORS.get(path.suffix.lower())
    with replacing(path) as raw:
        if compressor is None:
            yield raw
        else:
            with compressor(raw) as stream:
                yield stream


def _writable(path: Path, name: str | None) -> Any:
    module = format_of_suffix(path.name) if name is None else format_named(name)
    if module is not None and hasattr(module, "write"):
        return module
    suffixes = ", ".join(suffix for m in modules() if hasattr(m, "write") for suffix in m.SUFFIXES)
    raise RequestError(f"{path.name}: no format to write; end the name in one of {suffixes}, or pass format=")
