"""The methods: one folder per method, found through the registry."""
