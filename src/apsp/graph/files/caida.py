"""Relationships between autonomous systems: CAIDA serial-1 and serial-2, and the form of SNAP's as-caida.

    # serial-1, serial-2: provider|customer|-1, peer|peer|0, sibling|sibling|1 or 2; serial-2 adds |source
    174|1239|0
    # SNAP: FromNodeId ToNodeId Relationship, every link in both directions; -1: from is a customer of to,
    # 1: from is a provider of to, 0: peers, 2: siblings
    8563 3216 -1

The relationship is not a length: the graph counts hops. Vertices are labelled by their AS numbers.
Source: https://publicdata.caida.org/datasets/as-relationships/, README; https://snap.stanford.edu/data/as-Caida.html.
"""

from __future__ import annotations

import re
from itertools import chain

import numpy as np

from apsp.errors import RequestError, shown
from apsp.graph.files.lines import LineRules, Lines
from apsp.graph.files.options import ReadOptions, build
from apsp.graph.files.source import Source
from apsp.graph.files.vertex_labels import compact
from apsp.graph.model import Graph

NAMES = ("caida",)
SUFFIXES = (".as-rel", ".as-rel2")
_SERIAL = re.compile(rb"^\d+\|\d+\|-?[012](\|[\w-]+)?\r?$")
_SNAP = re.compile(rb"^# Relationships:.*customer|^# The CAIDA AS Relationships", re.MULTILINE)


def sniff(head: bytes, _name: str) -> int:
    """Score how much the file looks like this format: 0 (not) to 100."""
    if head.startswith(b"#") and _SNAP.search(head[:4096]):
        return 95
    lines = (line for line in head.split(b"\n") if line.strip() and not line.startswith(b"#"))
    first = next(lines, b"")
    # Without a provider and its customer, the last column may be lengths.
    return 95 if _SERIAL.match(first) and any(b"|-1" in line for line in chain([first], lines)) else 0


def read(source: Source, options: ReadOptions) -> Graph:
    """Read the links: all of them both ways, or with `relations="customer-provider"` the arcs to providers only."""
    relations = options.relations or "all"
    if relations not in ("all", "customer-provider"):
        raise RequestError(f"relations={shown(relations)}: it must be 'all' or 'customer-provider'")
    serial = not _SNAP.search(source.head[:4096])
    rules = LineRules(
        "vvv", "as|as|relation" if serial else "from to relation", comments="#", delimiter="|" if serial else "",
        more=serial,
    )  # fmt: skip
    lines = Lines(source)
    first, second, relation = lines.scan(rules)
    unknown = np.flatnonzero((relation < -1) | (relation > 2))
    if len(unknown):
        raise source.fail(f"link {unknown[0] + 1} has relation {relation[unknown[0]]}: -1, 0, 1 and 2 are known")
    (first, second), labels, n = compact(first, second)
    if relations == "all":
        return build(source, options, first, second, None, n=n, directed=False, labels=labels)
    # serial: a|b|-1 says that a is the provider of b. SNAP: -1 says that from is the customer of to, 1 the reverse.
    up, down = (relation == -1) & (not serial), (relation == -1) if serial else (relation == 1)
    tails, heads = np.append(first[up], second[down]), np.append(second[up], first[down])
    return build(source, options, tails, heads, None, n=n, directed=True, labels=labels)
