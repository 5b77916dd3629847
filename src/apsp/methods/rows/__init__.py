"""Code shared by methods that work row by row."""
