"""Paths of the API, one module per subject; each handler checks, asks a worker, and answers."""
