"""The command line: one module a command, no algorithm in it."""
