"""One module for each step, in numeric order."""
