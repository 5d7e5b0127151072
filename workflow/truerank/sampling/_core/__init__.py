"""What samplers share: the law of sampled ranks, simulation, and what samples cost."""
