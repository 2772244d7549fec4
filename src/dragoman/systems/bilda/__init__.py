"""bilda: topics that two languages share, learnt from aligned documents."""
