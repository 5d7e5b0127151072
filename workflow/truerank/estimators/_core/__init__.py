"""What estimators share: the problem that a sample poses, mixtures, mappings, and the bootstrap."""
