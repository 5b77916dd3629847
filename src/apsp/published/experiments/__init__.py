"""The experiments of the papers: their inputs and printed numbers as data, one module per paper."""

from __future__ import annotations

import importlib

from apsp.errors import RequestError
from apsp.published.experiments.model import Paper

__all__ = ["NAMES", "paper"]

NAMES = ("okuyama", "okuyama-short", "lab", "katz-kider", "batool")


def paper(name: str) -> Paper:
    """The experiments of a paper; RequestError with the known names."""
    if name not in NAMES:
        raise RequestError(f"no experiments of a paper {name!r}; there are: {', '.join(NAMES)}")
    found: Paper = importlib.import_module(f"apsp.published.experiments.{name.replace('-', '_')}").PAPER
    return found
