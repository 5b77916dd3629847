"""Numbers of all distances at once, taken from blocks of rows where they are computed: n x n is never stored.

Feed every block of `apsp.stream` (anything with `.source_positions` (S,) int32 and `.distances` (S, n)) to `add`, then
read the answers. A `Summary` keeps O(n) numbers, and a `Nearest` k per row. Arrays have one entry per source that was
fed, in ascending order: (n,) in the order of the vertices if all were.

Every number equals NetworkX's of the same name where NetworkX gives one, with `weight=` where the graph has weights.
Pairs without a path are left out, or count as 0 where a reciprocal is summed; each method says which.
"""

from apsp.measures.blocks import RowBlock
from apsp.measures.extreme import Extreme
from apsp.measures.histogram import Histogram
from apsp.measures.nearest import Nearest, k_nearest
from apsp.measures.summary import Direction, Summary, summarize

__all__ = ["Direction", "Extreme", "Histogram", "Nearest", "RowBlock", "Summary", "k_nearest", "summarize"]
