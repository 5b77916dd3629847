"""What will run: the machine, the cost of every method, and the choice."""
