"""Files of networks, as `pandana.loaders`."""
