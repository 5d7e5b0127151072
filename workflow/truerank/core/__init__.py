"""What a study computes, in memory: objects and frames in, objects and frames out. Stages read, call this, write."""
