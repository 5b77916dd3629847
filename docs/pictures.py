"""Draws pictures of the guide from results of the package: `python -m docs.pictures [NAME...]` writes docs/images."""

from __future__ import annotations

import functools
import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import apsp

__all__ = ["PICTURES"]

IMAGES = Path(__file__).parent / "images"
TRAINS = {
    "Turin-Milan": 60, "Milan-Genoa": 95, "Milan-Bologna": 65, "Bologna-Venice": 85, "Milan-Venice": 145,
    "Bologna-Florence": 40, "Florence-Rome": 95, "Genoa-Florence": 180, "Rome-Naples": 70, "Bologna-Bari": 330,
    "Naples-Bari": 240,
}  # fmt: skip
PLACES = {
    "Turin": (7.7, 45.1), "Milan": (9.2, 45.5), "Genoa": (8.9, 44.4), "Bologna": (11.3, 44.5), "Venice": (12.3, 45.4),
    "Florence": (11.3, 43.8), "Rome": (12.5, 41.9), "Naples": (14.3, 40.8), "Bari": (16.9, 41.1),
}  # fmt: skip


@functools.cache
def city() -> apsp.Graph:
    return apsp.generate("city", 1500, seed=3)


@functools.cache
def trains() -> apsp.Graph:
    ends = [name.split("-") for name in TRAINS]
    table = {"from": [a for a, _ in ends], "to": [b for _, b in ends], "minutes": list(TRAINS.values())}
    names = list(PLACES)
    return apsp.from_edges(
        table, weight="minutes", directed=False, labels=names, coordinates=[PLACES[name] for name in names]
    )


@functools.cache
def all_distances() -> Any:
    """Of the city, sorted from west to east, so that near crossings are near in the matrix."""
    order = np.argsort(city().coordinates[:, 0])
    return apsp.solve(city()).to_numpy()[np.ix_(order, order)]


def matrix(values: Any, title: str, label: str, **options: Any) -> Any:
    figure, axes = plt.subplots(figsize=(7, 5.2), layout="constrained")
    shown = axes.imshow(values, cmap="viridis_r", **options)
    axes.set_title(title, loc="left", fontsize=12, fontweight="bold")
    figure.colorbar(shown, label=label, shrink=0.8)
    return figure, axes


def questions() -> Any:
    path = apsp.shortest_path(city(), 12, 1180)
    length = apsp.distance(city(), 12, 1180)
    return city().plot(route=path, title=f"The shortest path from 12 to 1180: {length} s, {len(path) - 1} arcs")


def road_networks() -> Any:
    return apsp.solve(city(), sources=[12]).plot(label="travel time", unit="s", levels=[60, 120, 180, 240, 300])


def farthest() -> Any:
    title = f"Eccentricity: at most {apsp.diameter(city())} s, the diameter"
    return city().plot(apsp.eccentricity(city()), title=title, label="s to the farthest crossing")


def measures() -> Any:
    return city().plot(apsp.closeness_centrality(city()), title="Closeness centrality", label="1 / s")


def betweenness() -> Any:
    values = apsp.betweenness_centrality(city())
    return city().plot(values, title="Betweenness centrality", label="share of all pairs")


def groups() -> Any:
    x, y = city().coordinates.T
    wide, high = (np.digitize(each, np.quantile(each, [1 / 3, 2 / 3])) for each in (x, y))
    names = np.array([f"{row}{column}" for row in "SMN" for column in "WCE"])
    found = apsp.distance_statistics(city(), names[3 * high + wide].tolist())
    figure, axes = matrix(found.mean, "Mean distances between nine districts", "s")
    axes.set_xticks(range(9), found.names)
    axes.set_yticks(range(9), found.names)
    return figure


