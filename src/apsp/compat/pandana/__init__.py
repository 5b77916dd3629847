"""The interface of pandana, on this package: module `apsp.pandana`."""
