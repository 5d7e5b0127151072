"""Hold out: one way to cut interactions into training and test per file."""
