"""The rules kernel, and the modules that turn its numbers into text. Read rules.py first."""
