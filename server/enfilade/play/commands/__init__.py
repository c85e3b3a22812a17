"""The commands of a table, one registry for all of them."""
