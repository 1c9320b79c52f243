"""The game in words, for the web and the terminal: languages, catalogues, prompts, log, refusals, advice."""
