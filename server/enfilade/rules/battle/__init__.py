"""The battle: who stands where and can strike whom, paths, and what is remembered of it; for any ruleset."""
