"""The command line: one module a command, no algorithm in it. The entry is `apsp.cli.main:main`."""
