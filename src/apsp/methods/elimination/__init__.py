"""Elimination in a nested dissection order: order, factor, query."""
