"""The game in the terminal: a full-screen table, and line by line."""
