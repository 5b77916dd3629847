"""Figures and small tables, drawn from plain arrays: maps, histograms, and what notebooks show.

Importing it does not load Matplotlib; the error of `files.require` states how to install it.
"""
