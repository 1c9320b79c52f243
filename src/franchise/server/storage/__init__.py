"""Where tables and accounts are stored: SQLite, PostgreSQL, schema, migrations, group commit."""
