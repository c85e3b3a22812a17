"""Start the server: one process, or several processes behind one port."""
