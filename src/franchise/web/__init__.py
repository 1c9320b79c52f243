"""The web table: pages for people, over the server."""
