"""The part of the page that shows the traces: its style, the traces and its programs, joined to one script.

A browser loads no modules for a page that is a file, so they become one.
"""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["SOURCES", "fragment"]

_HERE = Path(__file__).parent
_MODULES = ("trace", "graph", "matrix", "player", "main")
"""In the order in which they need each other."""

SOURCES = (_HERE / "traces.json", *sorted((_HERE / "page").iterdir()))


def fragment() -> str:
    """HTML, without anything that is loaded."""
    page = _HERE / "page"
    style, body = ((page / name).read_text(encoding="utf-8") for name in ("steps.css", "steps.html"))
    traces = (_HERE / "traces.json").read_text(encoding="utf-8").replace("<", "\\u003c")
    script = "\n".join(_joined((page / f"{name}.mjs").read_text(encoding="utf-8")) for name in _MODULES)
    data = f'<script type="application/json" id="steps-traces">{traces}</script>'
    return f'<style>\n{style}</style>\n{body}{data}\n<script type="module">\n{script}</script>\n'


def _joined(module: str) -> str:
    """A module without the words that import and export."""
    return re.sub(r"^export ", "", re.sub(r"^import .*;\n", "", module, flags=re.MULTILINE), flags=re.MULTILINE)
