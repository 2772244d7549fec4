"""The tables and figures of Liu et al. 2020 (smooth learning)."""
