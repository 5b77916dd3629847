"""Pajek networks: `.net`, and the first network of a `.paj` project (Batagelj and Mrvar, Pajek reference manual).

    % comments
    *Vertices 3
    1 "New York" 0.21 0.5
    2 Boston
    *Arcs :1 "flights"
    1 2 306
    *Edges
    2 3
    *Arcslist
    1 2 3
    *Matrix
    0 306 0
    ...

Keywords may be in upper or lower case. Vertices are numbered from 1; a vertex line may contain a name (quoted if it has
blanks) and x and y, and may be left out. Arcs are directed, edges are not; if both occur the graph is directed and an
edge counts as two arcs. A third number is the length; if no line has one, the graph counts hops. Lines
without one beside lines with one are an error, unless the caller says how long they are (Pajek itself counts 1). Lines
of a list contain a vertex and its neighbours. A matrix has a row per vertex; its zeros mean that there is no arc.

A section may name its relation, `*Arcs :2 "trains"`, or each line its own, `2: 1 3 0.5`. All relations are merged, or
those that `relations` selects by number or name. Partitions, vectors and the other parts of a project are skipped.
The labels are the names if these are unique, otherwise the numbers.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError, RequestError, shown
from apsp.graph.files.dimacs import narrow
from apsp.graph.files.options import ReadOptions, build, check_vertex_count
from apsp.graph.files.pajek_lines import Network, Section, parse
from apsp.graph.files.source import Source
from apsp.graph.files.vertex_labels import labels_of_texts, numbered_from_one
from apsp.graph.labels import labels_of
from apsp.graph.missing import lack_of_lengths
from apsp.graph.model import Graph

NAMES = ("pajek",)
SUFFIXES = (".net", ".paj")
KEEPS = frozenset({"weights", "labels", "coordinates"})
labels_read = labels_of_texts
_START = re.compile(rb"\s*(%[^\n]*\n\s*)*\*(network|vertices|arcs|edges|matrix)", re.IGNORECASE)


def sniff(head: bytes, name: str) -> int:
    """Score how much the file looks like this format: 0 (not) to 100."""
    if _START.match(head):
        return 95
    return 40 * (name.endswith(SUFFIXES) and b"\n*" in head[:8192])


def read(source: Source, options: ReadOptions) -> Graph:
    """Read the first network of the file."""
    network = parse(source)
    check_vertex_count(source, network.n, sum(len(section.ends) for section in network.sections) + len(network.names))
    if network.further:
        source.notes.append(f"the first of {network.further + 1} networks was read")
    sections = _chosen(source, network.sections, options.relations)
    directed = any(section.directed for section in sections)
    ends = np.array([pair for section in sections for pair in section.ends], dtype=np.int64).reshape(-1, 2) - 1
    weights = _weights(source, options, sections)
    if directed:  # edges lead both ways
        back = np.repeat([not each.directed for each in sections], [len(each.ends) for each in sections])
        back &= ends[:, 0] != ends[:, 1]
        ends = np.concatenate([ends, ends[back][:, ::-1]])
        weights = None if weights is None else np.concatenate([weights, weights[back]])
    return build(
        source, options, ends[:, 0], ends[:, 1], None if weights is None else narrow(weights), n=network.n,
        directed=directed, labels=_labels(source, network), coordinates=_places(network),
    )  # fmt: skip


def write(graph: Graph, stream: IO[bytes], _path: Path) -> None:
    """Write labels as names, coordinates, and `*Arcs` or `*Edges` with lengths."""
    stream.write(f"*Vertices {graph.n}\n".encode())
    if graph.labels != labels_of(numbered_from_one(graph.n)) or graph.coordinates is not None:
        for v, text in enumerate(graph.labels.texts()):
            stream.write(f"{v + 1} {_vertex_words(graph, v, text)}\n".encode())
    tails, heads, weights = graph.to_edges()
    stream.write(b"*Arcs\n" if graph.directed else b"*Edges\n")
    columns = [tails + 1, heads + 1, *([] if weights is None else [weights])]
    rows = zip(*(column.tolist() for column in columns), strict=True)
    stream.writelines(" ".join(map(str, row)).encode() + b"\n" for row in rows)


def _vertex_words(graph: Graph, v: int, name: str) -> str:
    if '"' in name or not name.isprintable():
        raise GraphError(f"the label {shown(name)} cannot stand in a Pajek file; write .graphml, .gml or .npz")
    if graph.coordinates is None or not np.isfinite(graph.coordinates[v]).all():
        return f'"{name}"'
    x, y = graph.coordinates[v].tolist()
    return f'"{name}" {x!r} {y!r}'


# -- the parts of the graph -------------------------------------------------------------------------------------------


def _chosen(source: Source, sections: list[Section], relations: str | None) -> list[Section]:
    """Return the sections of the requested relations."""
    known = list(
        dict.fromkeys((each.number, each.name) for each in sections if each.ends and (each.number or each.name))
    )
    words = ", ".join(f"{number or '-'} {name!r}" if name else number for number, name in known)
    if relations is None or relations == "all":
        if len(known) > 1:
            source.notes.append(f"{len(known)} relations were merged ({words}); relations= selects some of them")
        return sections
    wanted = {relations, *(part.strip() for part in relations.split(","))}
    chosen = [each for each in sections if {each.number, each.name} - {""} & wanted]
    if not chosen:
        raise RequestError(
            f"relations={shown(relations)}: the file has {words or 'no relations that have a number or a name'}"
        )
    return chosen


def _weights(source: Source, options: ReadOptions, sections: list[Section]) -> npt.NDArray[Any] | None:
    """Return the lengths; None if no line has one, or they do not matter.

    Raises
    ------
    FileFormatError
        If some lines have none, and there is no number for them.
    """
    lengths = [length for section in sections for length in section.lengths]
    lacking = sum(length is None for length in lengths)
    if lacking == len(lengths) or not options.weighted:
        return None
    if lacking and options.missing is None:
        section = next(each for each in sections if None in each.lengths)
        place = section.lengths.index(None)
        tail, head = section.ends[place]
        words = lack_of_lengths("a length", lacking, len(lengths), f"{tail} - {head}", hops="weighted=False")
        raise source.fail(f"{words} (Pajek itself counts 1)", section.line)
    values = [options.missing if length is None else length for length in lengths]
    return np.asarray(values, dtype=np.int64 if all(isinstance(value, int) for value in values) else np.float64)


def _labels(source: Source, network: Network) -> Any:
    if not network.names:
        return numbered_from_one(network.n)
    names = [network.names.get(v, str(v)) for v in range(1, network.n + 1)]
    if len(set(names)) == len(names):
        return labels_of_texts(names)
    source.notes.append("several vertices have the same name, so their numbers are their labels")
    return numbered_from_one(network.n)


def _places(network: Network) -> npt.NDArray[np.float64] | None:
    if not network.places:
        return None
    points = np.full((network.n, 2), np.nan)
    points[np.array(list(network.places)) - 1] = list(network.places.values())
    return points
