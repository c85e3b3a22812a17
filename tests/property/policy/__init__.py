"""Does advice win? Games of the default policy against random legal play."""
