"""Reading a graph file of any known format, recognised by its content."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, cast, overload

from apsp._types import FileLike, PathLike
from apsp.errors import FileFormatError, RequestError, shown
from apsp.graph.checks import UNITS, crs_of
from apsp.graph.files.formats import check_options, format_named, known_formats, modules
from apsp.graph.model import Graph, Parallel
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.system.arguments import one_of
from apsp.system.inputs import recorded_inputs
from apsp.system.lack_of_memory import memory_errors
from apsp.system.progress import Progress, reporting

if TYPE_CHECKING:
    from apsp.graph.files.source import Source

__all__ = ["read"]

_CERTAIN = 95
"""A file of this score states its format: the others are not tried."""


@overload
def read(
    path: PathLike | FileLike,
    *,
    format: str | None = None,
    directed: bool | None = None,
    weighted: bool = True,
    cost: str | None = None,
    relations: str | None = None,
    parallel: Parallel | None = None,
    absent: float | None = None,
    missing: float | None = None,
    columns: Sequence[int | str] | None = None,
    source: str | None = None,
    target: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    comments: str | None = "auto",
    decimal: Literal[".", ","] = ".",
    labels: Literal["auto", "text"] = "auto",
    costs: bool | Sequence[str] = True,
    links: bool = False,
    coordinates: PathLike | bool = True,
    crs: Literal["degrees", "microdegrees", "plane"] | str | None = None,  # noqa: PYI051 - completed by editors
    zones: bool = True,
    mode: Literal["car", "bike", "foot"] | None = None,
    max_expansion: float | None = None,
    turns: Literal[False] = False,
    notes: list[str] | None = None,
    progress: Progress = False,
) -> Graph: ...


@overload
def read(
    path: PathLike | FileLike,
    *,
    format: str | None = None,
    weighted: bool = True,
    cost: str | None = None,
    costs: bool | Sequence[str] = True,
    links: bool = False,
    mode: Literal["car", "bike", "foot"] | None = None,
    max_expansion: float | None = None,
    turns: Literal[True],
    notes: list[str] | None = None,
    progress: Progress = False,
) -> TurnGraph: ...


@memory_errors
def read(
    path: PathLike | FileLike,
    *,
    format: str | None = None,  # noqa: A002
    directed: bool | None = None,
    weighted: bool = True,
    cost: str | None = None,
    relations: str | None = None,
    parallel: Parallel | None = None,
    absent: float | None = None,
    missing: float | None = None,
    columns: Sequence[int | str] | None = None,
    source: str | None = None,
    target: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    comments: str | None = "auto",
    decimal: Literal[".", ","] = ".",
    labels: Literal["auto", "text"] = "auto",
    costs: bool | Sequence[str] = True,
    links: bool = False,
    coordinates: PathLike | bool = True,
    crs: Literal["degrees", "microdegrees", "plane"] | str | None = None,  # noqa: PYI051 - completed by editors
    zones: bool = True,
    mode: Literal["car", "bike", "foot"] | None = None,
    max_expansion: float | None = None,
    turns: bool = False,
    notes: list[str] | None = None,
    progress: Progress = False,
) -> Graph | TurnGraph:
    r"""Read a graph from a file.

    The format is recognised by content: DIMACS `.gr`, Matrix Market, edge lists (SNAP, CSV, TSV, algs4), METIS,
    Pajek, GML, GraphML, CAIDA AS relationships, TNTP, OR-Library p-median, NumPy and SciPy `.npy`/`.npz`, Parquet,
    Arrow, OpenStreetMap `.osm.pbf`, segments of Overture Maps in Parquet. Files compressed with gzip, xz or bzip2 are
    decompressed while they are read. Text is read in blocks, so that the memory needed beyond the arrays of the graph
    does not grow with the file (except for Pajek, GML, GraphML, NumPy and Parquet files).

    Parameters
    ----------
    path : str, Path or file object
        The file. A file object is open for reading bytes or text, as a member of a zip archive is, or it is a
        `zipfile.Path`; it is copied into a temporary file first. If it has no name, `format` is needed. Coordinates
        beside it are read only if it is a file on a disk.
    format : str, optional
        Skip the recognition: 'dimacs', 'matrix-market', 'edge-list', 'metis', 'pajek', 'gml', 'graphml', 'caida',
        'tntp', 'orlib', 'npz', 'parquet', 'osm', 'overture'.
    directed : bool, optional
        Overrides the format, and a column that says of each row whether it is an arc or an edge (`directed`,
        `oneway`, or `Type` with the words of Gephi). False adds the reverse of every arc.
    weighted : bool
        False ignores weights and counts hops.
    cost : str, optional
        Column or attribute that holds the length, by name: TNTP ('length', 'toll', ...), CSV with a header, GML, a
        saved graph with costs, ... OpenStreetMap: 'time' in seconds (the default) or 'length' in metres;
        Overture Maps: 'length' (the default) or 'time'.
    relations : str, optional
        CAIDA: 'all' links, both ways (the default), or 'customer-provider', only arcs from a customer to its provider.
        Pajek: 'all' relations together (the default), or the numbers or names of some, separated by commas.
    parallel : 'min', 'first' or 'last', optional
        Which of several links between two vertices counts, as in `from_edges`; overrides the format's own rule (min;
        OR-Library: last).
    absent : number, optional
        Dense matrices only: the entry that means "no arc".
    missing : number, optional
        GraphML, GML, Pajek and edge lists with dictionaries only: the length of edges that have none where others have
        one, which is an error without it.
    columns : sequence of int or str, optional
        Edge lists and Parquet only: tail, head and (optionally) weight, by position from 0 or by name. Without a weight
        the graph counts hops.
    source, target : str, optional
        Edge lists and Parquet only: the columns with the ends, by name. By default two columns whose names are usual
        together, such as source and target, or from_node_id and to_node_id.
    delimiter : ',', ';', '|', ' ' or tab, optional
        Edge lists only: what separates the fields; by default what suits the first lines. A blank stands for any number
        of blanks and tabs.
    header : bool, optional
        Edge lists only: whether the first line names the columns; by default it does if it cannot be an edge.
    comments : str, 'auto' or None
        Edge lists only: the characters that begin a line of comment; None reads all lines. By default #, % and //.
    decimal : '.' or ','
        Edge lists only: the decimal separator of weights.
    labels : 'auto' or 'text'
        Edge lists only: 'text' keeps the names of vertices as they are written. By default they are integers if all of
        them are integers in their usual notation, which 07, +7 and 7.0 are not.
    costs : bool or sequence of str
        Which other numbers of the arcs are kept by name (`Graph.costs`): all columns or attributes of numbers if the
        file names several (True), none (False), or those of the list, an error if one is missing. With costs, parallel
        links are all kept (`Graph.links`).
    links : bool
        Keep the links in the order of the file, with their numbers, also if there are no costs or none are parallel.
    coordinates : bool, str or Path
        True reads those of a `.co` or `_node.tntp` file beside the graph, False does not; a path names the file.
    crs : {'degrees', 'microdegrees', 'plane'}, optional
        What the coordinates are, as in `Graph`: files other than those of OpenStreetMap and Overture Maps do not
        say it.
    zones : bool
        False ignores the zones of a TNTP network (FIRST THRU NODE) or of a saved graph: paths may pass through them.
    mode : 'car', 'bike' or 'foot', optional
        OpenStreetMap, Overture Maps: means of travel, which selects streets and travel times; 'car' by default.
    max_expansion : number, optional
        Maximum number of bytes per byte of a compressed file, beyond 512 MiB in all; by default APSP_MAX_EXPANSION or
        200.
    turns : bool
        OpenStreetMap, Overture Maps: True returns a graph with the turn restrictions (prohibited transitions) that hold
        for the mode at all times, as of `apsp.with_turns`. Those that hold at certain times, or are not clear, are
        notes. `.npz` files: the graph with turns that was written.
    notes : list, optional
        Receives a sentence for every ambiguity of the file: "line 1 was taken as the number
        of vertices, 5".
    progress : bool or callable
        True shows a bar on standard error; a callable is called as progress('reading', bytes done, bytes in all).

    Returns
    -------
    Graph or TurnGraph
        The graph, with the labels, coordinates and zones of the file; a TurnGraph with `turns=True`. Neither it nor
        results for it are written over the file (`OutputError`).

    Raises
    ------
    FileFormatError
        If the file cannot be read; the message names line and column, or lists the known formats if none fits.
    RequestError
        If an argument is invalid for the file or its format does not have the option, or it is not clear which columns
        of a table are meant: the message lists them.
    MemoryLimitError
        If a file that is read as a whole does not fit.
    MissingDependencyError
        For Parquet and Arrow files without pyarrow, and for OpenStreetMap files without osmium.

    Warns
    -----
    ApspWarning
        If a file of coordinates beside the graph cannot be read, or the file is ambiguous: the message states how it
        was read. If a `.npz` file has turns, and turns is False.

    Examples
    --------
    >>> import apsp
    >>> from pathlib import Path
    >>> _ = Path("links.csv").write_text("from,to,length\nRome,Florence,273\nFlorence,Bologna,105\n")
    >>> graph = apsp.read("links.csv")
    >>> graph
    Graph(n=3, m=2, directed, int32)
    >>> apsp.solve(graph).distance("Rome", "Bologna")
    378

    All numbers of a file with several ones are kept:

    >>> _ = Path("roads.csv").write_text("from,to,minutes,km\nRome,Florence,170,273\nFlorence,Bologna,80,105\n")
    >>> roads = apsp.read("roads.csv", cost="minutes")
    >>> roads.weights.tolist(), roads.costs, roads.costs["km"].tolist()
    ([170, 80], Costs(minutes, km), [273, 105])

    A file object without a name needs the format:

    >>> import io
    >>> apsp.read(io.StringIO("Rome Florence 273"), format="edge-list")
    Graph(n=2, m=1, directed, int32)
    """
    from apsp.graph.files.copied import is_file_object, name_of
    from apsp.graph.files.options import ReadOptions, costs_kept  # with the first file: `import apsp` stays quick
    from apsp.graph.files.source import Source

    if crs is not None:
        one_of(crs, "crs", UNITS)
    if notes is not None and not isinstance(notes, list):
        raise RequestError(f"notes must be a list, which is extended, not {shown(notes)}")
    options = ReadOptions(
        directed, weighted, cost, relations, parallel, absent, cast("Any", columns), coordinates, zones, mode,
        costs_kept(costs), links, missing, source, target, delimiter, header, comments, decimal, labels, turns,
    )  # fmt: skip
    chosen = None if format is None else format_named(format)
    if chosen is None and is_file_object(path) and name_of(path) is None:
        raise RequestError(
            f"{shown(path)} has no name: say with format= what it is, one of {', '.join(known_formats())}"
        )
    with recorded_inputs() as inputs, reporting(progress) as report, Source(path, report, max_expansion) as file:
        module = chosen or _recognise(file)
        check_options(module, options.given())
        found: Graph | TurnGraph = (module.read_turned if options.turns else module.read)(file, options)
        graph = found.graph if isinstance(found, TurnGraph) else found
        if options.links and graph.links is None:
            raise RequestError("links=True: the file holds a matrix, which has no links")
        if crs is not None:
            graph.crs = crs_of(crs, graph.coordinates, graph.crs)
        if notes is not None:
            notes += file.notes
    graph._read_from(frozenset(inputs))
    return found


def _recognise(source: Source) -> Any:
    if not source.head.strip():
        raise source.fail("the file is empty")
    score = 0
    module: Any = None
    for each in modules():
        found = each.sniff(source.head, source.name)
        if found > score:
            score, module = found, each
        if score >= _CERTAIN:
            break
    if score > 0:
        if hasattr(module, "doubt") and (doubt := module.doubt(source.head, source.name)):
            raise source.fail(f"{doubt}: say which with format='{module.NAMES[0]}' or format='edge-list'")
        within = (each for each in modules() if getattr(each, "WITHIN", None) == module.NAMES[0])
        return next((each for each in within if each.holds(source)), module)
    raise FileFormatError(
        source.path,
        f"{_impression(source.head)}; known formats are {', '.join(known_formats())}: name one with format= "
        "if the file has it",
    )


def _impression(head: bytes) -> str:
    if b"\r" in head.rstrip() and b"\n" not in head:
        return "unknown format: the lines end with carriage returns alone, write line feeds"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "unknown format: this looks like UTF-16 text, save it as UTF-8"
    if head.lstrip()[:1] in (b"{", b"["):
        return "unknown format: this looks like JSON"
    binary = sum(byte < 9 or 13 < byte < 32 for byte in head[:1024])
    return "unknown format: the file holds binary data" if binary > 8 or b"\0" in head else "unknown format"
