"""The input of the choice: statistics of a graph, bounds and the proof of the dtype, the request, constants."""
