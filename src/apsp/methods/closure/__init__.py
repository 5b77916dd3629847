"""Transitive closure, one bit per pair."""
