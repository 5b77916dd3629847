"""Results: distances, paths, verification, files."""
