"""Runs the steps in the transaction it is given, so that they are all done or none."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
