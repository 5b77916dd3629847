"""The algorithms of the literature as published: correct but not tuned. They are the baselines of the tuned methods."""
