"""What comes out: distances, paths, verification, files."""
