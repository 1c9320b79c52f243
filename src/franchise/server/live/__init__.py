"""Live updates for followers of a table: the bus within and between processes, broadcast, server-sent events."""
