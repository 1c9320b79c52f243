"""Speed, kill and attack tests: what `franchise bench`, `franchise storm` and `franchise attack` run."""
