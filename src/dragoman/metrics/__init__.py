"""Rankings -> a verdict."""
