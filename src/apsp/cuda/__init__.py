"""CUDA: the door to run-time compilation, and headers shared by kernels."""
