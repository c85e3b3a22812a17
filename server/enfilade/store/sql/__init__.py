"""Tables in a database: SQLite or PostgreSQL."""
