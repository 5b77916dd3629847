"""Methods that keep the whole n x n matrix: blocked Floyd-Warshall and transitive closure."""
