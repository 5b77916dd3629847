"""Edge lists with dictionaries of attributes, as `networkx.write_edgelist` writes them: `Rome Pisa {'weight': 354}`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from apsp.errors import RequestError, shown
from apsp.graph.files.attributes import AttributedGraph
from apsp.graph.files.edge_layout import DELIMITERS, is_vertex_number, split_fields
from apsp.graph.files.lines import BLANKS, Lines
from apsp.graph.files.options import ReadOptions
from apsp.graph.files.source import Source
from apsp.graph.model import Graph

__all__ = ["holds_dictionaries", "read_dictionaries"]

_DICTIONARY = re.compile(r"\{\s*(?:[\"'].*)?\}$")
_NUMPY = re.compile(r"\bnp\.\w+\(([^()]*)\)")
"""A number as NumPy 2 represents it."""


def holds_dictionaries(lines: Iterable[str], *, empty: bool = False) -> bool:
    """Whether all lines end with a dictionary, and some of these have entries, unless all may be empty."""
    some = False
    for line in lines:
        end = _DICTIONARY.search(line.rstrip(BLANKS))
        if end is None or not line[: end.start()].strip(BLANKS):
            return False
        some |= empty or len(end[0]) > 2
    return some


def read_dictionaries(source: Source, options: ReadOptions, comments: str, directed: bool) -> Graph:
    """Read the edges; the lengths are an attribute, chosen as in GML files."""
    if options.decimal != ".":
        raise RequestError("decimal=',': the numbers of dictionaries have decimal points")
    lines, hidden = Lines(source), 0
    found = AttributedGraph(directed)
    ends: list[list[str]] = []
    delimiter = options.delimiter
    while (raw := lines.take()) is not None:
        text = raw.decode("utf-8", "backslashreplace").strip(BLANKS)
        entry = _DICTIONARY.search(text)
        if text[:1] in comments:
            hidden += entry is not None  # and an empty line is nothing
            continue
        if entry is None:
            raise lines.fail("the line does not end with a dictionary of attributes, as others do")
        before = text[: entry.start()]
        if delimiter is None:
            delimiter = _delimiter(before)
        fields = split_fields(before.rstrip(BLANKS).removesuffix(delimiter.strip(" ")), delimiter.strip(" "), False)
        if len(fields) != 2 or "" in fields:
            raise lines.fail(
                f"{shown(before.strip(BLANKS))} is not 'tail head': networkx.write_edgelist(..., delimiter=',') keeps "
                "names with blanks apart, and delimiter= says which one it was"
            )
        ends.append(fields)
        found.edges.append(_attributes(lines, entry[0]))
        found.lines.append(lines.number)
    if hidden:
        source.notes.append(
            f"lines that begin with a comment mark and end with a dictionary: {hidden:,}, skipped (comments=None reads "
            "them)"
        )
    names = list(dict.fromkeys(name for pair in ends for name in pair))
    if all(map(is_vertex_number, names)):
        names.sort(key=int)
    found.ids = {name: place for place, name in enumerate(names)}
    found.vertices = [{} for _ in names]
    found.tails, found.heads = ([found.ids[pair[end]] for pair in ends] for end in (0, 1))
    return found.graph(source, options)


def _delimiter(before: str) -> str:
    """What separates the fields of a line: it stands before the dictionary, too."""
    if before[-1] in DELIMITERS:
        return before[-1]
    last = before.rstrip(BLANKS)
    return last[-1] if last[-1] in DELIMITERS and last.count(last[-1]) == 2 else " "


def _attributes(lines: Lines, text: str) -> dict[str, object]:
    try:
        found = ast.literal_eval(_NUMPY.sub(r"\1", text))
        if isinstance(found, dict) and all(isinstance(key, str) for key in found):
            return found
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        pass
    what = "is not a dictionary of attributes: numbers are finite, texts in quotation marks"
    raise lines.fail(f"{shown(text[:80])} {what}")
