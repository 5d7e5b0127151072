"""What a sample can tell: bands around the law of sampled ranks, and the metrics of all laws of ranks within them."""
