"""Graph files: `read` recognises the format by content, `write` goes by the file name."""

from apsp.graph.files.read import read
from apsp.graph.files.write import losses, write

__all__ = ["losses", "read", "write"]
