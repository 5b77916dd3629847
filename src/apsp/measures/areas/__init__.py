"""Areas around what is within cutoffs of sources: `apsp.stream_isochrones` and `Isochrones.areas`."""
