"""Figures as files, and a check that figures can be drawn."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from apsp.errors import MissingDependencyError, RequestError
from apsp.system.replacing import replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["ENDINGS", "check_ending", "png", "require", "save"]

ENDINGS = (".png", ".svg", ".pdf")


def save(figure: Figure, path: str | Path, *, dpi: int = 120) -> None:
    """Write a figure in the format given by the ending of `path`; .png with 256 colours, which takes a third of the
    bytes.

    Raises
    ------
    OutputError
        If the file cannot be written.
    RequestError
        If the ending is not .png, .svg or .pdf.
    """
    check_ending(path)
    with replacing(path) as file:
        if Path(path).suffix == ".png":
            file.write(png(figure, dpi))
        else:
            figure.savefig(file, format=Path(path).suffix[1:])


def png(figure: Figure, dpi: int) -> bytes:
    """Return the figure as PNG with 256 colours, chosen so that even a thin line keeps its colour."""
    from PIL import Image

    drawn, small = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, format="png", dpi=dpi)
    few = Image.open(drawn).convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(small, format="png", optimize=True)
    return small.getvalue()


def check_ending(path: str | Path) -> None:
    """Raise RequestError if `save` cannot write files with such a name."""
    if Path(path).suffix not in ENDINGS:
        raise RequestError(f"{path}: figures end in {', '.join(ENDINGS)}")


def require() -> None:
    """Raise MissingDependencyError if matplotlib is not installed."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise MissingDependencyError("matplotlib", "drawing figures", "plot") from None
