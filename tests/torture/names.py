"""Hostile labels and names through every writer: refused with an error of apsp, or read back as they were.

Labels are integers beyond 64 bits, text with control characters, quotation marks, halves of surrogate pairs or zeros,
tuples, dates, floats, bytes and mixtures; names of costs, groups and titles are such texts, too. What is read back is
read by other packages (`csv`, PyArrow, NumPy, h5py), or by apsp where the format is its own.
"""

from __future__ import annotations

import csv
import datetime
import random
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from apsp.graph.files import losses
from torture.memory import with_memory_limit
from torture.promise import WrongError

__all__ = ["run"]

PIECES = (
    "", "a", "b", " ", "  ", "\t", "\n", "\r", "\r\n", "\0", "\x01", "\x0b", "\x1c", "\x7f", "\x80", "\x85", "\x9f",
    "\xa0", "\ud800", "\udc80", "\udfff", "\ufdd0", "\ufeff", "\ufffe", "\uffff", "\u2028", "\u202e", "\U0010ffff",
    "e\u0301", "\xe9", "\xdf", "SS", "'", '"', '""', ",", ";", "|", "/", "\\", "..", ".", "./", "#", "%", "//", "&",
    "&amp;", "&#0;", "<", ">", "]]>", "<!--", "[", "]", "{", "}", "(", ")", "$", "$x", "\\frac{", "^", "_", "~", "*",
    ":", "?", "`", "=", "+", "-", "0", "1", "00", "01", "-0", "+1", "1.0", "1e3", "0x10", "1_0", "nan", "inf", "None",
    "null", "NA", "true", "source", "target", "weight", "cost", "origin", "destination", "vertex", "zones", "targets",
    "graph", "distance", "x.npy", "zones.npy", "zarr.json", "__", "c", "CON", "a.b", "\u0663", "\uff11", "x" * 300,
    "y" * 70_000,
)  # fmt: skip


def _text(rng: random.Random) -> str:
    return "".join(rng.choice(PIECES) for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 5))))


def _integer(rng: random.Random) -> int:
    near = rng.choice((0, 1, 10, 2**31, 2**32, 2**53, 2**63, 2**64, 10**25, 10**400))
    return rng.choice((1, -1)) * near + rng.randrange(-3, 4)


def _scalar(rng: random.Random) -> Any:
    return rng.choice((_text, _integer, lambda r: r.random(), lambda r: r.choice((True, False, 1.0, 2.0))))(rng)


