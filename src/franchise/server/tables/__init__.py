"""Tables: a table as a value, the service over all of them, new tables, clocks, seat keys, the cache."""
