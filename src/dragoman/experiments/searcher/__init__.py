"""The tables of Barry et al. 2020 (SEARCHER) on tasks built here."""
