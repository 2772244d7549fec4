"""An index and judgments -> the weights of its system, with a held-out estimate of their gain."""
