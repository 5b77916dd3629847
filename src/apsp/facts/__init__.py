"""What is known before the choice: statistics of a graph, bounds and the dtype proof, the request, constants."""
