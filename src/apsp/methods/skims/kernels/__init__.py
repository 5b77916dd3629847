"""CUDA kernels of skims, and the code that launches them."""
