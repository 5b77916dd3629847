"""Paths of a pair by way of a vertex."""
