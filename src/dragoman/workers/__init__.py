"""Ray workers: documents and queries -> vectors and rankings, on other cores and machines."""
