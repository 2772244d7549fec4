"""Maintenance of an index: verification, repair, archives, upgrades, exports."""
