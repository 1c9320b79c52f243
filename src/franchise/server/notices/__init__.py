"""Turn notifications by mail, push and webhook."""
