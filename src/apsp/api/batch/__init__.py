"""Many graphs at once: `solve_batch`."""
