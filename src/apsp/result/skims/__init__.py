"""Matrices of costs between zones, and the files that hold them."""
