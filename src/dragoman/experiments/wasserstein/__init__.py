"""The tables of Balikas et al. 2018 (regularised Wasserstein retrieval)."""
