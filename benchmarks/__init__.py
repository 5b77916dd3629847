"""Benchmarks: the source of every number in the documents."""
