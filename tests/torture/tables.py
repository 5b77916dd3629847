"""Random tables of links through files and data frames: read as they were meant, or refused.

The table is drawn first: its links, its columns and their names, in any order, with columns that do not belong to the
graph. `csv`, pandas, polars or PyArrow write it, with or without a header. What apsp reads is compared with the links.
A table is clear if the usual names say all that is needed; a clear one must be read.
"""

from __future__ import annotations

import csv
import random
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsp
from torture.memory import with_memory_limit
from torture.promise import WrongError

__all__ = ["run"]

DOUBTS = ("comments=None", "was taken as an edge", "was taken as the number", "divides them at blanks")
"""Of the notes that say how a line was read that may mean something else."""

ENDS = (
    ("source", "target"), ("from", "to"), ("tail", "head"), ("origin", "destination"), ("src", "dst"),
    ("from_node_id", "to_node_id"), ("a_node", "b_node"), ("fromnodeno", "tonodeno"), ("i_node", "j_node"),
    ("fbus", "tbus"), ("init_node", "term_node"), ("node_a", "node_b"), ("u", "v"), ("a", "b"), ("start", "end"),
    ("node1", "node2"),
)  # fmt: skip
STRANGE = (("x", "y"), ("city1", "city2"), ("von", "nach"), ("from", "y"), ("target", "other"))
USUAL = ("weight", "length", "cost", "distance", "value", "time", "travel_time")
UNUSUAL = ("minutes", "km", "LEN_M", "impedance", "tt0", "x2", "meters (m)", "fare,gross", "how far?", "a;b")
OTHERS = ("name", "operator", "road class", "geometry", "comment", "note")
NUMBERS = ("id", "link_id", "key", "edge_id")
TEXTS = (
    "x",
    "Main St",
    "a;b",
    "a,b",
    'say "so"',
    "#1",
    "",
    "NA",
    "POINT (1 2)",
    "LINESTRING(0 1, 1 2)",
    "-",
    "5 km",
    "\xe9",
)
LABELS: dict[str, Callable[[random.Random], Any]] = {
    "numbers": lambda rng: rng.randrange(9),
    "from one": lambda rng: rng.randrange(1, 9),
    "sparse": lambda rng: rng.choice((5, 10**9, 2**53 + 1, 10**18 + 7, -4, 70)),
    "padded": lambda rng: rng.choice(("007", "7", "07", "70", "+7", "-0", "0", "1e3", "1000", "1.0", "1")),
    "words": lambda rng: rng.choice(("Rome", "Pisa", "Turin", "S. Maria", "Aix-en", "n1", "\xc5s")),
    "letters": lambda rng: rng.choice(("a", "b", "u", "v", "i", "j")),
    "hostile": lambda rng: rng.choice((
        "source", "target", "from", "to", "weight", "Paris, TX", "a;b", "a|b", "tab\there", 'say "so"', "#1", "%",
        "//x", " lead", "trail ", "", "NA", "nan", "1,5", "None", "\x85", "\ufeff", "{", "[", "<a>", "p sp", "c",
        "two\nlines",
    )),
}  # fmt: skip


@dataclass
class Table:
    """A table of links and what it means."""

    columns: dict[str, list[Any]]
    links: list[tuple[str, str, float | None]]
    ends: tuple[str, str]
    length: str | None
    directed: bool
    clear: bool
    rows: list[tuple[str, str, float | None]]


def _spelled(name: str, rng: random.Random) -> str:
    return rng.choice((str, str, str.upper, str.title, lambda text: text.replace("_", " ")))(name)


