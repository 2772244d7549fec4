"""The tables and figures of Xu et al. 2021 (semi-interactive transformers)."""
