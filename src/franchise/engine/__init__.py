"""The rules kernel and what turns its numbers into words: read rules.py first."""
