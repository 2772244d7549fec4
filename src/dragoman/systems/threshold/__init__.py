"""The baseline that SEARCHER began with: a document responds if one of its words is near enough."""
