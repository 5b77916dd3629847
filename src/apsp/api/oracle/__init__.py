"""`prepare` and `Oracle`: any pair, any rows, any block of distances, without the n x n matrix.

An oracle stores the factor of elimination (see `apsp.methods.elimination.factor`): a few numbers per vertex on graphs
with small separators, such as roads and grids. One distance takes microseconds, a row one pass over the factor.
"""
