"""The CUDA kernels of elimination, each beside the Python that launches it."""