def _moment(rng: random.Random) -> Any:
    unit = rng.choice(("Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "10s"))
    return rng.choice((np.datetime64, np.timedelta64))(rng.randrange(-(10**4), 10**4), unit)


KINDS: dict[str, Callable[[random.Random], Any]] = {
    "text": _text,
    "integers": _integer,
    "numbers as text": lambda rng: rng.choice((str(_integer(rng)), "01", "+1", "1.0", "-0", "x")),
    "pairs": lambda rng: (rng.randrange(5), rng.randrange(5)),
    "tuples": lambda rng: tuple(_scalar(rng) for _ in range(rng.randrange(4))),
    "nested": lambda rng: ((rng.randrange(3),), (_text(rng), rng.randrange(3))),
    "floats": lambda rng: rng.choice((rng.random(), 1e300, -0.5, 1.0, 5e-324)),
    "moments": _moment,
    "dates": lambda rng: datetime.date(2000, 1, 1) + datetime.timedelta(rng.randrange(10**4)),
    "times": lambda rng: datetime.datetime(2000, 1, 1) + datetime.timedelta(microseconds=rng.randrange(10**12)),
    "bytes": lambda rng: bytes(rng.choice((0, 65, 255)) for _ in range(rng.randrange(4))),
    "sets": lambda rng: frozenset(rng.randrange(9) for _ in range(rng.randrange(4))),
    "decimals": lambda rng: Decimal(rng.randrange(100)) / 8,
    "fractions": lambda rng: Fraction(rng.randrange(100), 7),
    "anything": lambda rng: KINDS[rng.choice(("text", "integers", "pairs", "floats", "bytes", "dates"))](rng),
}  # fmt: skip


def _labels(rng: random.Random) -> tuple[str, list[Any]]:
    kind = rng.choice(list(KINDS))
    found: dict[Any, None] = {}
    for _ in range(200):
        if len(found) == 5:
            break
        found[KINDS[kind](rng)] = None
    return kind, list(found)


def _graph(rng: random.Random) -> tuple[str, apsp.Graph]:
    kind, labels = _labels(rng)
    n = len(labels)
    tails = [*range(n), *(rng.randrange(n) for _ in range(n))]
    heads = [*((v + 1) % n for v in range(n)), *(rng.randrange(n) for _ in range(n))]
    graph = apsp.from_edges(tails, heads, [rng.randrange(1, 9) for _ in tails], labels=labels)
    if rng.random() < 0.4:
        graph = graph.with_costs(**{_text(rng): np.arange(graph.m) for _ in range(rng.choice((1, 2)))})
    return kind, graph


@with_memory_limit
def run(seed: int, options: dict[str, Any], counts: Counter[str]) -> dict[str, Any] | None:
    """A graph with hostile labels and names, through some of the writers."""
    rng = random.Random(seed)
    words = ""
    with tempfile.TemporaryDirectory() as folder:
        try:
            kind, graph = _graph(rng)
            counts[f"labels {kind}"] += 1
            for name in rng.sample(list(WRITERS), 6):
                labels = [ascii(label)[:60] for label in graph.labels]
                words = f"{name} of labels {labels}, costs {ascii(list(graph.costs))[:300]}"
                try:
                    WRITERS[name](graph, Path(folder), rng)
                    counts[f"read back {name}"] += 1
                except apsp.ApspError as error:
                    counts[f"refused {name}"] += 1
                    if len(str(error)) > 3000:
                        raise WrongError(f"a message of {len(str(error))} characters") from error
        except apsp.ApspError as error:
            counts[f"refusals {type(error).__name__}"] += 1
        except WrongError as error:
            return {"what": "wrong", "where": f"names {words.split(' of ')[0]}", "words": f"{words}: {error}"[:2000]}
        except Exception as error:
            return {
                "what": "foreign", "where": f"names {words.split(' of ')[0]} {type(error).__name__}",
                "words": f"{words}: {type(error).__name__}: {str(error)!a}"[:2000],
                "trace": ascii(traceback.format_exc())[:4000],
            }  # fmt: skip
    return None


def _same(found: Any, expected: Any, what: str) -> None:
    if found != expected:
        raise WrongError(f"{what}: {ascii(found)[:600]}, not {ascii(expected)[:600]}")


# -- files of graphs --------------------------------------------------------------------------------------------------


def _arcs(graph: apsp.Graph, names: list[Any]) -> Counter[Any]:
    rows = zip(graph.tails().tolist(), graph.indices.tolist(), graph.weights.tolist(), strict=True)  # type: ignore[union-attr]
    return Counter((names[u], names[v], w) for u, v, w in rows)


def _graph_file(suffix: str) -> Callable[[apsp.Graph, Path, random.Random], None]:
    def act(graph: apsp.Graph, folder: Path, rng: random.Random) -> None:
        path = folder / f"graph{suffix}"
        path.write_bytes(b"before")
        try:
            apsp.write(graph, path)
        except apsp.ApspError:
            _same(path.read_bytes(), b"before", "the old file")
            raise
        lost = losses(graph, path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            back = apsp.read(path)
        _same((back.n, back.m), (graph.n, graph.m), "vertices and arcs")
        if "labels" in lost:
            return
        if "label types" in lost:
            texts = graph.labels.texts()
            _same(sorted(back.labels.texts()), sorted(texts), "texts of labels")
            _same(_arcs(back, back.labels.texts()), _arcs(graph, texts), "arcs")
        else:
            _same(set(back.labels), set(graph.labels), "labels")
            _same(_arcs(back, list(back.labels)), _arcs(graph, list(graph.labels)), "arcs")
        if "costs" not in lost and graph.costs:
            _same(set(back.costs), set(graph.costs), "costs")

    return act


# -- tables -----------------------------------------------------------------------------------------------------------

TABLES: dict[str, Callable[[apsp.Graph, random.Random], Any]] = {
    "nearest": lambda graph, rng: apsp.k_nearest(graph, 2),
    "facilities": lambda graph, rng: apsp.nearest(graph, [graph.labels[0]]),
    "isochrone": lambda graph, rng: apsp.isochrone(graph, [graph.labels[0]], 4),
    "paths": lambda graph, rng: apsp.prepare(graph).paths([graph.labels[0]], [graph.labels[graph.n - 1]]),
    "accessibility": lambda graph, rng: apsp.accessibility(
        graph, {_text(rng): np.ones(graph.n) for _ in range(2)}, cutoffs=rng.choice(([3, 10**6, 10**6 + 1], 5))
    ),
    "statistics": lambda graph, rng: apsp.distance_statistics(
        graph, [rng.choice(list(graph.labels)) for _ in range(graph.n)], quantiles=[0.1234567, 0.12345671]
    ),
    "skims": lambda graph, rng: apsp.skim(graph, list(graph.costs)),
}  # fmt: skip


def _columns(made: Any) -> dict[str, list[Any]]:
    found = made.to_long() if hasattr(made, "to_long") else made.to_dict()
    return {name: column.tolist() for name, column in found.items()}


def _table(name: str) -> Callable[[apsp.Graph, Path, random.Random], None]:
    def act(graph: apsp.Graph, folder: Path, rng: random.Random) -> None:
        made = TABLES[name](graph, rng)
        expected = _columns(made)
        form = rng.choice((_csv, _parquet, _arrow, _polars, _pandas))
        form(made, expected, folder)

    return act


def _write(made: Any, path: Path) -> None:
    """Write a table; one that is refused must leave no file."""
    try:
        made.write(path)
    except apsp.ApspError:
        _same(path.exists(), False, "a file of a table that is refused")
        raise


def _csv(made: Any, expected: dict[str, list[Any]], folder: Path) -> None:
    path = folder / "table.csv"
    _write(made, path)
    with path.open(encoding="utf-8", newline="") as file:
        csv.field_size_limit(1 << 28)
        header, *rows = list(csv.reader(file))
    path.unlink()
    _same(header, list(expected), "header")
    texts = {name: ["" if _is_missing(value) else str(value) for value in column] for name, column in expected.items()}
    _same(rows, [list(row) for row in zip(*texts.values(), strict=True)], "rows")
    for column in expected.values():
        if len(set(map(str, column))) != len(set(column)) and not any(map(_is_missing, column)):
            raise WrongError("different labels have the same text")


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def _parquet(made: Any, expected: dict[str, list[Any]], folder: Path) -> None:
    import pyarrow.parquet

    path = folder / "table.parquet"
    _write(made, path)
    table = pyarrow.parquet.read_table(path)
    path.unlink()
    _same_columns(table.to_pydict(), expected)


def _arrow(made: Any, expected: dict[str, list[Any]], folder: Path) -> None:
    _same_columns(made.to_arrow().to_pydict(), expected)


def _polars(made: Any, expected: dict[str, list[Any]], folder: Path) -> None:
    _same_columns(made.to_polars().to_dict(as_series=False), expected)


def _pandas(made: Any, expected: dict[str, list[Any]], folder: Path) -> None:
    frame = made.to_pandas()
    _same_columns({name: frame[name].tolist() for name in frame}, expected)


def _same_columns(found: dict[str, list[Any]], expected: dict[str, list[Any]]) -> None:
    _same(list(found), list(expected), "columns")
    for name, column in expected.items():
        pairs = list(zip(found[name], column, strict=True))
        wrong = [pair for pair in pairs if not _equal(*pair)]
        _same(wrong, [], f"column {name!a}")


def _equal(found: Any, expected: Any) -> bool:
    """Equality of a label with what other packages make of it: lists of tuples, moments of Python."""
    if _is_missing(expected):
        return _is_missing(found)
    if isinstance(expected, tuple) and isinstance(found, list):
        return len(found) == len(expected) and all(map(_equal, found, expected))
    if isinstance(expected, np.datetime64 | np.timedelta64):
        unit = np.datetime_data(expected.dtype)[0]
        made = np.datetime64 if isinstance(expected, np.datetime64) else np.timedelta64
        if unit == "ns" and not isinstance(found, np.generic):
            return True  # moments of Python have microseconds
        return bool(made(found) == expected)
    return bool(found == expected)


# -- results, skims and pictures --------------------------------------------------------------------------------------


def _saved(graph: apsp.Graph, folder: Path, rng: random.Random) -> None:
    result = apsp.solve(graph, paths=True)
    result.save(folder / "result.npz")
    back = apsp.load(folder / "result.npz")
    _same(list(back.graph.labels), list(graph.labels), "labels")
    _same(list(back.graph.costs), list(graph.costs), "costs")
    _same(np.array_equal(back.distances, result.distances), True, "distances")


def _oracle(graph: apsp.Graph, folder: Path, rng: random.Random) -> None:
    oracle = apsp.prepare(graph)
    oracle.save(folder / "oracle.npz")
    back = apsp.Oracle.load(folder / "oracle.npz")
    _same(list(back.graph.labels), list(graph.labels), "labels")
    _same(np.array_equal(back.rows(), oracle.rows()), True, "distances")


def _stored(graph: apsp.Graph, folder: Path, rng: random.Random) -> None:
    place = folder / f"result{rng.randrange(10**9)}.zarr"
    apsp.solve(graph, store=place)
    back = apsp.load(place)
    _same(list(back.sources), list(graph.labels), "sources")
    _same(list(back.graph.labels), list(graph.labels), "labels")


def _skims(suffix: str) -> Callable[[apsp.Graph, Path, random.Random], None]:
    def act(graph: apsp.Graph, folder: Path, rng: random.Random) -> None:
        path = folder / f"skims{suffix}"
        name = "cost" if not graph.costs else _text(rng)
        others = {_text(rng): np.arange(graph.m) for _ in range(rng.choice((0, 1, 2)))}
        made = apsp.skim(graph._with(costs={}), others, cost=name)
        try:
            made.write(path)
        except apsp.ApspError:
            _same(path.exists(), False, "a file of skims that are refused")
            raise
        if suffix == ".omx":
            _same(apsp.read_omx(path) == made, True, f"skims of {ascii(made.names)[:300]}")
            _same(sorted(apsp.read_omx(path).names), sorted(made.names), "names")
        else:
            with np.load(path) as saved:
                _same(sorted(saved.files), sorted([*made.names, "zones", "targets"]), "names")
                for each, matrix in made.items():
                    _same(np.array_equal(saved[each], matrix), True, f"matrix {ascii(each)[:100]}")
                _same(saved["zones"].tolist(), made.zones.tolist(), "zones")
        path.unlink()

    return act


def _stored_skims(graph: apsp.Graph, folder: Path, rng: random.Random) -> None:
    place = folder / f"skims{rng.randrange(10**9)}.zarr"
    made = apsp.skim(graph, list(graph.costs))
    apsp.skim(graph, list(graph.costs), store=place)
    back = apsp.load(place)
    _same(back.names, made.names, "names")
    _same(back == made, True, "matrices")


def _objects(graph: apsp.Graph, folder: Path, rng: random.Random) -> None:
    result = apsp.solve(graph, paths=True)
    _same(list(result.to_dict(only_reachable=False)), list(graph.labels), "keys")
    _same(result.to_pandas().index.tolist(), list(graph.labels), "index")
    _same(graph.to_series(np.arange(graph.n)).index.tolist(), list(graph.labels), "index of the series")
    coordinates = result.to_xarray().coords["source"].values
    _same(len(coordinates), graph.n, "coordinates")
    if "weight" not in graph.costs:
        back = apsp.from_networkx(graph.to_networkx(), costs=list(graph.costs))
        _same(list(back.labels), list(graph.labels), "nodes")
        _same(list(back.costs), list(graph.costs), "costs")
    repr(graph), repr(result), repr(graph.costs)
    for made in (graph, result):
        if hasattr(made, "_repr_html_"):
            made._repr_html_().encode("utf-8", "strict")
    result.verify()


def _figure(graph: apsp.Graph, folder: Path, rng: random.Random) -> None:
    points = np.random.default_rng(1).random((graph.n, 2))
    placed = graph._with(coordinates=points)
    axes = placed.plot(np.arange(graph.n), title=_text(rng), label=_text(rng))
    axes.figure.savefig(folder / rng.choice(("a.png", "a.svg")))
    import matplotlib.pyplot as plt

    plt.close("all")


WRITERS: dict[str, Callable[[apsp.Graph, Path, random.Random], None]] = {
    **{
        f"graph {suffix}": _graph_file(suffix)
        for suffix in (
            ".csv", ".tsv", ".txt", ".gml", ".graphml", ".net", ".npz", ".parquet", ".feather", ".gr", ".mtx", ".tntp",
        )
    },
    **{f"table {name}": _table(name) for name in TABLES},
    "result": _saved, "oracle": _oracle, "store": _stored, "skims .omx": _skims(".omx"), "skims .npz": _skims(".npz"),
    "skims .zarr": _stored_skims, "objects": _objects, "figure": _figure,
}  # fmt: skip
