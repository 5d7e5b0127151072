"""What metrics share: judged ranks and lists, relevance, terms and norms, evaluation, intervals."""