def _table(rng: random.Random) -> Table:
    kind = rng.choice(list(LABELS))
    m = rng.choice((1, 2, 3, 5, 8))
    ends = [[LABELS[kind](rng) for _ in range(m)] for _ in range(2)]
    whole = rng.random() < 0.5
    lengths = [rng.randrange(1, 99) if whole else rng.randrange(1, 999) / 8 for _ in range(m)]
    usual_ends, usual_length, hops = rng.random() < 0.8, rng.random() < 0.7, rng.random() < 0.2
    names = tuple(_spelled(each, rng) for each in rng.choice(ENDS if usual_ends else STRANGE))
    length = None if hops else _spelled(rng.choice(USUAL if usual_length else UNUSUAL), rng)
    columns: dict[str, list[Any]] = {names[0]: ends[0], names[1]: ends[1]}
    if length is not None:
        columns[length] = lengths
    if len(columns) < 2 + (length is not None):
        return _table(rng)
    numbers = 0
    for _ in range(rng.choice((0, 0, 1, 2))):
        name = rng.choice((*OTHERS, *NUMBERS))
        columns.setdefault(name, list(range(m)) if name in NUMBERS else [rng.choice(TEXTS) for _ in range(m)])
    if rng.random() < 0.2 and not hops:
        numbers += 1
        columns.setdefault(rng.choice(("toll", "lanes", "capacity")), [rng.randrange(9) for _ in range(m)])
    ways = [1] * m
    if rng.random() < 0.2:
        ways = [rng.choice((0, 1)) for _ in range(m)]
        name, words = rng.choice((("directed", ("0", "1")), ("oneway", ("no", "yes")),
                                  ("Type", ("Undirected", "Directed")),
                                  ("ONEWAY", ("False", "True"))))  # fmt: skip
        columns.setdefault(name, [words[way] for way in ways])
        ways = ways if columns[name][0] in words else [1] * m
    order = list(columns)
    rng.shuffle(order)
    links, rows = [], []
    for tail, head, value, way in zip(*ends, lengths, ways, strict=True):
        weight = None if hops else float(value)
        rows.append((str(tail), str(head), weight))
        links += [(str(tail), str(head), weight)] + [(str(head), str(tail), weight)] * (way == 0)
    clear = usual_ends and (hops or usual_length or not numbers) and kind in ("numbers", "from one", "sparse", "words")
    vague = names[0].lower() in ("u", "a", "start", "node1", "node_a", "node a") and hops
    return Table(
        {name: columns[name] for name in order},
        links,
        (names[0], names[1]),
        length,
        True,
        clear and not vague,
        rows,
    )


def _best(links: list[tuple[str, str, float | None]]) -> dict[tuple[str, str], float | None]:
    """The smallest length per pair."""
    best: dict[tuple[str, str], Any] = {}
    for tail, head, weight in links:
        if (tail, head) not in best or (weight is not None and weight < best[tail, head]):
            best[tail, head] = weight
    return best


def _found(graph: apsp.Graph) -> dict[tuple[str, str], float | None]:
    names = [str(label) for label in graph.labels]
    weights = [None] * graph.m if graph.weights is None else graph.weights.tolist()
    rows = zip(graph.tails().tolist(), graph.indices.tolist(), weights, strict=True)
    return {(names[u], names[v]): w for u, v, w in rows}


def _rows(graph: apsp.Graph) -> list[tuple[str, str, float | None]]:
    """The links."""
    kept, names = graph.links, [str(label) for label in graph.labels]
    assert kept is not None
    weights = [None] * len(kept) if kept.weights is None else kept.weights.tolist()
    return [(names[u], names[v], w) for u, v, w in zip(kept.tails.tolist(), kept.heads.tolist(), weights, strict=True)]


# -- writers: each returns the options that say what a reader cannot know ---------------------------------------------


def _without_outer_blanks(table: Table) -> None:
    """Blanks around a field of a text file are not part of it."""
    for end in table.ends:
        table.columns[end] = [each.strip() or "y" if isinstance(each, str) else each for each in table.columns[end]]
    for rows in (table.links, table.rows):
        rows[:] = [(t.strip() or "y", h.strip() or "y", w) for t, h, w in rows]


def _by_csv(table: Table, path: Path, rng: random.Random) -> dict[str, Any]:
    delimiter = rng.choice((",", ";", "\t", "|"))
    headed = rng.random() < 0.75 or _names_ends(table)
    order = list(table.columns)
    if not headed:
        order = [*table.ends, *([] if table.length is None else [table.length])]
    quoting = rng.choice((csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_NONNUMERIC, csv.QUOTE_ALL))
    with path.open("w", newline="", encoding="utf-8-sig" if rng.random() < 0.1 else "utf-8") as file:
        writer = csv.writer(file, delimiter=delimiter, quoting=quoting, lineterminator=rng.choice(("\n", "\r\n")))
        if headed:
            writer.writerow(order)
        writer.writerows(zip(*(table.columns[name] for name in order), strict=True))
    table.clear &= headed and quoting == csv.QUOTE_MINIMAL
    if not headed:
        table.links = _forward(table)
    return {}


def _by_networkx(table: Table, path: Path, rng: random.Random) -> dict[str, Any]:
    import networkx as nx

    G = nx.MultiDiGraph()
    name = rng.choice((table.length or "weight", "weight"))
    for tail, head, length in table.rows:
        G.add_edge(tail, head, **({} if length is None else {name: length}), **({"name": "a}"} if length else {}))
    table.clear, table.length = False, None if table.length is None else name
    table.links = [(u, v, None if table.length is None else data[name]) for u, v, data in G.edges(data=True)]
    table.rows = list(table.links)
    if rng.random() < 0.2:
        rng.choice((nx.write_adjlist, nx.write_multiline_adjlist))(G, path)
        table.links = table.rows = []  # refused
    else:
        nx.write_edgelist(G, path, delimiter=rng.choice((" ", ",", "\t", ";")))
    return {} if table.length is None else {"cost": name}


