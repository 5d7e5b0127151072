"""What splits share: the rows that are cut, and the cut."""
