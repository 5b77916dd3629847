"""Strips of rows: matrices larger than one memory, on several devices or in a file."""
