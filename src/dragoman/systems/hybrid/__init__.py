"""The default system: words through translation tables, meanings through sentence vectors."""
