"""The k shortest walks of pairs."""
