"""Figures: what is on them, and the errors."""

from __future__ import annotations

import builtins

import numpy as np
import pytest

import apsp
from apsp import plot


@pytest.fixture
def square() -> apsp.Graph:
    """A square with a tail that cannot be reached from 0, and a vertex whose place is unknown."""
    return apsp.from_edges(
        [0, 1, 2, 3, 4, 4],
        [1, 2, 3, 0, 0, 5],
        [1, 1, 1, 1, 1, 1],
        coordinates=[[0, 0], [1, 0], [1, 1], [0, 1], [-1, 0], [np.nan, np.nan]],
    )


def test_map_draws_every_street_once(square):
    distances = apsp.solve(square, sources=[0]).distances[0]
    figure = plot.draw_map(square, distances, source=0, route=[0, 1, 2], title="A title", label="minutes")
    axes = figure.axes[0]
    unreached, reached = axes.collections[:2]
    assert len(unreached.get_segments()) == 1
    assert sorted(reached.get_array().tolist()) == [0.5, 1.5, 1.5, 2.5]
    assert axes.lines[0].get_xydata().tolist() == [[0, 0], [1, 0], [1, 1]]
    assert axes.get_title(loc="left") == "A title"


@pytest.mark.parametrize("dtype", ["uint16", "int32", "float64"])
def test_map_of_one_place_and_of_nothing_reached(dtype):
    lonely = apsp.from_edges([0], [1], [1], coordinates=[[3, 3], [3, 3]])
    distances = np.array([apsp.unreachable(dtype), 0]).astype(dtype)
    plot.draw_map(lonely, distances, source=1).canvas.draw()


def test_map_needs_coordinates():
    with pytest.raises(apsp.GraphError, match="needs coordinates"):
        plot.draw_map(apsp.from_edges([0], [1]), [0, 1])


def test_histogram_bars_and_marks():
    figure = plot.draw_histogram([0, 10, 20], [3, 4], marks=[("mean 12", 12.0), ("diameter 19", 19.0)])
    axes = figure.axes[0]
    assert [bar.get_height() for bar in axes.patches] == [3, 4]
    assert [text.get_text() for text in axes.texts] == ["mean 12", "diameter 19"]


def test_save_knows_its_endings(tmp_path):
    figure = plot.draw_histogram([0, 1], [1])
    for ending in plot.ENDINGS:
        plot.save(figure, tmp_path / f"figure{ending}")
    with pytest.raises(apsp.RequestError, match=r"figures end in \.png"):
        plot.save(figure, tmp_path / "figure.txt")
    with pytest.raises(apsp.OutputError):
        plot.save(figure, tmp_path / "no" / "figure.png")


def test_without_matplotlib_the_remedy_is_named(monkeypatch):
    load = builtins.__import__

    def refuse(name: str, *rest: object) -> object:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return load(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(apsp.MissingDependencyError, match=r"pip install 'apsp\[plot\]'"):
        plot.require()
