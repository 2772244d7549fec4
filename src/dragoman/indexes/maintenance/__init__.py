"""What keeps an index trustworthy: checks, repair, archives, upgrades, exports."""
