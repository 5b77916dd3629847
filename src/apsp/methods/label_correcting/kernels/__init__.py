"""The CUDA kernels of label correcting, each beside the Python that launches it."""
