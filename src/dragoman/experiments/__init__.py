"""One module per question: tables and figures regenerated on any fitting collection."""
