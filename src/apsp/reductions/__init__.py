"""What is kept of blocks of rows of distances, on the device that computes them: n x n is never stored.

Add every block of `apsp.stream` (anything with `.source_positions` (S,) int32 and `.distances` (S, n)) by `add`, then
read the results. A `Summary` keeps O(n) numbers, and a `Nearest` k per row. Arrays have one entry per added source, in
ascending order: (n,) in the order of the vertices if all were added.

Every number equals NetworkX's of the same name if NetworkX has one (called with `weight=` if the graph has weights).
Pairs without a path are left out, or count as 0 where a reciprocal is summed, as documented by each method.
"""

from apsp.reductions.blocks import RowBlock
from apsp.reductions.extreme import Extreme
from apsp.reductions.histogram import Histogram
from apsp.reductions.nearest import Nearest, k_nearest
from apsp.reductions.summary import Direction, Summary, summarize

__all__ = ["Direction", "Extreme", "Histogram", "Nearest", "RowBlock", "Summary", "k_nearest", "summarize"]
