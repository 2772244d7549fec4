"""``dragoman reproduce``: one module per paper or question."""
