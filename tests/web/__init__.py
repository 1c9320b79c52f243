"""The web table in a real browser. A package, so that one server and one browser last for all its tests."""
