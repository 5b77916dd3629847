"""Label correcting from many sources at once."""
