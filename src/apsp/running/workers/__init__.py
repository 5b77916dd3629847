"""Rows of distances that the workers of an engine compute."""
