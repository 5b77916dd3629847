"""Other libraries' interfaces on top of this one."""
