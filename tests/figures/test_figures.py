"""Figures: what is on them, and the errors."""

from __future__ import annotations

import builtins
import warnings

import numpy as np
import pytest

import apsp
from apsp.figures import files
from apsp.figures.bands import bands
from apsp.figures.histogram import draw_histogram

pytest.importorskip("matplotlib")


@pytest.fixture
def square() -> apsp.Graph:
    """A square with a tail that cannot be reached from 0, and a vertex whose place is unknown."""
    return apsp.from_edges(
        [0, 1, 2, 3, 4, 4],
        [1, 2, 3, 0, 0, 5],
        [1, 1, 1, 1, 1, 1],
        coordinates=[[0, 0], [1, 0], [1, 1], [0, 1], [-1, 0], [np.nan, np.nan]],
    )


@pytest.fixture(scope="module")
def city() -> apsp.Graph:
    return apsp.generate("city", 400, seed=1)


# -- maps -----------------------------------------------------------------------------------------------------------


def test_map_draws_every_street_once(square):
    figure = apsp.solve(square, sources=[0]).plot(0, 2, label="minutes")
    axes = figure.axes[0]
    unreached, reached = axes.collections[:2]
    assert len(unreached.get_segments()) == 1
    assert sorted(reached.get_array().tolist()) == [0.5, 1.5, 1.5, 2.5]
    assert axes.lines[0].get_xydata().tolist() == [[0, 0], [1, 0], [1, 1]]
    assert axes.get_title(loc="left") == "Minutes from 0\nShortest path to 2: 2, 2 arcs"


def test_titles_have_units_and_the_bar_of_colours_too(square):
    result = apsp.solve(square, sources=[0])
    figure = result.plot(target=1, label="travel time", unit="s")
    assert figure.axes[0].get_title(loc="left") == "Travel time from 0\nShortest path to 1: 1 s, 1 arc"
    assert figure.axes[1].get_title(loc="left") == "travel time (s)"
    assert result.plot(title="").axes[0].get_title(loc="left") == ""


def test_large_values_are_drawn_over_small_ones(city):
    values = apsp.betweenness_centrality(city)
    drawn = city.plot(values).axes[0].collections[1].get_array()
    assert (np.diff(drawn) >= 0).all()
    values[::7] = np.nan
    unknown, known = city.plot(values).axes[0].collections[:2]
    assert (np.diff(known.get_array()) >= 0).all()
    assert len(unknown.get_segments()) + len(known.get_segments()) == len(drawn)


def test_small_networks_have_dots_and_names(square, city):
    named = square._with(labels=["a", "b", "c", "d", "e", "nowhere"])
    axes = named.plot([0, 1, 2, 3, np.inf, 0]).axes[0]
    assert [text.get_text() for text in axes.texts] == ["a", "b", "c", "d", "e"]
    arcs, unknown, known = axes.collections[1], *axes.collections[-2:]
    assert unknown.get_offsets().tolist() == [[-1, 0]]
    assert known.get_offsets().tolist() == [[0, 0], [1, 0], [1, 1], [0, 1]]
    assert known.get_array().tolist() == [0, 1, 2, 3]
    assert known.norm is arcs.norm
    assert arcs.norm.boundaries[-1] >= 3  # the vertices' values have colours, too
    routed = named.plot(route=["a", "b"]).axes[0]
    assert sorted(text.get_text() for text in routed.texts) == ["a", "b", "c", "d", "e"]
    assert not city.plot().axes[0].texts
    assert not [each for each in city.plot().axes[0].collections if len(each.get_offsets()) > 1]


def test_a_graph_is_drawn_in_one_colour_or_in_those_of_values(square):
    plain = square.plot(title="A square", route=[0, 1])
    assert len(plain.axes) == 1
    assert sorted(text.get_text() for text in plain.axes[0].texts) == ["0", "1", "2", "3", "4"]
    assert len(plain.axes[0].collections[0].get_segments()) == 5
    coloured = square.plot([0.0, 1, 2, np.nan, np.inf, 5])
    assert sorted(coloured.axes[0].collections[1].get_array().tolist()) == [0.5, 1.5]


