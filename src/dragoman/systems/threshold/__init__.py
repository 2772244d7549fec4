"""A fixed cosine threshold between word vectors, the baseline of SEARCHER (Barry et al. 2020)."""
