"""Flows of a demand along shortest paths."""
