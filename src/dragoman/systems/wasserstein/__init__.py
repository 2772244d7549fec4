"""Documents ranked by what it costs to move a query's words onto theirs (Balikas et al. 2018)."""
