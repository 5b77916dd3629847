"""The tables of the GPU benchmarks, from their committed JSON files: a column for every fact that their rows have."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

TITLES = {
    "gpu_dense": "One GPU",
    "gpu_peers": "Beside other programs on one GPU",
    "gpu_strips": "Larger than device memory, and several GPUs",
    "gpu_batch": "Many small graphs",
    "gpu_closure": "Transitive closure",
}
"""The files, in the order of the page."""

_HIDDEN = {"spread", "verified", "sum"}
_WORDS = {"float32+": "float32, non-negative"}


def gpu_tables(results: Path) -> str:
    """A section for every file that is there."""
    parts = []
    for name, title in TITLES.items():
        path = results / f"{name}.json"
        if path.exists():
            document = json.loads(path.read_text())
            parts.append(f"### {title}\n\n{_environment(document, path.name)}\n\n{_table(document['rows'])}\n")
    return "\n".join(parts)


def _environment(document: dict[str, Any], name: str) -> str:
    commit = f" at commit {document['commit']}" if document.get("commit") else ""
    where = document.get("gpu") or document.get("gpus")
    gpus = f"{len(where)} x {where[0]}" if isinstance(where, list) else str(where)
    cores = f", {document['cores']} cores" if "cores" in document else ""
    return f"`{document['command']}`{commit}: {gpus}{cores} (`benchmarks/results/{name}`)."


def _table(rows: list[dict[str, Any]]) -> str:
    keys = [key for key in dict.fromkeys(key for row in rows for key in row) if key not in _HIDDEN]
    lines = ["| " + " | ".join(_HEADS.get(key, key) for key in keys) + " |"]
    numbers = {key for key in keys if any(isinstance(row.get(key), int | float) for row in rows)}
    lines.append("|" + "|".join("---:" if key in numbers else "---" for key in keys) + "|")
    lines += ["| " + " | ".join(_cell(key, row.get(key)) for key in keys) + " |" for row in rows]
    return "\n".join(lines)


def _cell(key: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return _FORMATS.get(key, _number)(value)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return _WORDS.get(str(value), str(value))


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


_HEADS = {"milliseconds": "ms", "seconds": "s", "pairs/s": "T pairs/s", "kind": "values"}
_FORMATS: dict[str, Callable[[float], str]] = {
    "pairs/s": lambda rate: f"{rate / 1e12:,.1f}" if rate >= 1e11 else f"{rate / 1e12:.3f}",
    "of the ceiling": lambda share: f"{share:.0%}",
    "over ours": lambda ratio: "" if ratio == 1 else f"{ratio:.3g}x",
    "ratio": lambda ratio: f"{ratio:.3g}x",
}
