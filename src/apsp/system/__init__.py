"""The machine: cores, memory, caches, threads, progress, and files that are replaced in one step."""
