"""Many documents -> few."""
