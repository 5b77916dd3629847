"""Rows that are computed into a store, band by band, by this process or by workers, and read from it."""
