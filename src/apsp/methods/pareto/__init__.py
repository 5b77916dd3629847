"""Paths of a pair that no other path beats in two costs."""
