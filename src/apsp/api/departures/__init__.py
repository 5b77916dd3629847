"""Paths that begin at some time, in weights that depend on it."""
