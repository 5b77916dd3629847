"""Edge tables in Parquet or Arrow (Feather, IPC) files; needs pyarrow (`pip install 'apsp[parquet]'`).

The columns are found by name as in a CSV header (columns.py). Integers that are not exactly 0..n-1, and text, become
labels.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Collection
from itertools import chain
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from apsp._types import USUAL
from apsp.errors import ApspError, GraphError, MissingDependencyError, RequestError, shown
from apsp.graph.columns import Field, Roles, roles_of
from apsp.graph.directions import ends_of_links, holds_ways, ways_of
from apsp.graph.files.chosen import WORDS, listed_roles
from apsp.graph.files.options import ReadOptions, build
from apsp.graph.files.source import Source
from apsp.graph.files.vertex_labels import check_none_alone, compact
from apsp.graph.labels import Labels, RangeLabels, labels_of
from apsp.graph.labels.base import plain_text
from apsp.graph.labels.integers import are_integers
from apsp.graph.links import rows_of
from apsp.graph.model import Graph
from apsp.graph.tables.column import as_tuple
from apsp.system.arguments import is_unicode

NAMES = ("parquet", "arrow", "feather")
SUFFIXES = (".parquet", ".arrow", ".feather", ".ipc")
KEEPS = frozenset({"weights", "labels", "costs", "parallel links"})


def sniff(head: bytes, _name: str) -> int:
    """Score how much the file looks like this format: 0 (not) to 100."""
    return 100 * head.startswith((b"PAR1", b"ARROW1"))


def read(source: Source, options: ReadOptions) -> Graph:
    """Read the table as arcs."""
    try:
        table = table_of(source)
        said = {
            key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items() if key[:5] == b"apsp_"
        }
        table.validate(full=True)
        names = table.column_names
        roles = _roles(table, options)
        source.notes += roles.notes
        tail, head = names[roles.tail], names[roles.head]
        ends = [_column(source, table, name) for name in (tail, head)]
        weights = None if roles.length is None else _weights(source, table, names[roles.length])
        costs = _costs(source, table, {tail, head}, options, said.get("apsp_costs"))
        ways = None if roles.direction is None else _ways(source, table, names[roles.direction], options)
    except RequestError as error:
        raise RequestError(f"{source.path}: {error}") from None
    except ApspError:
        raise
    except Exception as error:  # Arrow may raise any exception for damaged bytes
        raise source.fail(f"the table is damaged or cannot be read ({str(error)[:120]})") from error
    directed: Any = said.get("apsp_directed", "true") == "true"
    announced = (
        int(said["apsp_n"]) if re.fullmatch(r"[0-9]+", said.get("apsp_n", "")) and len(said["apsp_n"]) < 11 else None
    )
    first = int(said["apsp_first"]) if re.fullmatch(r"-?[0-9]{1,18}", said.get("apsp_first", "")) else None
    if all(array.dtype.kind in "iu" for array in ends):
        (tails, heads), labels, n = compact(ends[0], ends[1], announced, first)
    else:
        try:
            entries = [list(map(_label, array.tolist())) for array in ends]
        except UnicodeDecodeError as error:
            raise source.fail("a vertex is not text in UTF-8") from error
        found = list(dict.fromkeys(chain(*entries)))
        if all(isinstance(label, str) for label in found):
            found.sort()
        place = dict(zip(found, range(len(found)), strict=True))
        tails, heads = (np.fromiter(map(place.__getitem__, each), np.int64, len(each)) for each in entries)
        labels, n = labels_of(found), len(found)
    if ways is not None:
        tails, heads, directed = ends_of_links(ways, tails, heads)
    return build(source, options, tails, heads, weights, n=n, directed=directed, labels=labels, costs=costs,
                 fewest_costs=1 if "apsp_costs" in said else 2, links="apsp_links" in said)  # fmt: skip


def write(graph: Graph, stream: IO[bytes], path: Path) -> None:
    """Write columns source, target and (unless the graph counts hops) weight; n and the direction as metadata."""
    pa = _pyarrow()
    rows = rows_of(graph)
    tails, heads, weights = rows.tails, rows.heads, rows.weights
    labels = graph.labels
    if not isinstance(labels, RangeLabels):
        check_none_alone(graph, tails, heads, "a table of arcs")
    if not are_integers(labels):
        named = _named(labels)
        columns: dict[str, Any] = {"source": named.take(pa.array(tails)), "target": named.take(pa.array(heads))}
    else:
        columns = {"source": labels.take(tails), "target": labels.take(heads)}
    if weights is not None:
        columns["weight"] = weights
    if rows.one_way is not None:
        columns["directed"] = rows.one_way
    for name, numbers in rows.costs.items():
        if name in columns and not (name == "weight" and np.array_equal(numbers, columns[name])):
            raise GraphError(f"the cost {name!r} has the name of another column of the table; write a .npz file")
        columns[name] = numbers
    table = pa.table(columns)
    said = {"apsp_n": str(graph.n), "apsp_directed": str(graph.directed).lower()}
    if isinstance(labels, RangeLabels):
        said["apsp_first"] = str(labels.start)
    if graph.costs:
        said["apsp_costs"] = json.dumps(list(graph.costs))
    if graph.links is not None:
        said["apsp_links"] = "true"
    table = table.replace_schema_metadata(said)
    if ".parquet" in path.name.lower():
        import pyarrow.parquet as pq

        pq.write_table(table, stream)
    else:
        import pyarrow.feather as feather

        feather.write_feather(table, stream, compression="uncompressed")


def holds_types(labels: Labels) -> bool:
    """Whether labels that are not integers come back as they are: text, and tuples of one type."""
    return not _pyarrow().types.is_string(_named(labels).type) or all(isinstance(label, str) for label in labels)


def _named(labels: Labels) -> Any:
    """Labels as an array: tuples as lists if Arrow has a type for them, others as text.

    Raises
    ------
    GraphError
        If two have the same text, or Arrow cannot hold a text.
    """
    pa = _pyarrow()
    if len(labels) and all(type(label) is tuple for label in labels):
        with contextlib.suppress(Exception):  # of Arrow, which has no type for them
            found = pa.array(list(labels))
            if all(_same(as_tuple(value), label) for value, label in zip(found.to_pylist(), labels, strict=True)):
                return found
    texts = labels.texts()
    for text in texts:
        if not is_unicode(text):
            raise GraphError(f"the label {shown(text)} has half of a surrogate pair; write .npz")
    return pa.array(texts, pa.string())


def _same(found: Any, label: Any) -> bool:
    """Whether they are equal, and no integer has become a float."""
    if isinstance(label, tuple):
        return len(found) == len(label) and all(map(_same, found, label))
    return bool(found == label) and isinstance(found, float) == isinstance(label, (float, np.floating))


def _label(value: Any) -> Any:
    """An entry of a column as a label: text, or a tuple."""
    found = as_tuple(value)
    return found if isinstance(found, tuple) else plain_text(value.decode() if isinstance(value, bytes) else value)


def _pyarrow() -> Any:
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingDependencyError("pyarrow", "reading and writing Parquet and Arrow files", "parquet") from error
    return pa


def table_of(source: Source, columns: Collection[str] | None = None) -> Any:
    """The table of a file, or those of its columns that have some names."""
    pa = _pyarrow()
    data = pa.BufferReader(source.all_bytes())
    if source.head.startswith(b"PAR1"):
        import pyarrow.parquet as pq

        facts = pq.read_metadata(data)
        source.expansion.check_fits(8 * facts.num_rows * facts.num_columns, str(source.path))
        names = pq.read_schema(data).names
        return pq.read_table(data, columns=None if columns is None else [name for name in names if name in columns])
    table = pa.ipc.open_file(data).read_all()
    return table if columns is None else table.select([name for name in table.column_names if name in columns])


def names_of_columns(source: Source) -> list[str]:
    """The names of the columns of a file; none if it cannot be read, of which `read` says why."""
    try:
        pa = _pyarrow()
        if source.packed:
            with source.again() as again:
                data = pa.BufferReader(again.all_bytes())
        else:
            data = str(source.place)
        if source.head.startswith(b"PAR1"):
            import pyarrow.parquet as pq

            return list(pq.read_schema(data).names)
        with pa.memory_map(data) if isinstance(data, str) else data as stream:
            return list(pa.ipc.open_file(stream).schema.names)
    except Exception:  # Arrow may raise any exception for damaged bytes
        return []


def holds_structures(kind: Any) -> bool:
    """Whether a column holds lists of structures, or nothing."""
    types = _pyarrow().types
    is_list = types.is_list(kind) or types.is_large_list(kind)
    return bool(types.is_null(kind) or (is_list and types.is_struct(kind.value_type)))


def _roles(table: Any, options: ReadOptions) -> Roles:
    """Choose the columns."""
    names = table.column_names
    if len(names) < 2 or len(set(names)) != len(names):
        raise ValueError(f"an edge table needs columns such as source and target, not {names}")
    fields = [Field(name, _is_number(table.schema.field(name).type)) for name in names]
    wanted = None if not options.weighted else USUAL if options.cost is None else options.cost
    if options.columns is not None:
        return listed_roles(fields, options.columns, options)
    return roles_of(fields, options.source, options.target, wanted, WORDS)


def _ways(source: Source, table: Any, name: str, options: ReadOptions) -> npt.NDArray[np.int8] | None:
    """The directions of the rows, if the caller does not decide them and the column holds directions."""
    if options.directed is not None:
        return None
    values = table.column(name).to_pylist()
    if not holds_ways(name, values):
        return None
    return ways_of(name, values, lambda row, problem: source.fail(f"row {row}: {problem}"))


def _column(source: Source, table: Any, name: str) -> npt.NDArray[Any]:
    column = table.column(name)
    if column.null_count:
        raise source.fail(f"column {name!r} has {column.null_count} missing entries")
    array: npt.NDArray[Any] = column.to_numpy()
    if array.dtype.kind not in "iuOUS":
        raise source.fail(f"column {name!r} holds {column.type}: vertices are integers or text")
    return array


def _costs(
    source: Source, table: Any, ends: set[str], options: ReadOptions, said: str | None
) -> dict[str, npt.NDArray[Any]]:
    """The columns of numbers without missing entries; those that this package wrote as costs if it did."""
    if not options.costs:
        return {}
    names = [name for name in table.column_names if name not in ends]
    if said is not None:
        names = [name for name in json.loads(said) if name in names]
    found = {}
    for name in names:
        column = table.column(name)
        numbers = column.to_numpy() if options.keeps(name) and _is_number(column.type) else np.array(None)
        if numbers.dtype.kind in "iuf" and not column.null_count and (abs(numbers) < 2.0**63).all():
            found[name] = numbers
        elif isinstance(options.costs, tuple) and options.keeps(name):
            found[name] = _weights(source, table, name)  # its error says what is wrong
    return found


def _is_number(kind: Any) -> bool:
    types = _pyarrow().types
    return bool(types.is_integer(kind) or types.is_floating(kind))


def _weights(source: Source, table: Any, name: str) -> npt.NDArray[Any]:
    column = table.column(name)
    if column.null_count:
        raise source.fail(f"column {name!r} has {column.null_count} missing entries; weighted=False counts hops")
    array: npt.NDArray[Any] = column.to_numpy()
    if array.dtype.kind not in "iuf":
        raise source.fail(f"column {name!r} holds {column.type}: weights are numbers")
    return array
