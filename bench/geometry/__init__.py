"""The geometry engine raced against its peers: same scenes, interleaved medians, answers compared first."""
