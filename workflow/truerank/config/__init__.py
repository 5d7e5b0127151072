"""A study's config: what it starts from, what it may say, and what it selects."""
