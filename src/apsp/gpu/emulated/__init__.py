"""GPUs emulated on this CPU: the same kernels, compiled for the CPU when the package is built.

`run.entered` selects them within a context; `arrays` is their memory, `module` replaces CuPy,
`kernels` launches. None of these is imported before an emulated GPU is used.
"""
