"""Blocked Floyd-Warshall: tiles, pages in core, many small graphs, its kernels and their tuning."""