def equally_short() -> Any:
    side = 6
    grid = apsp.generate("grid", side * side, directed=False).unweighted()
    places = np.stack([np.arange(side * side) % side, -(np.arange(side * side) // side)], axis=1)
    counts = apsp.solve(grid, sources=[0], counts=True).counts[0]
    names = [f"{count} ({at})" for at, count in enumerate(counts.tolist())]
    named = apsp.from_edges(grid.tails(), grid.indices, n=grid.n, coordinates=places, labels=names)
    return named.plot(
        np.log2(np.maximum(counts, 1).astype(float)),
        title="Shortest paths from the upper left corner",
        label="log2 of the number",
    )


def skims() -> Any:
    zones = np.argsort(city().coordinates[:, 0])[::25]
    found = apsp.skim(city(), zones=zones.tolist())
    return matrix(found.values()[0], "Travel times between 60 zones, from west to east", "s")[0]


def reach() -> Any:
    jobs = np.random.default_rng(1).poisson(20, city().n)
    found = apsp.accessibility(city(), jobs, cutoffs=120)
    return city().plot(found.values, title="Jobs within 120 s", label="jobs")


def many_small_graphs() -> Any:
    generator = np.random.default_rng(1)
    graphs = [apsp.generate("random", 30, m=120, seed=int(seed)) for seed in generator.integers(0, 2**31, 400)]
    means = [
        matrix[np.isfinite(matrix)].mean()
        for matrix in (np.where(each < 65535, each, np.nan) for each in apsp.solve_batch(graphs))
    ]
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    axes.hist(means, bins=40, color="#3f7f93")
    axes.set_title("Mean distances of 400 random graphs", loc="left", fontsize=12, fontweight="bold")
    axes.set_xlabel("mean distance")
    axes.set_ylabel("graphs")
    return figure


def friends() -> Any:
    import networkx as nx

    club = nx.karate_club_graph()
    places = nx.spring_layout(club, seed=4)
    ends = np.array(club.edges)
    return apsp.from_edges(*ends.T, n=len(club), directed=False, coordinates=[places[node] for node in club])


def networkx() -> Any:
    return friends().plot(
        apsp.closeness_centrality(friends()), title="Closeness in a karate club of 34", label="closeness"
    )


def graph_transformers() -> Any:
    hops = apsp.solve(friends()).to_numpy()
    return matrix(hops, "Hops between the members of a karate club", "hops: the index of a learned bias")[0]


def tensors() -> Any:
    lengths = apsp.solve(trains(), cutoff=100).to_numpy()
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 4.2), layout="constrained")
    for axes, values, title in ((left, lengths, "A"), (right, apsp.product(lengths, lengths), "A * A over (min, +)")):
        shown = axes.imshow(values, cmap="viridis_r", vmin=0, vmax=200)
        axes.set_title(title, loc="left", fontsize=12, fontweight="bold")
    figure.colorbar(shown, label="min", shrink=0.8)
    return figure


def larger_than_memory() -> Any:
    return apsp.distance_histogram(city(), bins=48).plot(
        title="Distances of 2.2 million pairs, never in memory at once", label="s"
    )


def stores() -> Any:
    figure, axes = matrix(all_distances(), "A matrix of distances, in shards of 250 rows", "s")
    for edge in range(250, city().n, 250):
        axes.axhline(edge, color="white", linewidth=2)
    return figure


def workers(title: str, count: int, block: int) -> Any:
    figure, axes = plt.subplots(figsize=(7, 4.6), layout="constrained")
    bands = np.repeat(np.arange(-(-city().n // block)) % count, block)[: city().n]
    shades = all_distances() / np.nanmax(all_distances())
    axes.imshow(bands[:, None] + 0 * shades, cmap="Pastel1", vmin=0, vmax=8, alpha=0.9)
    axes.imshow(np.zeros_like(shades), cmap="gray", alpha=0.55 * shades)
    for band in range(city().n // block):
        axes.text(-30, band * block + block / 2, f"{bands[band * block] + 1}", ha="right", va="center", fontsize=9)
    axes.set_title(title, loc="left", fontsize=12, fontweight="bold")
    axes.set_axis_off()
    return figure


def larger_than_one_machine() -> Any:
    return workers("Rows of a matrix that four processes share", 4, 125)


def cluster() -> Any:
    return workers("Blocks of rows that three workers take in turn", 3, 100)


def threads() -> Any:
    return workers("Rows of a matrix that two threads share", 2, 150)


def from_other_libraries() -> Any:
    return apsp.solve(trains(), paths=True).plot("Turin", "Naples", label="travel time", unit="min")


def tables() -> Any:
    return apsp.solve(trains()).plot("Rome", label="travel time", unit="min")


def graph_libraries() -> Any:
    return trains().plot(
        apsp.betweenness_centrality(trains()), title="Betweenness of stations", label="share of all pairs"
    )


def inputs() -> Any:
    return trains().plot(title="Nine stations and the trains between them")


def notebooks() -> Any:
    found = apsp.k_nearest(trains(), 2).to_long()
    rows = list(zip(*(column.tolist() for column in found.values()), strict=True))
    figure, axes = plt.subplots(figsize=(5, 3.4), layout="constrained")
    axes.set_axis_off()
    axes.set_title(
        f"Nearest(k=2, 9 sources, uint16), 10 of {len(rows)} rows", loc="left", fontsize=11, fontweight="bold"
    )
    drawn = axes.table(rows[:10], colLabels=list(found), loc="center", cellLoc="left", edges="horizontal")
    drawn.scale(1, 1.2)
    return figure


def roll() -> tuple[Any, Any]:
    from sklearn.datasets import make_swiss_roll
    from sklearn.neighbors import kneighbors_graph

    points, _ = make_swiss_roll(1200, random_state=1)
    graph = apsp.from_scipy(kneighbors_graph(points, 8, mode="distance"))
    return points, apsp.solve(graph, sources=[0]).to_numpy()[0]


def scikit_learn() -> Any:
    points, along = roll()
    figure = plt.figure(figsize=(7, 4.6), layout="constrained")
    axes = figure.add_subplot(projection="3d")
    shown = axes.scatter(*points.T, c=np.where(np.isfinite(along), along, np.nan), cmap="viridis_r", s=9)
    axes.view_init(8, -72)
    axes.set_title("Distances along a roll from one of its points", loc="left", fontsize=12, fontweight="bold")
    figure.colorbar(shown, label="distance along the neighbours", shrink=0.7)
    return figure


def scipy() -> Any:
    graph = trains()
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 4.2), layout="constrained")
    left.spy(graph.to_scipy(), markersize=7, color="#3f7f93")
    left.set_title("The sparse matrix of lengths", loc="left", fontsize=12, fontweight="bold", pad=18)
    shown = right.imshow(apsp.solve(graph).to_numpy(), cmap="viridis_r")
    right.set_title("All distances", loc="left", fontsize=12, fontweight="bold", pad=18)
    figure.colorbar(shown, label="min", shrink=0.8)
    return figure


def closures() -> Any:
    oracle = apsp.prepare(city())
    before, route = oracle.rows([12])[0], oracle.path(12, 1180)
    middle = len(route) // 2
    oracle.update(dict.fromkeys(zip(route[middle : middle + 3], route[middle + 1 : middle + 4], strict=True), np.inf))
    longer, around = oracle.rows([12])[0] - before, oracle.path(12, 1180)
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 5.2), layout="constrained")
    city().plot(before, route=route, title=f"Before: {before[1180]} s to 1180", label="s from 12", ax=left)
    title = f"Three streets closed: {longer[1180]} s longer to 1180"
    city().plot(longer, route=around, title=title, label="s longer from 12", ax=right)
    return figure


def compromises() -> Any:
    large = apsp.generate("city", 2000, seed=7)
    ways = large.coordinates[large.tails()] - large.coordinates[large.indices]
    streets = large.with_costs(metres=np.ceil(np.hypot(*ways.T)).astype(int))
    found, seconds = apsp.pareto(streets, "metres", 374, 1270), apsp.matrix(large, [374]).distances[0]
    figure, axes = plt.subplots(1, 4, figsize=(19, 4.6), layout="constrained")
    axes[0].plot(found.distances, found.costs, "o-", drawstyle="steps-post")
    axes[0].set(xlabel="s", ylabel="m", title=f"{len(found)} compromises")
    for ax, number in zip(axes[1:], [0, 1, 10], strict=True):
        title = f"{found.distances[number]} s, {found.costs[number]} m"
        streets.plot(seconds, route=found[number], title=title, label="travel time (s)", ax=ax)
    return figure


def layout() -> Any:
    graph = city()
    points = apsp.layout(apsp.Graph(graph.indptr, graph.indices, graph.weights))
    drawn = apsp.Graph(graph.indptr, graph.indices, graph.weights, coordinates=points)
    times = apsp.solve(graph, sources=[12]).distances[0]
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 5.2), layout="constrained")
    graph.plot(times, title="At its coordinates", label="s from a crossing", ax=left)
    drawn.plot(times, title="By a layout, from travel times alone", label="s from a crossing", ax=right)
    return figure


