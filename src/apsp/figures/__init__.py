"""Figures and small tables, drawn from plain arrays: maps, histograms, and what notebooks show.

Importing it loads no matplotlib; `files.require` says how to install it.
"""
