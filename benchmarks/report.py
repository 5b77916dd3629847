"""Write the tables of README.md and docs/performance from the committed results: python -m benchmarks.report.

The text between `<!-- benchmarks: begin -->` and `<!-- benchmarks: end -->` is replaced, in docs/performance.md that
between the markers of each chart; the rest is not changed.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.charts import CHARTS, RESULTS, load, only_part
from benchmarks.gpu_report import gpu_tables
from benchmarks.planner_report import planner_tables
from benchmarks.words import seconds

ROOT = Path(__file__).resolve().parents[1]
# The rows of the README: one per kind of graph.
SUMMARY = (
    ("dense", "dense float32, n = 2,048"),
    ("paths", "dense int32 with predecessors, n = 2,048"),
    ("sparse_cpu", "random, n = 16,384, m = 4n"),
    ("elimination", "grid 128 x 128, weighted"),
    ("sparse_cpu", "hops: R-MAT, n = 16,384, m = 8n"),
)
PAGES = {
    "dense": {
        "dense": "Distances",
        "paths": "Predecessors",
        "closure": "Closure",
        "product": "Products of matrices",
    },
    "sparse": {
        "sparse_cpu": "Sparse graphs and hops",
        "sparse": "Random graphs and negative arcs",
        "instruction_sets": "Instruction sets",
    },
    "roads": {
        "elimination": "Elimination",
        "orders": "Orders of elimination",
        "pair_questions": "Single distances",
        "simple_paths": "The k shortest simple paths",
        "alternatives": "Alternatives that differ much, and compromises of two costs",
        "arc_flows": "Flows of an origin-destination matrix",
        "accessibility": "Accessibility and the nearest facilities",
        "labels": "Labels of an oracle",
        "updates": "Changed weights and closed edges of an oracle",
        "within": "Pairs within a cutoff, and the nearest vertices",
        "places": "Points of a map: snapped to streets, and distances between them",
        "isochrones": "Isochrones of many origins",
        "serve": "Tables of a server",
        "skims": "Several costs along the fastest paths",
    },
    "small": {
        "batch": "Many small graphs",
        "path_encodings": "Encodings for graph transformers",
        "small": "Small calls",
    },
    "measures": {
        "extremes": "Diameter and radius from few searches",
        "central": "The most central vertices",
        "betweenness": "Betweenness",
    },
    "libraries": {
        "csgraph": "Functions of scipy.sparse.csgraph",
        "networkx_backend": "NetworkX through its backend",
        "pandana": "pandana through its interface",
    },
    "workers": {
        "store": "Stores",
        "executors": "Two workers of an engine beside one",
        "spmd": "Two ranks of MPI beside one",
    },
}
"""The pages of docs/performance with tables of CPUs: the groups of each page, and their titles."""


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
    return f"Measured on {' and '.join(sorted(machines))}; [versions, commits and spreads](docs/performance.md)."


def cpu_tables(groups: dict[str, str]) -> str:
    """Every contestant of some groups, with spread, ratios, targets, and facts."""
    parts = []
    for group, title in groups.items():
        parts += [f"## {title}", "", environment_words(group), ""]
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
    return "\n".join(parts)


def parquet_table() -> str:
    """Pairs that are written to a file: what was written, in how much time and memory."""
    parts = ["## A billion pairs within a cutoff into one Parquet file", "", environment_words("within_parquet"), ""]
    parts += ["| input | pairs | cutoff | wall | all cores | bytes per pair | peak MiB |",
              "|---|---:|---:|---:|---:|---:|---:|"]  # fmt: skip
    for row in load("within_parquet")["rows"]:
        times = [seconds(row[name]) for name in ("wall seconds", "seconds of all cores")]
        cells = [f"{row['what']}, n = {row['n']:,}, {row['m']:,} arcs", f"{row['pairs']:,}", f"{row['cutoff']:,} s",
                 *times, f"{row['bytes per pair']:.2f}", f"{row['peak memory, MiB']:,}"]  # fmt: skip
        parts.append(f"| {' | '.join(cells)} |")
    return "\n".join([*parts, ""])


def maps_table() -> str:
    """Maps in one file: bytes, and times in a browser."""
    facts = load("explore")
    words = (
        f"In {facts['browser']} without a window, which draws in software: on a GPU, a picture takes less time. "
        f"On average, {facts['processes that ran or waited on the machine']} processes ran or waited on the machine."
    )
    head = ["input", "MB", "written in", "streets", "colours", "sweep", "click", "picture", "pictures per second",
            "clicks with the bits of Python"]  # fmt: skip
    parts = ["## Maps in one file", "", environment_words("explore"), "", words, "", f"| {' | '.join(head)} |"]
    parts.append("|---|" + "---:|" * (len(head) - 1))
    for row in facts["rows"]:
        times = [seconds(row[name] / 1000) for name in ("streets ms", "colours ms", "sweep ms", "click ms")]
        cells = [f"{row['what']}, {row['m']:,} arcs", f"{row['MB']:.2f}", seconds(row["seconds to write"]), *times,
                 seconds(row["picture ms, drawn in software"] / 1000), f"{row['pictures per second']:.1f}",
                 f"{row['clicked vertices with the bits of Python']:,}"]  # fmt: skip
        parts.append(f"| {' | '.join(cells)} |")
    return "\n".join([*parts, ""])


def footprint_table() -> str:
    """Memory relative to the output, and the time of the import."""
    parts = [environment_words("footprint"), "", "| what | value |", "|---|---:|"]
    parts += [f"| {name} | {value:.3f} |" for name, value in load("footprint")["facts"].items()]
    return "\n".join(parts) + "\n"


def documents() -> dict[Path, str]:
    """All documents with blocks, as they should be."""
    pages = ROOT / "docs" / "performance"
    blocks = [(ROOT / "README.md", "benchmarks", f"{summary_table()}\n\n{summary_environment()}")]
    blocks += [(ROOT / "docs" / "performance.md", name, chart().caption) for name, chart in CHARTS.items()]
    tables = {page: cpu_tables(groups) for page, groups in PAGES.items()}
    tables["roads"] += f"\n{parquet_table()}\n{maps_table()}"
    blocks += [(pages / f"{page}.md", "benchmarks", text) for page, text in tables.items()]
    blocks += [
        (pages / "workers.md", "footprint", footprint_table()),
        (pages / "gpus.md", "benchmarks", gpu_tables(RESULTS)),
        (pages / "planner.md", "benchmarks", planner_tables(RESULTS)),
    ]
    written: dict[Path, str] = {}
    for path, name, text in blocks:
        begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
        document = written.get(path) or path.read_text()
        if document.count(begin) != 1 or document.count(end) != 1:
            raise ValueError(f"{path} must have exactly one block of {name}")
        before, rest = document.split(begin)
        written[path] = f"{before}{begin}{text}\n{end}{rest.split(end)[1]}"
    return written


def main() -> None:
    """Rewrite all documents."""
    for path, text in documents().items():
        path.write_text(text)


if __name__ == "__main__":
    main()
