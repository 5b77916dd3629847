"""Maps in one file, in headless Chromium: python -m benchmarks.explore [--quick] [--write FILE].

Generated cities, also with weights of 24 hours, and the roads of New York (`benchmarks.elimination`), whose file has
no coordinates: they are drawn by the links from 60 vertices (a projection of these distances). Per map: the bytes of
the file and the seconds to write it; milliseconds until the streets are drawn and until they are coloured; of a click,
the sweep alone, all work of the page, and all until WebGL has drawn the picture, one picture at a time; and pictures
per second while a source is dragged: the mouse moves 125 times per second through the middle of the streets, to
another vertex each time and whether or not the page has drawn, and the frames of the page that show another source are
counted. Each of them waits until the one before is drawn; without a window, the browser shows at most 60 per second.
Distances from 1,000 vertices that are clicked are compared with rows of the oracle, to the last bit.

Chromium draws in software here, with as many cores as the machine has: pictures are those of a machine without a GPU.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import apsp
from benchmarks.chromium import Page, opened
from benchmarks.elimination import new_york
from benchmarks.harness import environment

CLICKED, SWEPT, PAINTED = 1000, 200, 20
MOVES = 125  # of the mouse, per second
TARGETS = {
    "city of 10,000": {"MB": 2.0, "click ms": 8.0},
    "New York": {"MB": 25.0, "click ms": 16.0, "streets ms": 2000.0, "pictures per second": 60.0},
}

MEASURE = """(async (swept, painted) => {
  const app = await explored, n = app.data.n, pixel = new Uint8Array(4), gl = app.streets.gl;
  const drawn = () => gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  const at = turn => (turn * 7919) % n;
  const times = (count, run) => Array.from({ length: count }, (_, turn) => {
    const start = performance.now();
    run(turn);
    return performance.now() - start;
  });
  app.setFollow(false);
  const sweeps = times(swept, turn => app.engine.sweep([at(turn)]));
  const paint = turn => { app.sources = [at(turn)]; app.due.sources = true; app.paint(); };
  drawn();
  const clicks = [], pictures = times(painted, turn => {
    const start = performance.now();
    paint(turn);
    clicks.push(performance.now() - start);
    drawn();
  });
  const mark = name => performance.getEntriesByName(name)[0].startTime;
  return { sweeps, clicks, pictures, streets: mark("streets"), distances: mark("distances") };
})(SWEPT, PAINTED)"""

COUNT = """explored.then(async app => {
  const paint = app.paint.bind(app), nextFrame = () => new Promise(requestAnimationFrame), { data, view } = app;
  const [x, y] = view.toScreen(view.x, view.y), around = Array.from({ length: 125 }, (_, turn) => {
    const angle = (2 * Math.PI * turn) / 125;
    return app.grid.nearest(...view.toPlane(x + 200 * Math.sin(angle), y + 100 * Math.sin(2 * angle)));
  }).filter((place, turn, all) => place !== all.at(turn - 1));
  const places = Array.from({ length: TURNS }, (_, turn) => around[turn % around.length]);
  app.setFollow(false);
  app.useAt(places[0], "source");
  await nextFrame();
  await nextFrame();
  let before = app.sources[0];
  globalThis.pictures = [];
  globalThis.goal = places.at(-1);
  app.paint = () => {
    paint();
    if (app.sources[0] !== before) pictures.push([performance.now(), !app.parts.plain.hidden]);
    before = app.sources[0];
  };
  return places.map(place => view.toScreen(data.x[place], data.y[place]));
})"""

CHECK = """explored.then(app => {
  app.useAt(app.data.place[POSITION], "source");
  app.paint();
  const all = Float64Array.from(app.data.place, place => app.engine.at(place)), bytes = new Uint8Array(all.buffer);
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
})"""


def drawn_by_links(graph: apsp.Graph) -> npt.NDArray[np.float64]:
    """Coordinates (n, 2) from the links to some vertices: classical scaling of these distances."""
    chosen = np.random.default_rng(0).choice(graph.n, 60, replace=False)
    links = apsp.solve(graph.unweighted(), sources=chosen).to_numpy() ** 2
    centred = -0.5 * (links - links.mean(axis=1, keepdims=True) - links.mean(axis=0, keepdims=True) + links.mean())
    vectors = np.linalg.svd(centred @ centred.T)[0]
    points: npt.NDArray[np.float64] = centred.T @ vectors[:, :2]
    points *= 50_000 / np.abs(points).max()
    return points


def hours_of(graph: apsp.Graph) -> dict[str, npt.NDArray[Any]]:
    """Weights of 24 hours: slower around eight."""
    weights = graph.arc_weights(np.int32)
    slower = [2 * np.exp(-(((hour - 8) / 2) ** 2)) * np.sin(np.arange(len(weights)) % 7) ** 2 for hour in range(24)]
    return {f"{hour:02}:00": np.rint(weights * (1 + each)).astype(np.int32) for hour, each in enumerate(slower)}


def graphs(quick: bool) -> Iterator[tuple[str, apsp.Graph, dict[str, Any]]]:
    """The graphs, by name, and what is shown of them."""
    city = apsp.generate("city", 1000 if quick else 10_000, seed=1)
    yield f"city of {city.n:,}", city, {}
    yield f"city of {city.n:,}, float64", city.with_weights(city.arc_weights(np.float64) / 7), {}
    streets = apsp.from_edges(*city.with_weights(city.arc_weights(np.int32)).to_edges(), coordinates=city.coordinates)
    hours = hours_of(streets)
    day = streets.with_weights(hours["00:00"])
    yield f"city of {city.n:,}, 24 hours", day, {"weights": hours}
    yield f"city of {city.n:,}, two hours compared", day, {"weights": hours, "compare": "08:00"}
    roads = None if quick else new_york()
    if roads is not None:
        points = drawn_by_links(roads)
        yield "New York", apsp.Graph(roads.indptr, roads.indices, roads.weights, directed=False, coordinates=points), {}


def check(page: Page, graph: apsp.Graph, clicked: int) -> int:
    """Compare distances from some vertices with those of the oracle; return how many."""
    oracle = apsp.prepare(graph)
    for position in np.random.default_rng(5).choice(graph.n, min(clicked, graph.n), replace=False).tolist():
        found = np.frombuffer(base64.b64decode(page.value(CHECK.replace("POSITION", str(position)))), dtype=np.float64)
        assert np.array_equal(found, np.asarray(oracle.rows([position])[0], dtype=np.float64)), position
    return min(clicked, graph.n)


def dragged(page: Page, seconds: int) -> dict[str, Any]:
    """Pictures while a source is dragged from vertex to vertex, along an eight."""
    spots = page.value(COUNT.replace("TURNS", str(seconds * MOVES)))
    page.mouse("Moved", *spots[0])
    page.mouse("Pressed", *spots[0])
    page.moves(spots, MOVES)
    page.frame()
    times, plainly = np.array(page.value("globalThis.pictures")).T
    assert page.value("explored.then(app => app.sources[0] === globalThis.goal)")  # of the last move
    page.mouse("Released", *spots[-1])
    spent = (times[-1] - times[0]) / 1000
    return {
        "pictures per second": round((len(times) - 1) / spent, 1),
        "pictures": f"{len(times):,} of other sources in {spent:.1f} s, in which the mouse moved {len(spots):,} times",
        "ms between pictures": {share: round(float(np.percentile(np.diff(times), share)), 1) for share in (50, 95)},
        "share of pictures without WebGL": round(float(plainly.mean()), 2),
    }


def measured(
    page: Page, name: str, graph: apsp.Graph, place: Path, quick: bool, options: dict[str, Any]
) -> dict[str, Any]:
    """One row of results."""
    started = time.perf_counter()
    graph.explore(place, scale="metres", sources=[0], **options)
    written = time.perf_counter() - started
    page.open(place)
    page.ready()
    times = page.value(MEASURE.replace("SWEPT", str(SWEPT)).replace("PAINTED", str(PAINTED)))
    drag = dragged(page, 1 if quick else 5)
    page.open(place, width=360, height=240)  # small pictures
    page.ready()
    checked = check(page, graph, 20 if quick else CLICKED)
    assert page.errors == []
    assert set(page.requests) == {place.as_uri()}
    page.requests.clear()
    row = {
        "what": name, "n": graph.n, "m": graph.m, "MB": round(place.stat().st_size / 1e6, 3),
        "seconds to write": round(written, 2), "streets ms": round(times["streets"]),
        "colours ms": round(times["distances"]),
        "sweep ms": round(statistics.median(times["sweeps"]), 2),
        "click ms": round(statistics.median(times["clicks"]), 2),
        "picture ms, drawn in software": round(statistics.median(times["pictures"]), 1),
        **drag,
        "clicked vertices with the bits of Python": checked, "targets": TARGETS.get(name, {}),
    }  # fmt: skip
    print(json.dumps(row, indent=1))
    return row


def main() -> None:
    """Measure, print, and write JSON if requested."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.explore", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small cities, to see that everything runs")
    parser.add_argument("--write", type=Path, help="file for the results as JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, opened() as page:
        place = Path(folder) / "map.html"
        rows = [
            measured(page, name, graph, place, options.quick, shown) for name, graph, shown in graphs(options.quick)
        ]
        facts = {"browser": page.product(), "processes that ran or waited on the machine": round(os.getloadavg()[2], 1)}
    if options.write is not None:
        results = {"environment": environment("python -m benchmarks.explore"), **facts, "rows": rows}
        options.write.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
