"""Floyd-Warshall over many processes: every process runs the same program on its part of the matrix."""
