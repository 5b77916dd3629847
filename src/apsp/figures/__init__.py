"""Figures and small tables from plain arrays: maps, histograms, and the tables and thumbnails of notebooks.

Importing it does not load Matplotlib; the error of `files.require` states how to install it.
"""
