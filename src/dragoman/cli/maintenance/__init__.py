"""Commands that keep an index: export, verify, snapshot, restore, upgrade, optimize."""
