"""Pairs of vertices within a cutoff: `within` and `stream_within`."""

from apsp.api.within.finding import within
from apsp.api.within.near_pairs import NearPairs, NearRow
from apsp.api.within.streaming import NearPairBlocks, stream_within

__all__ = ["NearPairBlocks", "NearPairs", "NearRow", "stream_within", "within"]
