"""Documents -> an index: a folder that is searched and changed."""
