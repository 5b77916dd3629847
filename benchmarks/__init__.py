"""Benchmarks: every number that the documents quote comes out of here."""
