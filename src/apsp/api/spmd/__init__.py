"""One problem distributed over many processes that run the same program."""
