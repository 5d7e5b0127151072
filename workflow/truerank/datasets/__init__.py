"""Read and check interactions: one data source per file."""