@pytest.mark.parametrize("values", [[1, 2], [[1] * 6], ["a"] * 6, 5])
def test_values_are_one_number_per_vertex(square, values):
    with pytest.raises(apsp.RequestError, match="one per vertex"):
        square.plot(values)


@pytest.mark.parametrize("dtype", ["uint16", "int32", "float64"])
def test_map_of_one_place_and_of_nothing_reached(dtype):
    lonely = apsp.from_edges([0], [1], [1], coordinates=[[3, 3], [3, 3]])
    distances = np.array([apsp.unreachable(dtype), 0]).astype(dtype)
    lonely.plot(distances, route=[1], scale="metres").canvas.draw()
    lonely.plot(np.array([0, 0])).canvas.draw()


def test_map_needs_coordinates_and_all_columns(square):
    with pytest.raises(apsp.GraphError, match="needs coordinates"):
        apsp.from_edges([0], [1]).plot([0, 1])
    with pytest.raises(apsp.RequestError, match="without targets"):
        apsp.solve(square, targets=[0, 1]).plot()
    with pytest.raises(apsp.RequestError, match="row of a source"):
        apsp.solve(square, sources=[]).plot()
    with pytest.raises(apsp.NoPathError):
        apsp.solve(square).plot(0, 4)
    with pytest.raises(apsp.RequestError, match="among the sources"):
        apsp.solve(square, sources=[0]).plot(1)


def test_labels_are_never_formulas_and_never_long():
    labels = ["$\\frac$", "$" + "x" * 100, "two\nlines"]
    line = apsp.from_edges([0, 1], [1, 2], labels=labels, coordinates=[[0, 0], [1, 0], [2, 1]])
    figure = apsp.solve(line).plot("$\\frac$", labels[1])
    figure.canvas.draw()
    assert [text.get_text() for text in figure.axes[0].texts] == ["$\\frac$", "$" + "x" * 36 + "...", "two lines"]
    assert line.plot(route=labels[2:]).axes[0].texts[0].get_text() == "two lines"


def test_levels_by_choice():
    values = np.array([10.0, 299, 1100])
    chosen = bands(values, [300, 600, 900])
    assert chosen["norm"].boundaries.tolist() == [0, 300, 600, 900]
    assert chosen["cmap"].N == 3
    assert np.allclose(chosen["cmap"](chosen["norm"](1100.0)), (217 / 255, 220 / 255, 227 / 255, 1))
    assert bands(values + 300, [300, 600])["norm"].boundaries.tolist() == [300, 600]
    assert bands(values, [2000])["norm"].boundaries.tolist() == [0, 2000]


@pytest.mark.parametrize("levels", [None, 3, np.int64(6)])
def test_levels_by_number_are_round_and_hold_all_values(levels):
    for low, high in [(0, 1), (3, 997), (0.001, 0.0017), (5, 5), (-40, 80)]:
        limits = bands(np.array([low, high], dtype=float), levels)["norm"].boundaries
        assert limits[0] <= low <= high <= limits[-1]
        assert np.allclose(np.diff(limits), limits[1] - limits[0])
        assert len(limits) <= (levels or 12) + 3


@pytest.mark.parametrize("levels", [0, True, "abc", [], [3, 3], [1, np.nan], [[1, 2]], 10**9])
def test_other_levels_are_refused(square, levels):
    with pytest.raises(apsp.RequestError, match="levels must be"):
        square.plot([0, 1, 2, 3, 4, 5], levels=levels)


def test_a_short_route_gets_an_inset(city):
    result = apsp.solve(city, sources=[0])
    near, far = (int(np.argsort(result.distances[0])[place]) for place in (3, -1))
    short, long = (result.plot(0, target) for target in (near, far))
    (inset,) = short.axes[0].child_axes
    assert sorted(text.get_text() for text in inset.texts) == sorted(["0", str(near)])
    assert [text.get_text() for text in short.axes[0].texts] == []
    assert not long.axes[0].child_axes
    assert len(long.axes[0].texts) == 2


