"""The CUDA kernels of flows, each beside the Python that launches it."""
