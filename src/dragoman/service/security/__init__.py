"""Who may do what: hosts, origins, keys, scopes and sessions."""