def server() -> Any:
    places = city().snap([[-900, -800], [100, -1200], [700, 900]], crs="plane", speed=np.inf)
    seconds, first = apsp.matrix(city(), places[0]).distances[0], apsp.shortest_path(city(), places[0], places[1])
    figure, axes = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
    second = apsp.shortest_path(city(), places[1], places[2])
    for ax, title, path, ends in zip(
        axes, ("The first part", "The second part"), (first, second), (places[:2], places[1:]), strict=True
    ):
        city().plot(
            seconds, route=path, sources=ends, targets=ends, title=title, label="travel time (s)", ax=ax, scale="metres"
        )
    return figure


def real_city() -> Any:
    helsinki = apsp.read(Path(__file__).parent / "examples" / "helsinki.osm.pbf", turns=True)
    station, target = 1369465822, 292551079
    seconds = apsp.solve(helsinki, sources=[station]).distances[0]
    path = apsp.shortest_path(helsinki, station, target)
    times = [apsp.distance(graph, station, target) for graph in (helsinki, helsinki.graph)]
    title = f"Two turns are forbidden: {times[0]:.0f} s in place of {times[1]:.0f} s"
    figure, axes = plt.subplots(figsize=(7, 8), layout="constrained")
    helsinki.graph.plot(seconds, route=path, title=title, label="driving time (s)", scale="degrees", ax=axes)
    figure.supxlabel("© OpenStreetMap contributors, ODbL 1.0", x=0.99, ha="right", fontsize=9)
    return figure


