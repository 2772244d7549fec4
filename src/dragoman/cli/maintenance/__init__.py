"""Commands that maintain an index: export, verify, snapshot, restore, upgrade, optimize."""