def test_several_paths_have_colours_and_a_legend(city):
    found = apsp.shortest_simple_paths(city, 0, 30, 10)
    axes = found.plot(label="travel time", unit="s").axes[0]
    names = [text.get_text() for text in axes.get_legend().get_texts()]
    assert names == [f"{length} s" for length in found.distances[:7]] + ["3 more"]
    assert axes.get_legend().get_title().get_text() == "travel time"
    assert axes.get_title(loc="left") == "From 0 to 30"
    assert len({line.get_color() for line in axes.lines[:7]}) == 7
    assert len({line.get_color() for line in axes.lines[7:]}) == 1
    for line, path in zip(axes.lines, found, strict=True):
        assert line.get_xydata().tolist() == city.coordinates[path].tolist()
    widths = [line.get_linewidth() for line in axes.lines[:7]]
    orders = [line.get_zorder() for line in axes.lines]
    assert widths == sorted(widths)
    assert orders[:7] == sorted(orders[:7], reverse=True)
    assert max(orders[7:]) < min(orders[:7])


def test_maps_of_paths_show_their_surroundings(city):
    shown = apsp.shortest_simple_paths(city, 0, next(iter(city[0])), 1).plot().axes[0]
    line = shown.lines[0].get_xydata()
    left, right = shown.get_xlim()
    assert left < line[:, 0].min() <= line[:, 0].max() < right
    assert right - left < np.ptp(city.plot().axes[0].get_xlim()) / 2


def test_paths_of_several_pairs_name_their_ends(square):
    found = apsp.shortest_simple_paths(square, [0, 1, 0, 1], [2, 0, 5, 1], 2)
    axes = found.plot(scale=1).axes[0]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["0 to 2: 2", "1 to 0: 3", "1 to 1: 0"]
    assert axes.get_title(loc="left") == ""
    assert found.of_pair(3).plot().axes[0].get_title(loc="left") == "From 1 to 1"
    nothing = found.of_pair(2).plot(title="None").axes[0]
    assert (nothing.get_title(loc="left"), nothing.get_legend()) == ("None", None)


def test_what_maps_of_paths_refuse(square):
    found = apsp.shortest_simple_paths(square, 0, 2, 2)
    for arguments in ({"title": 3}, {"label": 3}, {"unit": 3}, {"scale": "feet"}, {"ax": 3}):
        with pytest.raises(apsp.RequestError):
            found.plot(**arguments)
    with pytest.raises(apsp.RequestError, match="without links=True"):
        apsp.shortest_simple_paths(apsp.from_edges([0], [1], links=True), 0, 1, 2, links=True).plot()
    with pytest.raises(apsp.GraphError, match="needs coordinates"):
        apsp.shortest_simple_paths(apsp.from_edges([0], [1]), 0, 1, 2).plot()


def test_names_of_the_ends_are_on_different_sides(city):
    result = apsp.solve(city, sources=[0])
    far = int(result.distances[0].argmax())
    low, high = sorted(result.plot(0, far).axes[0].texts, key=lambda text: text.xy[1])
    assert (low.get_verticalalignment(), high.get_verticalalignment()) == ("top", "bottom")


@pytest.mark.parametrize(
    ("scale", "points", "words", "aspect"),
    [
        ("metres", [[0, 0], [5000, 5000]], "1 km", 1),
        (1000, [[0, 0], [1, 1]], "200 m", 1),
        ("degrees", [[0, 59], [1, 61]], "10 km", 2),
        ("microdegrees", [[0, 59e6], [1e6, 61e6]], "10 km", 2),
    ],
)
def test_scale_bars(scale, points, words, aspect):
    axes = apsp.from_edges([0], [1], coordinates=points).plot(scale=scale).axes[0]
    assert [text.get_text() for text in axes.texts] == ["0", "1", words]
    assert axes.get_aspect() == pytest.approx(aspect, abs=0.01)


@pytest.mark.parametrize("scale", ["feet", 0, -1, float("inf"), float("nan"), "degrees"])
def test_scales_that_make_no_sense(scale):
    with pytest.raises(apsp.RequestError, match="scale"):
        apsp.from_edges([0], [1], coordinates=[[0, 400], [1, 400]]).plot(scale=scale)


