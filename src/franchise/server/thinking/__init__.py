"""Bots at work: their turns, hints and analyses, in threads of this process or spread over PostgreSQL."""
