"""An index in a Qdrant cluster, searched and changed as one in a folder (extra cluster)."""
