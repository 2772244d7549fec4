"""nbow: texts as weighted averages of their words' vectors."""
