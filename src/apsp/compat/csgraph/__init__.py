"""`scipy.sparse.csgraph` with this package behind its shortest paths."""