def test_figures_are_drawn_where_the_caller_says_and_show_themselves(city):
    from matplotlib.figure import Figure

    mine = Figure()
    axes = mine.add_subplot()
    assert city.plot(ax=axes) is mine
    assert apsp.distance_histogram(city.unweighted(), bins=8).plot(ax=axes) is mine
    assert city.plot()._repr_png_()[:4] == b"\x89PNG"


# -- histograms -----------------------------------------------------------------------------------------------------


def test_histogram_bars_and_marks():
    figure = draw_histogram([0.0, 10, 20], [3, 4], marks=[("mean 12", 12.0), ("diameter 19", 19.0)])
    axes = figure.axes[0]
    assert [bar.get_height() for bar in axes.patches] == [3, 4]
    assert [bar.get_x() for bar in axes.patches] == [0, 10]
    assert [text.get_text() for text in axes.texts] == ["mean 12", "diameter 19"]


def test_bars_of_integers_are_centred_on_them():
    graph = apsp.from_edges([0, 1, 2], [1, 2, 3])
    axes = apsp.distance_histogram(graph, bins=4).plot().axes[0]
    centres = {bar.get_x() + bar.get_width() / 2: bar.get_height() for bar in axes.patches if bar.get_height()}
    assert centres == {1: 3, 2: 2, 3: 1}
    wide = draw_histogram(np.array([0, 4, 8]), [1, 2]).axes[0]
    assert [bar.get_x() + bar.get_width() / 2 for bar in wide.patches] == [1.5, 5.5]


def test_marks_that_are_near_each_other_are_in_different_rows():
    marks = [("mean 4.99", 4.99), ("radius 5", 5.0), ("median 5", 5.0), ("diameter 9", 9.0)]
    figure = draw_histogram(np.arange(11), np.ones(10), marks=marks)
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts]
    assert not any(one.overlaps(other) for place, one in enumerate(boxes) for other in boxes[:place])


# -- files ----------------------------------------------------------------------------------------------------------


def test_save_knows_its_endings(tmp_path):
    figure = draw_histogram([0, 1], [1])
    for ending in files.ENDINGS:
        files.save(figure, tmp_path / f"figure{ending}")
    with pytest.raises(apsp.RequestError, match=r"figures end in \.png"):
        files.save(figure, tmp_path / "figure.txt")
    with pytest.raises(apsp.OutputError):
        files.save(figure, tmp_path / "no" / "figure.png")


def test_a_thin_route_keeps_its_colour_in_files(tmp_path, city):
    image = pytest.importorskip("PIL.Image")
    result = apsp.solve(city, sources=[0])
    files.save(result.plot(0, 399), tmp_path / "map.png")
    pixels = np.asarray(image.open(tmp_path / "map.png").convert("RGB")).astype(int)
    assert (np.abs(pixels - [0xE5, 0x44, 0x6D]).max(axis=2) <= 2).sum() > 100


def test_titles_of_narrow_maps_fit():
    narrow = apsp.from_edges([0, 1], [1, 0], [1, 1], coordinates=[[0, 0], [0, 9]])
    figure = apsp.solve(narrow).plot(0, 1, label="travel time", unit="minutes")
    figure.canvas.draw()
    title = figure.axes[0].title if figure.axes[0].title.get_text() else figure.axes[0]._left_title
    assert title.get_window_extent().x1 < figure.bbox.x1


def test_without_matplotlib_the_remedy_is_named(monkeypatch):
    load = builtins.__import__

    def refuse(name: str, *rest: object) -> object:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return load(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(apsp.MissingDependencyError, match=r"pip install 'apsp\[plot\]'"):
        files.require()


def test_long_titles_and_labels_take_lines(tmp_path):
    graph = apsp.from_edges([0, 1], [1, 2], coordinates=[[0, 0], [1, 2], [2, 1]])
    for what in ("title", "label"):
        axes = graph.plot([1, 2, 3], **{what: "W" * 500})
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of a layout that does not fit
            axes.figure.savefig(tmp_path / f"{what}.png")
        assert axes.figure.axes[what == "label"].get_title(loc="left").count("\n") == 6
        with pytest.raises(apsp.RequestError, match=rf"{what} takes 9 lines of at most 72 characters"):
            graph.plot([1, 2, 3], **{what: "\n".join("x" * 9)})
