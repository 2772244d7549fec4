"""``dragoman train``: one module per kind of model."""
