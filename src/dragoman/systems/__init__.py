"""One room per system."""
