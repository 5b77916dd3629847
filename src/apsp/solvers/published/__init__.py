"""The algorithms of the literature, as published: correct, not tuned; the baselines that the others must beat."""
