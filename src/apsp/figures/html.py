"""The table that notebooks show instead of a `repr`: names and values (escaped), and a picture beside them."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

__all__ = ["card", "sentences"]

_CELL = 'style="text-align:left;padding:1px 12px 1px 0;vertical-align:top"'


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
