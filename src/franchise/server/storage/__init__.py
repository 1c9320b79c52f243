"""Storage of tables and accounts: SQLite, PostgreSQL, schema, migrations, group commit."""
