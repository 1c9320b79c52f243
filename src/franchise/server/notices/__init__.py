"""Messages that it is your turn: by mail, push and webhook."""
