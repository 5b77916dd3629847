"""The command line: one module per command, without algorithms. The entry point is `apsp.cli.main:main`."""
