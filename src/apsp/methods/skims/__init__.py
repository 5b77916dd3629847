"""Several costs along shortest paths: (min,+) over tuples, by elimination or by a search per source."""
