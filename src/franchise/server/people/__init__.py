"""People with accounts: sessions, passwords, ratings, their data."""
