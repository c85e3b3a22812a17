"""Look at a battle that was played: its past moments, its statistics, its verdicts under other rules."""
