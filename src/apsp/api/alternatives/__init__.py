"""Several paths of one pair."""
