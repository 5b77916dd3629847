"""Extremes of the eccentricities from few searches, each of which bounds those of other vertices.

Measures, the backend of NetworkX and the command line ask for them, and compute all rows where there are none.
"""
