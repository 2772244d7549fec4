"""Numbers -> a ranking."""
