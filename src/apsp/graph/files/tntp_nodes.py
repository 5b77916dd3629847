"""The node files of TNTP networks: `NAME_node.tntp` beside `NAME_net.tntp`.

    Node	X	Y	;
    1	-96.77041974	43.61282792	;

The files of the collection begin in different ways: headers differ or are missing, and some files have a comment (`~`)
or metadata (`<...>`) first. So a header is not required: everything before the first line of three numbers is treated
as one. If its last line has a name for every column, among them x and y (or longitude and latitude), their order is
used; otherwise the columns are node, x and y.
"""

from __future__ import annotations

import re

from apsp.graph.files.coordinates import Points, scan_points
from apsp.graph.files.edge_layout import is_number
from apsp.graph.files.lines import BLANKS, LineRules, Lines
from apsp.graph.files.source import Source

__all__ = ["node_file_names", "read_nodes"]

_NET = re.compile(r"(?P<stem>.+?)(?P<mark>[_.-])net(work)?(?P<rest>[_.-].*)?\.(?P<ending>tntp|txt)")
_SEPARATORS = BLANKS + ";,"
_WORDS = re.compile(f"[{_SEPARATORS}]+")
_X = ("x", "xcoord", "lon", "long", "longitude", "easting")
_Y = ("y", "ycoord", "lat", "latitude", "northing")
_NODE_WORDS = ("node", "nodes")


def node_file_names(name: str) -> list[str]:
    """Name the node files that may belong to a network: `x_node.tntp`, `x_nodes.tntp` for `x_net.tntp`."""
    found = _NET.fullmatch(name)
    if found is None:
        return []
    rests = dict.fromkeys([found["rest"] or "", ""])
    return [f"{found['stem']}{found['mark']}{word}{rest}.{found['ending']}" for rest in rests for word in _NODE_WORDS]


def read_nodes(source: Source, n: int) -> Points:
    """Read the coordinates of every node, numbered from 1 to n.

    Raises
    ------
    FileFormatError
        If no line has three numbers, or a later line does not.
    """
    skipped, header, width = _head(source)
    order = _order(header, width)
    lines = Lines(source)
    for _ in range(skipped):
        lines.take()
    kinds = order.replace("x", "f").replace("y", "f")
    fields = " ".join({"v": "node", "s": "..."}.get(letter, letter) for letter in order)
    rules = LineRules(kinds, fields, comments="~", blanks=_SEPARATORS, more=True, lowest=1, highest=n)
    return scan_points(lines, rules, n, order.replace("s", ""))


def _head(source: Source) -> tuple[int, list[str], int]:
    """Return the number of lines before the first of three numbers, the words of the last of them, and the width of
    that line.
    """
    header: list[str] = []
    for number, raw in enumerate(source.head.split(b"\n")):
        text = raw.decode("utf-8", "replace").strip(_SEPARATORS + "\ufeff")
        words = [word.strip("\"'") for word in _WORDS.split(text)] if text else []
        if len(words) >= 3 and all(map(is_number, words[:3])):
            return number, header, len(words)
        if words and not text.startswith("<"):
            header = [word.strip("~").lower() for word in words if word.strip("~")]
    raise source.fail("no line 'node x y' of three numbers: this is not a node file")


def _order(header: list[str], width: int) -> str:
    """One letter per column: v node, x, y, s skipped."""
    if len(header) == width:
        x, y = (next((i for i, word in enumerate(header) if _is(word, names)), None) for names in (_X, _Y))
        if x is not None and y is not None and x != y:
            node = next(i for i in range(width) if i not in (x, y))
            letters = {node: "v", x: "x", y: "y"}
            return "".join(letters.get(i, "s") for i in range(max(letters) + 1))
    return "vxy"


def _is(word: str, names: tuple[str, ...]) -> bool:
    """Whether a column has such a name: 'x', 'X_COORD', 'node_x', 'longitude'."""
    return any(part in names for part in re.split(r"[^a-z]+", word))
