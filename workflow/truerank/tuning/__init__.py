"""Search for the settings of a model that do best on held-out rows."""
