"""Searches in weights that depend on the time of departure."""
