"""Methods that work a source (or a batch of sources) at a time over the arcs."""