PICTURES: dict[str, Callable[[], Any]] = {
    "betweenness": betweenness, "closures": closures, "cluster": cluster, "compromises": compromises,
    "equally-short": equally_short, "farthest": farthest,
    "from-other-libraries": from_other_libraries, "graph-libraries": graph_libraries,
    "graph-transformers": graph_transformers, "groups": groups, "inputs": inputs,
    "larger-than-memory": larger_than_memory, "larger-than-one-machine": larger_than_one_machine, "layout": layout,
    "many-small-graphs": many_small_graphs, "measures": measures, "networkx": networkx, "notebooks": notebooks,
    "questions": questions, "reach": reach, "real-city": real_city, "road-networks": road_networks,
    "scikit-learn": scikit_learn, "scipy": scipy, "server": server, "skims": skims, "stores": stores, "tables": tables,
    "tensors": tensors, "threads": threads,
}  # fmt: skip
"""The pictures that are drawn here, by the names of their pages."""


def write(name: str) -> None:
    """Draw one in 64 colours, which take a quarter of the bytes."""
    from PIL import Image

    raw = io.BytesIO()
    PICTURES[name]().savefig(raw, format="png", dpi=80)
    Image.open(raw).convert("RGB").quantize(64).save(IMAGES / f"{name}.png", optimize=True)
    plt.close("all")


if __name__ == "__main__":
    plt.switch_backend("agg")
    for each in sys.argv[1:] or PICTURES:
        write(each)
