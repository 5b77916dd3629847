"""A map to explore that a notebook shows: the page, in a frame that may run its program and nothing else."""

from __future__ import annotations

import os
from dataclasses import dataclass
from html import escape
from pathlib import Path

from apsp.errors import RequestError, format_bytes
from apsp.system.arguments import text, whole_number
from apsp.system.replacing import check_output, replacing

__all__ = ["HEIGHT", "Map", "page_path", "refuse_unless_cell_holds"]

HEIGHT = 560
"""Pixels of a map in a notebook, if the caller names no number."""

_LEAST, _MOST = 200, 10_000

_LONGEST = 40
"""Letters of a title in a `repr`."""

_SANDBOX = "allow-scripts allow-forms"
"""The page has an origin of its own, so that it reads nothing of the notebook; its search for a vertex is a form."""


@dataclass(frozen=True, repr=False)
class Map:
    """A map to explore in a notebook, which shows it as the last value of a cell: `explore` without a path returns it.

    Parameters
    ----------
    html : str
        The page: what `explore` writes to a file.
    title : str
        Title of the page.
    height : int
        Pixels of the map in a notebook, from 200 to 10,000; its width is that of the cell.

    Notes
    -----
    The map is a frame (an `iframe` with `srcdoc` and `sandbox`): JupyterLab, Notebook, VS Code and Colab show it
    without an extension or a package. It loads and sends nothing, and cannot read the notebook.

    Examples
    --------
    >>> import apsp
    >>> city = apsp.generate("city", 400, seed=1)
    >>> map_of_city = city.explore(title="A city", unit="s", scale="metres", height=400)
    >>> map_of_city  # doctest: +ELLIPSIS
    Map('A city', ... bytes; a notebook shows it, save('map.html') writes it)
    >>> map_of_city.save("city.html")
    """

    html: str
    title: str = ""
    height: int = HEIGHT

    def __post_init__(self) -> None:
        text(self.html, "html")
        text(self.title, "title")
        object.__setattr__(self, "height", whole_number(self.height, "height", least=_LEAST, most=_MOST))

    @property
    def nbytes(self) -> int:
        """Bytes of the page.

        Returns
        -------
        int
            The size of the file that `save` writes.
        """
        return len(self._encoded())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file: the one that `explore` writes.

        Parameters
        ----------
        path : path
            The file, which ends in .html.

        Raises
        ------
        RequestError
            If its name has another ending.
        OutputError
            If the file cannot be written.

        Examples
        --------
        >>> import apsp
        >>> apsp.generate("city", 400, seed=1).explore().save("city.html")
        """
        with replacing(page_path(path)) as file:
            file.write(self._encoded())

    def _encoded(self) -> bytes:
        return self.html.encode("utf-8", "replace")

    def _repr_html_(self) -> str:
        title = _unicode(self.title) or "Map"
        words = (
            f"{title}: if no map is shown here, run the cell again, or trust the notebook. In programs that show no "
            "pages, write the map to a file and open it in a browser: save('map.html')."
        )
        return (
            f'<div style="position:relative;width:100%;height:{self.height}px"><p>{escape(words)}</p>'
            f'<iframe title="{escape(title)}" sandbox="{_SANDBOX}" '
            'style="position:absolute;top:0;left:0;width:100%;height:100%;border:0" '
            f'srcdoc="{escape(_unicode(self.html))}"></iframe></div>'
        )

    def __repr__(self) -> str:
        title = ascii(self.title)
        title = title if len(title) <= _LONGEST else f"{title[: _LONGEST - 3]}..."
        return f"Map({title}, {self.nbytes:,} bytes; a notebook shows it, save('map.html') writes it)"


def page_path(path: str | os.PathLike[str]) -> Path:
    """Check before any work that a page can be written to a file.

    Raises
    ------
    RequestError, OutputError
        As `check_output`.
    """
    return check_output(path, (".html", ".htm"))


def refuse_unless_cell_holds(found: Map, most_bytes: int) -> None:
    """Refuse a map that is too large for the output of a cell.

    Raises
    ------
    RequestError
        If its HTML takes more than `most_bytes`.
    """
    size = len(found._repr_html_().encode())
    if size > most_bytes:
        raise RequestError(
            f"this map takes {format_bytes(size)}, and the output of a cell at most {format_bytes(most_bytes)}, since "
            "the notebook stores it: write a file, explore('map.html'), and open it in a browser, or show a part "
            "(graph.subgraph)"
        )


def _unicode(words: str) -> str:
    """Text that UTF-8 holds: halves of surrogate pairs become question marks, as in files."""
    return words.encode("utf-8", "replace").decode()
