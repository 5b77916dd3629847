"""The tables of docs/performance/planner.md that compare the planner's choice with the fastest method."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.words import seconds

__all__ = ["planner_tables"]


def planner_tables(results: Path) -> str:
    """A table for each file of results, one line per input."""
    documents = [json.loads(path.read_text()) for path in sorted(results.glob("planner*.json"))]
    return "\n".join(_table(document) for document in documents)


def _table(document: dict[str, Any]) -> str:
    facts, rows = document["environment"], document["rows"]
    threads = f"{document['threads']} thread{'s' if document['threads'] > 1 else ''}"
    constants = "shipped" if document["constants"] == "shipped" else "measured"
    on_gpu = any(row["device"] == "cuda" for row in rows)
    gpu = f"{document['machine']['gpus'][0]['name']} (once it has been started) beside " if on_gpu else ""
    head = (
        f"`{facts['command']}` at commit {facts['commit']}, {facts['date']}: {gpu}{threads} on {facts['cpu']}, "
        f"{facts['isa']} kernels, {document['clock']}, constants {constants}. "
        f"The largest ratio is {max(row['ratio'] for row in rows):.2f}."
    )
    lines = [
        head, "",
        "| input | chosen | time | expected | fastest | time | ratio |", "|---|---|---:|---:|---|---:|---:|",
    ]  # fmt: skip
    for row in rows:
        measured, chosen, best = row["seconds"], row["chosen"], row["best"]
        expected = row["expected"].get(chosen)
        cells = [
            row["case"]["name"], chosen, seconds(measured[chosen]), "" if expected is None else seconds(expected), best,
            seconds(measured[best]), f"{row['ratio']:.2f}",
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])
