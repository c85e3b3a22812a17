"""The log of a table: entries, their text, replies to commands, and the exported file."""
