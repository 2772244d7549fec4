"""Documents as weighted bags of word vectors: Wasserstein and nBOW (Balikas et al. 2018)."""
