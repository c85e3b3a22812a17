"""Store tables in a database: SQLite or PostgreSQL."""
