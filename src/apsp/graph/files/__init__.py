"""One module a file format; `read` picks by content."""
