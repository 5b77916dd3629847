"""Stores: distances on a disk or in a bucket, as a Zarr group that is written band by band and read in pieces.

A band is some rows that follow one another. It is computed by one run, and written in one step as one shard, so that
the shards that exist are the record of progress.
"""
