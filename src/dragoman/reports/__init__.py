"""Measured runs -> tables, pictures, an HTML page, and queries where a run loses to another."""
