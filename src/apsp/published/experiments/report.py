"""Writes measurements: CSV, figures (PNG and SVG) and the page. `Cells` writes the JSON during the run."""

from __future__ import annotations

from pathlib import Path

from apsp.figures import files
from apsp.published.experiments.cells import Cells
from apsp.published.experiments.figure import draw
from apsp.published.experiments.model import Paper
from apsp.published.experiments.page import html
from apsp.published.experiments.table import csv_text, rows
from apsp.system.replacing import replacing

__all__ = ["write"]


def write(paper: Paper, cells: Cells, folder: Path, scale: float) -> list[Path]:
    """Write the files of a paper beside its JSON; returns their paths."""
    measured = [(series, cells.of(series.name)) for series in paper.series if cells.of(series.name)]
    written, drawn = [], {}
    for series, mine in measured:
        if not rows(series, mine) and not any(cell.counts is not None for cell in mine):
            continue
        figure = draw(series, mine, scale)
        for ending in (".png", ".svg"):
            path = folder / f"{paper.name}-{series.name}{ending}"
            files.save(figure, path)
            written.append(path)
        drawn[series.name] = written[-1].read_bytes()
    for ending, text in ((".csv", csv_text(measured)), (".html", html(paper, measured, cells.head, drawn))):
        path = folder / f"{paper.name}{ending}"
        with replacing(path) as file:
            file.write(text.encode())
        written.append(path)
    return written
