"""`make load`: sixty tables at once on one server, and beside it a server that only echoes."""
