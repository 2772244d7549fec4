"""One module or folder per paper: tables and figures regenerated on any suitable collection."""
