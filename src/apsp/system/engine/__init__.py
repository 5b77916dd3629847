"""Engines: the software that runs tasks in other processes, on this machine or on others."""