def _names_ends(table: Table) -> bool:
    """Whether the first link has the names of columns, so that without a header it would be one by the rule."""
    first = tuple(table.columns[name][0] for name in table.ends)
    return first in ENDS or first[::-1] in ENDS


def _begins_with_a_mark(path: Path, table: Table) -> bool:
    """Whether the first label begins with U+FEFF, which at the begin of a file is its byte order mark."""
    begin = path.read_bytes().decode("utf-8", "replace").lstrip('"')[:2]
    labels = [end for row in table.rows for end in row[:2]]
    return begin[:1] == "\ufeff" != begin[1:] and any(label.startswith("\ufeff") for label in labels)


def _forward(table: Table) -> list[tuple[str, str, float | None]]:
    """The links without the column of directions."""
    lengths = [None] * len(table.columns[table.ends[0]]) if table.length is None else table.columns[table.length]
    ends = (map(str, table.columns[name]) for name in table.ends)
    return [(tail, head, None if w is None else float(w)) for tail, head, w in zip(*ends, lengths, strict=True)]


def _by_pandas(table: Table, path: Path, rng: random.Random) -> dict[str, Any]:
    import pandas as pd

    decimal = rng.choice((".", ".", ","))
    pd.DataFrame(table.columns).to_csv(
        path, index=rng.random() < 0.5, decimal=decimal, sep=";" if decimal == "," else ","
    )
    table.clear &= decimal == "."
    return {"decimal": ","} if decimal == "," and rng.random() < 0.5 else {}


def _by_polars(table: Table, path: Path, rng: random.Random) -> dict[str, Any]:
    import polars as pl

    pl.DataFrame(table.columns, strict=False).write_csv(path, separator=rng.choice((",", ";", "\t")))
    return {}


def _by_arrow(table: Table, path: Path, rng: random.Random) -> dict[str, Any]:
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    made = pa.table(table.columns)
    if rng.random() < 0.5:
        pa.csv.write_csv(made, path)  # it quotes all text
        table.clear = False
    else:
        pa.parquet.write_table(made, path)
    return {}


WRITERS = (_by_csv, _by_csv, _by_pandas, _by_polars, _by_arrow, _by_networkx)


@with_memory_limit
def run(seed: int, options: dict[str, Any], counts: Counter[str]) -> dict[str, Any] | None:
    """Draw a table, take it through a file or a data frame, and compare."""
    rng = random.Random(seed)
    table = _table(rng)
    keeps = rng.random() < 0.3
    words = f"columns {list(table.columns)!a}, links {table.links!a}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / rng.choice(("links.csv", "links.txt", "links"))
        try:
            if rng.random() < 0.2:
                words += ", a frame"
                graph = apsp.from_edges(_frame(table, rng), links=keeps)
            else:
                _without_outer_blanks(table)
                asked = rng.choice(WRITERS)(table, path, rng)
                if _begins_with_a_mark(path, table):
                    return None
                table.clear &= not all(row.startswith(b"#") for row in path.read_bytes().splitlines()[1:])  # comments
                if table.length is not None and rng.random() < 0.2:
                    asked["cost"] = table.length
                words += f", {asked}, file {path.read_bytes()[:500]!a}"
                notes: list[str] = []
                graph = apsp.read(path, **asked, links=keeps, notes=notes)
                counts["noted"] += bool(notes)
                if any(doubt in note for note in notes for doubt in DOUBTS):
                    counts["doubts that a note tells"] += 1
                    return None
            counts["read"] += 1
            found, meant = _found(graph), _best(table.links)
            if found != meant:
                raise WrongError(f"read as {found!a}, not {meant!a}")
            if keeps and _rows(graph) != table.rows:
                raise WrongError(f"links are {_rows(graph)!a}, not the rows {table.rows!a}")
            counts["read as meant"] += 1
        except apsp.ApspWarning:
            counts["warnings"] += 1
        except apsp.ApspError as error:
            counts[f"refusals {type(error).__name__}"] += 1
            if table.clear:
                return {"what": "wrong", "where": "tables refused", "words": f"{words}: {error}"[:3000]}
        except WrongError as error:
            return {"what": "wrong", "where": "tables", "words": f"{words}: {error}"[:3000]}
        except Exception as error:
            return {
                "what": "foreign", "where": f"tables {type(error).__name__}",
                "words": f"{words}: {type(error).__name__}: {error}"[:3000], "trace": traceback.format_exc(),
            }  # fmt: skip
    return None


def _frame(table: Table, rng: random.Random) -> Any:
    kind = rng.randrange(4)
    if kind == 0:
        import pandas as pd

        return pd.DataFrame(table.columns)
    if kind == 1:
        import polars as pl

        return pl.DataFrame(table.columns, strict=False)
    if kind == 2:
        import pyarrow as pa

        return pa.table(table.columns)
    return table.columns
