"""How it runs: one module a method, found through the registry."""
