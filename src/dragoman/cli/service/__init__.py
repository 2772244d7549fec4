"""Commands about the service: serve."""
