"""Elimination on a nested dissection order: order, factor, query."""
