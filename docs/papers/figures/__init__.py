"""Figures and tables of docs/papers, made from real runs: `python -m docs.papers.figures` (see scripts/docs)."""
