"""Graphs of other libraries: a module per library with `convert(graph, weight) -> Graph`; `catalogue.py` lists them.

Objects are recognised by the names of their classes, and only the module of their library is imported, so no library
is loaded that the caller has not loaded.
"""
