"""Full-catalogue metrics from ranks among sampled candidates."""
