"""Solving into a store, and the result that lies in one."""
