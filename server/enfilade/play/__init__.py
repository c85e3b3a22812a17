"""Tables: commands, permissions, redaction, fair dice and the log.

`table.Table.execute` is the one path of a command: permission, decision by its handler, storage, reply.
"""
