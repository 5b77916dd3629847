"""The input: the graph model, conversions, generators and files."""
