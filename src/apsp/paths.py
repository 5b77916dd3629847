"""Paths: walking and replaying them."""
