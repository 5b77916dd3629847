"""The CUDA kernels on bit matrices, each beside the Python that launches it."""
