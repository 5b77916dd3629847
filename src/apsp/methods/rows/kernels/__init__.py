"""CUDA kernels that methods share, each beside the Python that launches it."""
