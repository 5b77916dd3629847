"""GPUs emulated on this CPU: the kernels of this package as they are, compiled for the CPU when it is built.

`run.entered` makes them the GPUs of the code inside; `arrays` is their memory, `module` what CuPy is to real ones,
`kernels` launches. Nothing of this is imported before an emulated GPU is used.
"""
