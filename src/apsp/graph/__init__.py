"""What comes in: the graph model, conversions, generators and files."""
