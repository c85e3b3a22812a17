"""Run the steps in the given transaction, so that all of them apply or none."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
