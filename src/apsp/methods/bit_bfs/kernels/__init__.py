"""The CUDA kernels of the breadth-first search, each beside the Python that launches it."""
