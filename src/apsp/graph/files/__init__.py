"""Graph files: `read` recognises the format by content, `write` goes by the file name."""

from apsp.graph.files.read import read
from apsp.graph.files.write import check_kept, first_number, losses, write

__all__ = ["check_kept", "first_number", "losses", "read", "write"]
