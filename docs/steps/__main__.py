"""Writes docs/steps/traces.json: `python -m docs.steps`."""

from __future__ import annotations

from .file import TRACES, written

if __name__ == "__main__":
    TRACES.write_text(written(), encoding="utf-8")
