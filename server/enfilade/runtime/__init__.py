"""What a process needs to run: its settings, its budget of time, and properties computed once."""
