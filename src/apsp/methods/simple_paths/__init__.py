"""The k shortest simple paths of pairs."""
