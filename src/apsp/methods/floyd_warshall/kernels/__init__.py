"""The CUDA kernels of Floyd-Warshall, each beside the Python that launches it."""
