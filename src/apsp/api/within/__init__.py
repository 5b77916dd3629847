"""Pairs of vertices within a cutoff: `within` and `stream_within`."""
