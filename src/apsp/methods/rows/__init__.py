"""What methods that work row by row share."""
