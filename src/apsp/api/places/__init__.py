"""Distances between places, and tables of them."""
