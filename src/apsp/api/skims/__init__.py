"""Skims: matrices of several costs along shortest paths between zones."""
