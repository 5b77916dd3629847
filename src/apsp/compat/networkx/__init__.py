"""A backend of NetworkX: its functions, its arguments, its errors; the distances come from this package.

`backend` is what NetworkX loads (the entry point `networkx.backends`). The other modules are grouped as NetworkX's own:
a function here has the name, the module and the signature of the function that it replaces.
"""
