"""Words -> vectors in one cross-lingual space."""
