"""Write the tables of README.md and docs/performance.md from the committed results: python -m benchmarks.report.

The text between `<!-- benchmarks: begin -->` and `<!-- benchmarks: end -->`, and in docs/performance.md also between
`<!-- gpu benchmarks: begin -->` and `<!-- gpu benchmarks: end -->` and between those of the planner, is replaced; the
rest is not changed.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from benchmarks.gpu_report import gpu_tables
from benchmarks.planner_report import planner_tables
from benchmarks.words import seconds

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
# The rows of the README: one per kind of graph.
SUMMARY = (
    ("dense", "dense float32, n = 2,048"),
    ("paths", "dense int32 with predecessors, n = 2,048"),
    ("sparse_cpu", "random, n = 16,384, m = 4n"),
    ("elimination", "grid 128 x 128, weighted"),
    ("sparse_cpu", "hops: R-MAT, n = 16,384, m = 8n"),
)
GROUPS = {
    "small": "Small calls",
    "dense": "Dense graphs",
    "paths": "Predecessors",
    "sparse": "Random graphs and negative arcs",
    "sparse_cpu": "Sparse graphs and hops on the CPU",
    "elimination": "Elimination",
    "closure": "Closure on the CPU",
    "product": "Products of matrices on the CPU",
    "csgraph": "Functions of scipy.sparse.csgraph",
    "networkx_backend": "NetworkX through its backend",
    "path_encodings": "Encodings for graph transformers on the CPU",
    "extremes": "Diameter and radius from few searches",
    "central": "The most central vertices",
    "betweenness": "Betweenness",
    "arc_flows": "Flows of an origin-destination matrix",
    "accessibility": "Accessibility and the nearest facilities",
    "skims": "Several costs along the fastest paths",
    "batch": "Many small graphs on the CPU",
    "store": "Stores",
    "executors": "Two workers of an engine beside one",
    "spmd": "Two ranks of MPI beside one",
}


def load(group: str) -> dict[str, Any]:
    """The committed JSON of a group of benchmarks."""
    document: dict[str, Any] = json.loads((RESULTS / f"{group}.json").read_text())
    return document


def only_part(peer: str) -> bool:
    """Whether a contestant did only part of the work ("scipy dijkstra, 1/32 of them"), so that ratios have no "
    "meaning."""
    return re.search(r", 1/\d+ of them$", peer) is not None


def summary_table() -> str:
    """One line per input of `SUMMARY`: our median, that of the fastest other package, the ratio."""
    lines = ["| input | apsp | fastest other | its time | ratio |", "|---|---:|---|---:|---:|"]
    for group, name in SUMMARY:
        row = next(row for row in load(group)["rows"] if row["name"] == name)
        (_, ours), *others = row["seconds"].items()
        peers = [(theirs, peer) for peer, theirs in others if not peer.startswith("apsp") and not only_part(peer)]
        theirs, peer = min(peers)
        lines.append(f"| {name} | {seconds(ours)} | {peer} | {seconds(theirs)} | {row['ratios'][peer]:.0f}x |")
    return "\n".join(lines)


def environment_words(group: str) -> str:
    """The machine and the command, in one sentence."""
    facts = load(group)["environment"]
    versions = ", ".join(f"{name} {version}" for name, version in facts["versions"].items())
    return (
        f"`{facts['command']}` at commit {facts['commit']}, {facts['date']}: {facts['cores']} cores of "
        f"{facts['cpu']}, {facts['isa']} kernels; {versions}."
    )


def summary_environment() -> str:
    """The machine of the summary, and a link to the rest."""
    machines = set()
    for group, _ in SUMMARY:
        facts = load(group)["environment"]
        machines.add(f"{facts['cores']} cores of {facts['cpu']}, {facts['isa']} kernels")
    return f"Measured on {' and '.join(sorted(machines))}; [versions, commits and spreads](docs/performance.md#cpus)."


def full_tables() -> str:
    """Every contestant of every group, with spread, ratios, targets, and facts."""
    parts = []
    for group, title in GROUPS.items():
        if not (RESULTS / f"{group}.json").exists():
            continue
        parts += [f"### {title}", "", environment_words(group), ""]
        parts += ["| input | contestant | median | min | max | ratio | target |", "|---|---|---:|---:|---:|---:|---:|"]
        notes = []
        for row in load(group)["rows"]:
            for name, value in row["seconds"].items():
                low, high = row["spread"][name]
                ratio = f"{row['ratios'][name]:.2f}x" if name in row["ratios"] and not only_part(name) else ""
                target = f"{row['targets'][name]:.3g}x" if name in row["targets"] else ""
                cells = [row["name"], name, seconds(value), seconds(low), seconds(high), ratio, target]
                parts.append(f"| {' | '.join(cells)} |")
            if row["facts"]:
                facts = ", ".join(f"{key} {value}" for key, value in row["facts"].items())
                notes.append(f"- {row['name']}: {facts}")
        parts += ["", *notes, ""] if notes else [""]
    footprint = load("footprint")
    parts += ["### Memory and import time", "", environment_words("footprint"), "", "| what | value |", "|---|---:|"]
    parts += [f"| {name} | {value:.3f} |" for name, value in footprint["facts"].items()]
    return "\n".join(parts) + "\n"


def replace_block(path: Path, text: str, name: str = "benchmarks") -> None:
    """Put `text` between the markers of a document."""
    document = path.read_text()
    block = re.compile(rf"(<!-- {name}: begin -->\n).*?(<!-- {name}: end -->)", re.DOTALL)
    changed, count = block.subn(lambda found: f"{found[1]}{text}\n{found[2]}", document)
    if count != 1:
        raise SystemExit(f"{path} must have exactly one block of {name}, not {count}")
    path.write_text(changed)


def main() -> None:
    """Rewrite both documents."""
    replace_block(ROOT / "README.md", f"{summary_table()}\n\n{summary_environment()}")
    replace_block(ROOT / "docs" / "performance.md", full_tables())
    replace_block(ROOT / "docs" / "performance.md", gpu_tables(RESULTS), "gpu benchmarks")
    replace_block(ROOT / "docs" / "performance.md", planner_tables(RESULTS), "planner benchmarks")


if __name__ == "__main__":
    main()
