"""Benchmarks of the geometry engine and its peers: same scenes, interleaved medians, equal answers."""
