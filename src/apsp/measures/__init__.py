"""What is asked of all distances at once, taken from blocks of rows where they are computed: n x n is never stored.

Feed every block of `apsp.stream` (anything with `.source_positions` (S,) int32 and `.distances` (S, n)) to `add`, then
ask. A `Summary` keeps O(n) numbers, and a `Nearest` k a row. The arrays that are handed out have one entry a source
that was fed, in ascending order: (n,) in the order of the vertices if all were.

On connected undirected (strongly connected directed) graphs every number equals NetworkX's of the same name, with
`weight=` where the graph has weights. Pairs without a path are left out, or count as 0 where a reciprocal is summed;
each method says which.
"""

from apsp.measures.blocks import RowBlock
from apsp.measures.histogram import Histogram
from apsp.measures.nearest import Nearest, k_nearest
from apsp.measures.summary import Direction, Extreme, Summary, summarize

__all__ = ["Direction", "Extreme", "Histogram", "Nearest", "RowBlock", "Summary", "k_nearest", "summarize"]
