"""Reductions of rows of distances on GPUs, each kernel beside the Python that launches it."""
