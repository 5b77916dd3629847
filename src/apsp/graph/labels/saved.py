"""Conversion of labels to named arrays for files, and back, without pickling.

A range is saved as two integers, integers as an array, strings as one UTF-8 text and the end of each label, and
anything else as JSON: integers and strings unchanged, other types as {"kind": value}. Those of vertices and of sets of
places are saved one by one, with numbers in front of the names of their arrays.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError, shown
from apsp.graph.labels.base import Labels
from apsp.graph.labels.integers import IntegerLabels, RangeLabels, integer_labels
from apsp.graph.labels.objects import ObjectLabels
from apsp.graph.labels.placed import PlacedLabels
from apsp.system.arguments import is_unicode

__all__ = ["arrays_of_labels", "check_savable", "labels_of_arrays"]

_MOST_DIGITS = 2**64
"""JSON readers limit the digits of integers: larger ones are written in hexadecimal digits."""


def arrays_of_labels(labels: Labels) -> dict[str, npt.NDArray[Any]]:
    """The arrays by name; none if the labels are the positions.

    Raises
    ------
    GraphError
        If a label cannot be saved without pickling it; the message names the first.
    """
    check_savable(labels)
    if isinstance(labels, PlacedLabels):
        return _arrays_of_placed(labels)
    if labels.are_positions:
        return {}
    if isinstance(labels, RangeLabels):
        return {"label_range": np.array([labels.start, len(labels)], dtype=np.int64)}
    if isinstance(labels, IntegerLabels):
        return {"label_integers": labels.values}
    if all(type(label) is str for label in labels):
        text = [label.encode("utf-8", "surrogatepass") for label in labels]
        ends = np.cumsum([len(word) for word in text], dtype=np.int64)
        return {"label_text": np.frombuffer(b"".join(text), dtype=np.uint8), "label_ends": ends}
    document = json.dumps([_tagged(label) for label in labels], allow_nan=False)
    return {"label_json": np.frombuffer(document.encode(), dtype=np.uint8)}


def check_savable(labels: Labels) -> None:
    """Raise the error now rather than after the work if labels cannot be saved.

    Raises
    ------
    GraphError
        If a label cannot be saved; the message names the first.
    """
    if isinstance(labels, PlacedLabels):
        for part in (labels.own, *labels.parts):
            check_savable(part)
    if isinstance(labels, ObjectLabels):
        for label in labels:
            _tagged(label)


def labels_of_arrays(arrays: Mapping[str, npt.NDArray[Any]]) -> Labels | None:
    """The labels among the arrays of a file; None if there are none.

    Raises
    ------
    GraphError
        If the arrays are damaged.
    """
    if "place_counts" in arrays:
        labels: Labels = _placed_of_arrays(arrays)
    elif "label_range" in arrays:
        labels = _range(_checked(arrays["label_range"], "iu"))
    elif "label_integers" in arrays:
        labels = integer_labels(_checked(arrays["label_integers"], "iu"))
    elif "label_text" in arrays:
        labels = _texts(_checked(arrays["label_text"], "u"), _checked(arrays.get("label_ends"), "iu"))
    elif "label_json" in arrays:
        labels = _documents(_checked(arrays["label_json"], "u"))
    elif "names" in arrays:  # strings, in files of earlier versions
        names, ends = arrays["names"], arrays.get("name_ends")
        labels = (
            ObjectLabels(_checked(names, "U").tolist())
            if ends is None
            else _texts(_checked(names, "u"), _checked(ends, "iu"))
        )
    else:
        return None
    return labels


def _arrays_of_placed(labels: PlacedLabels) -> dict[str, npt.NDArray[Any]]:
    every = (labels.own, *labels.parts)
    arrays: dict[str, npt.NDArray[Any]] = {
        "place_counts": np.array([len(part) for part in every], dtype=np.int64),
        "place_again": labels.again,
        "place_rows": np.array([labels.rows], dtype=np.int64),
    }
    for number, part in enumerate(every):
        arrays |= {f"place{number}_{name}": array for name, array in arrays_of_labels(part).items()}
    return arrays


def _placed_of_arrays(arrays: Mapping[str, npt.NDArray[Any]]) -> PlacedLabels:
    counts, again, rows = (_checked(arrays.get(f"place_{name}"), "iu") for name in ("counts", "again", "rows"))
    every = []
    for number, count in enumerate(counts.tolist()):
        start = f"place{number}_"
        some = {name.removeprefix(start): array for name, array in arrays.items() if name.startswith(start)}
        part = labels_of_arrays(some)
        every.append(_range(np.array([0, count])) if part is None else part)
        if len(every[-1]) != count:
            raise GraphError("the arrays of the labels are damaged")
    if not every or len(rows) != 1 or not -1 <= rows[0] < len(every) - 1:
        raise GraphError("the arrays of the labels are damaged")
    if len(again) and not 0 <= again.min() <= again.max() < counts.sum():
        raise GraphError("the arrays of the labels are damaged")
    return PlacedLabels(every[0], tuple(every[1:]), again.astype(np.int32), int(rows[0]))


def _checked(array: npt.NDArray[Any] | None, kinds: str) -> npt.NDArray[Any]:
    if array is None or array.ndim != 1 or array.dtype.kind not in kinds:
        raise GraphError("the arrays of the labels are damaged")
    return array


def _range(numbers: npt.NDArray[Any]) -> Labels:
    start, count = (*numbers.tolist(), -1, -1)[:2]
    if len(numbers) != 2 or not 0 <= count <= 2**63 - start:
        raise GraphError("the arrays of the labels are damaged")
    return RangeLabels(start, count)


def _texts(text: npt.NDArray[Any], ends: npt.NDArray[Any]) -> Labels:
    starts = np.concatenate([[0], ends[:-1]]) if len(ends) else ends
    if len(ends) and (ends[-1] != len(text) or (starts > ends).any() or ends[0] < 0):
        raise GraphError("the arrays of the labels are damaged")
    whole = text.tobytes()
    try:
        words = [
            whole[a:b].decode("utf-8", "surrogatepass") for a, b in zip(starts.tolist(), ends.tolist(), strict=True)
        ]
    except UnicodeDecodeError as error:
        raise GraphError(f"the arrays of the labels are damaged ({error})") from None
    return ObjectLabels(words)


def _documents(text: npt.NDArray[Any]) -> Labels:
    try:
        return ObjectLabels(map(_untagged, _list(json.loads(text.tobytes()))))
    except GraphError:
        raise
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError) as error:
        raise GraphError(f"the labels are damaged ({str(error)[:80]})") from None


def _tagged(label: Any) -> Any:
    """A label for JSON."""
    kind = type(label)
    if kind is str and not is_unicode(label):  # JSON joins two halves of surrogate pairs to one character
        return {"text": label.encode("utf-8", "surrogatepass").hex()}
    if kind in (str, bool) or label is None or (kind is int and -_MOST_DIGITS < label < _MOST_DIGITS):
        return label
    if isinstance(label, np.datetime64 | np.timedelta64):
        return {kind.__name__: [int(label.astype(np.int64)), np.datetime_data(label.dtype)]}
    if kind is tuple:
        return {"tuple": [_tagged(each) for each in label]}
    if kind is frozenset:
        return {"frozenset": [_tagged(each) for each in label]}
    if kind is int:
        return {"int": hex(label)}
    if kind is float:
        return {"float": label.hex()}
    if kind is complex:
        return {"complex": [label.real.hex(), label.imag.hex()]}
    if kind is bytes:
        return {"bytes": label.hex()}
    if isinstance(label, datetime.datetime) and label.tzinfo is None and not getattr(label, "nanosecond", 0):
        return {"datetime": label.isoformat()}  # a pandas.Timestamp is equal to it
    if kind is datetime.date:
        return {"date": label.isoformat()}
    raise GraphError(
        f"the label {shown(label)} cannot be saved: files hold labels of integers, floats, strings, bytes, dates "
        f"and tuples of them, not of {kind.__name__}; give the graph other labels"
    )


_KINDS: dict[str, Callable[[Any], Any]] = {
    "datetime64": lambda value: np.datetime64(value[0], _unit(value[1])),
    "timedelta64": lambda value: np.timedelta64(value[0], _unit(value[1])),
    "tuple": lambda value: tuple(map(_untagged, _list(value))),
    "frozenset": lambda value: frozenset(map(_untagged, _list(value))),
    "int": lambda value: int(value, 16),
    "text": lambda value: bytes.fromhex(value).decode("utf-8", "surrogatepass"),
    "float": float.fromhex,
    "complex": lambda value: complex(float.fromhex(value[0]), float.fromhex(value[1])),
    "bytes": bytes.fromhex,
    "datetime": datetime.datetime.fromisoformat,
    "date": datetime.date.fromisoformat,
}


def _untagged(value: Any) -> Any:
    if value is None or isinstance(value, (str, bool, int)):
        return value
    ((kind, content),) = value.items()
    return _KINDS[kind](content)


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return value


def _unit(data: list[Any]) -> Any:
    return (str(data[0]), int(data[1]))
