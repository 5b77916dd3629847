"""What GPUs share, without any algorithm: counts of what kernels do, and GPUs emulated on this CPU."""
