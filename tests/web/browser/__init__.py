"""The web table in a real browser. A package, so that one browser lasts for all its tests and ends with them."""
