"""Tables of edges: a module per library with `columns(table)` and `read(table, names)`; `catalogue.py` lists them.

Tables are recognised by the names of their classes, and only the module of their library is imported.
"""
