"""scikit-learn: a transformer from samples to geodesic distances, with its conventions.

`geodesic` has the estimator, `neighbours` the graph of neighbours that it solves, `unseen` the distances from samples
that were not in the fit.
"""
