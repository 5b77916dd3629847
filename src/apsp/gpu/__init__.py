"""The CUDA runtime, without algorithms: memory, compilation, counts, and GPUs emulated on this CPU."""
