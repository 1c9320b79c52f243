"""The web table: pages for people, on top of the server."""
