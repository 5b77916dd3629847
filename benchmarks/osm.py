"""Reading extracts of OpenStreetMap: python -m benchmarks.osm FILE... [--copies N] [--write FILE].

Per file and mode: the wall seconds and the seconds of all cores of `apsp.read`, the median of some runs, and megabytes
of the file per second; beside a pass of osmium in one process over the streets and their nodes, which makes no graph.
Smaller files are verified: the same elements without compression, which are read one after the other, give the same
graph. `--copies` also reads one file of so many copies of the first one, side by side, with other numbers: a larger
extract with the tags and the density of a real one. Writing it takes several seconds per copy.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import osmium
from osmium.osm.mutable import Node, Relation, Way

import apsp
from benchmarks.harness import environment

TARGET = 100 / 30
"""Megabytes per second, on two cores."""

SMALL = 20e6
"""Bytes of a file that is verified."""

WAYS = [("car", False), ("car", True), ("foot", False)]
APART, SPARE = 10**10, 0.5
"""Numbers, and degrees, between copies."""


def copied(file: Path, copies: int, place: Path) -> None:
    """Write a file of copies, in the usual order."""
    nodes, ways, relations = [], [], []
    for each in osmium.FileProcessor(str(file)):
        known = {"tags": dict(each.tags), "version": each.version, "timestamp": each.timestamp, "user": each.user}
        if each.is_node():
            nodes.append((each.id, each.location.lon, each.location.lat, known))
        elif each.is_way():
            ways.append((each.id, [node.ref for node in each.nodes], known))
        else:
            relations.append((each.id, [(one.type, one.ref, one.role) for one in each.members], known))
    with osmium.SimpleWriter(str(place)) as writer:
        for copy in range(copies):
            for number, x, y, known in nodes:
                at = (x + SPARE * (copy % 10), y + SPARE * (copy // 10))
                writer.add_node(Node(id=number + copy * APART, location=at, **known))
        for copy in range(copies):
            for number, refs, known in ways:
                writer.add_way(Way(id=number + copy * APART, nodes=[ref + copy * APART for ref in refs], **known))
        for copy in range(copies):
            for number, members, known in relations:
                others = [(kind, ref + copy * APART, role) for kind, ref, role in members]
                writer.add_relation(Relation(id=number + copy * APART, members=others, **known))


def without_compression(file: Path, place: Path) -> None:
    """Write the same elements so that osmium alone reads them."""
    with osmium.SimpleWriter(osmium.io.File(str(place), "pbf,pbf_compression=none")) as writer:
        for each in osmium.FileProcessor(str(file)):
            writer.add(each)


def seconds(run: Callable[[], Any], rounds: int) -> tuple[float, float]:
    """The medians of wall seconds and of seconds of all cores."""
    walls, cores = [], []
    for _ in range(rounds):
        wall, core = time.perf_counter(), time.process_time()
        run()
        walls.append(time.perf_counter() - wall)
        cores.append(time.process_time() - core)
    return statistics.median(walls), statistics.median(cores)


def passed(file: Path) -> int:
    """A pass over the streets, with the places of their nodes."""
    streets = osmium.FileProcessor(str(file)).with_locations().with_filter(osmium.filter.EntityFilter(osmium.osm.WAY))
    return sum(len(way.nodes) for way in streets.with_filter(osmium.filter.KeyFilter("highway")))


def rows(file: Path, rounds: int, spare: Path) -> list[dict[str, Any]]:
    """The rows of a file."""
    size = file.stat().st_size
    is_small = size <= SMALL
    other = spare / "other.osm.pbf"
    if is_small:
        without_compression(file, other)
    beside = seconds(functools.partial(passed, file), rounds)
    found = []
    for mode, turns in WAYS:
        read: Callable[[Path], Any] = functools.partial(apsp.read, mode=mode, turns=turns)
        graph = read(file)
        if is_small:
            assert graph == read(other)
        wall, cores = seconds(functools.partial(read, file), rounds)
        found.append({
            "file": file.name, "MB": round(size / 1e6, 2), "mode": mode, "turns": turns, "n": graph.n, "m": graph.m,
            "wall seconds": round(wall, 3), "seconds of all cores": round(cores, 3),
            "MB per second": round(size / 1e6 / wall, 2), "target": round(TARGET, 2),
            "osmium alone, wall seconds": round(beside[0], 3), "verified": is_small,
        })  # fmt: skip
    other.unlink(missing_ok=True)
    return found


def main() -> None:
    """Run it, print it, and write JSON if requested."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.osm", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="extracts in PBF")
    parser.add_argument("--copies", type=int, default=0, help="also read this many copies of the first file as one")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", type=Path, help="file for the results as JSON")
    options = parser.parse_args()
    load, found = os.getloadavg()[0], []
    with tempfile.TemporaryDirectory() as folder:
        files = list(options.files)
        if options.copies:
            files.append(Path(folder) / f"{options.copies} x {options.files[0].name}")
            copied(options.files[0], options.copies, files[-1])
        for file in files:
            for row in rows(file, options.rounds, Path(folder)):
                print(json.dumps(row), flush=True)
                found.append(row)
    if options.write is not None:
        command = " ".join(["python -m benchmarks.osm", *(file.name for file in options.files)])
        processes = [round(load, 1), round(os.getloadavg()[0], 1)]
        results = {
            "environment": environment(command), "processes that ran or waited on the machine": processes, "rows": found
        }  # fmt: skip
        options.write.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
