"""Results in stores: written, loaded, and read as those in memory."""
