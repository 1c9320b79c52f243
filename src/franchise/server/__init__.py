"""The server: tables, seats and moves that outlive the process, and the JSON API over them."""
