"""MTEB: systems as its models, collections as its tasks (extra ``mteb``)."""
