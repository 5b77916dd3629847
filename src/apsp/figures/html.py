"""The tables that notebooks show instead of a `repr`: names and values (escaped), with a picture; and columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from apsp.system.numbers import counted

__all__ = ["card", "columns_html", "rows_words", "sentences", "table_card"]

_CELL = 'style="text-align:left;padding:1px 12px 1px 0;vertical-align:top"'

_LONGEST = 40
"""Maximum number of letters of a cell of a table of columns."""


def card(title: str, rows: Iterable[tuple[str, object]], picture: str = "", below: str = "") -> str:
    """A table of two columns.

    Parameters
    ----------
    title : str
        Text above the table.
    rows : iterable of (str, object)
        Texts; those whose value is None are left out.
    picture, below : str
        HTML, taken as it is.
    """
    lines = [
        f"<tr><th {_CELL}>{escape(name)}</th><td {_CELL}>{escape(str(value))}</td></tr>"
        for name, value in rows
        if value is not None
    ]
    table = f'<table style="margin:0"><tbody>{"".join(lines)}</tbody></table>'
    return (
        f'<div><strong>{escape(title)}</strong><div style="display:flex;gap:1.5em;align-items:flex-start;'
        f'flex-wrap:wrap">{table}{picture}</div>{below}</div>'
    )


def sentences(title: str, texts: Iterable[str]) -> str:
    """A list that is collapsed until it is clicked."""
    items = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<details><summary>{escape(title)}</summary><ul>{items}</ul></details>" if items else ""


def table_card(title: str, columns: Mapping[str, Sequence[str]], below: str) -> str:
    """A table of columns with a title, and a text below it."""
    table = columns_html(list(columns.items())) if columns else ""
    return f"<div><strong>{escape(title)}</strong>{table}<div>{escape(below)}</div></div>"


def rows_words(shown: int, count: int) -> str:
    """The text below a table of the first rows: '10 of 2,000 rows'."""
    return f"{shown:,} of {counted(count, 'row')}" if shown < count else counted(count, "row")


def columns_html(columns: Sequence[tuple[str, Sequence[str]]], names: Sequence[str] | None = None) -> str:
    """A table of columns of texts, which have headings; rows may have names."""
    head = [name for name, _ in columns]
    rows = list(zip(*(values for _, values in columns), strict=True))
    if names is None:
        starts = [""] * len(rows)
    else:
        head, starts = ["", *head], [f"<th {_CELL}>{_on_one_line(name)}</th>" for name in names]
    heads = "".join(f"<th {_CELL}>{_on_one_line(name)}</th>" for name in head)
    body = "".join(
        f"<tr>{start}{''.join(f'<td {_CELL}>{_on_one_line(value)}</td>' for value in row)}</tr>"
        for start, row in zip(starts, rows, strict=True)
    )
    return f'<table style="margin:0"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>'


def _on_one_line(text: str) -> str:
    text = " ".join(text.encode("utf-8", "backslashreplace").decode().split())  # half of a surrogate pair
    return escape(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}...")
