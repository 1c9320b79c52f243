"""Who follows a table hears of its changes: the bus within and between processes, broadcast, server-sent events."""
