"""Sources that the workers of an engine compute, in tasks."""
