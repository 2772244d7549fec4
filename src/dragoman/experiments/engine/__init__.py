"""The engine in its default form: psq, dense vectors and their fusion."""
