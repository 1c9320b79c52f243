"""The JSON API: routes, schemas, guards, limits, metrics."""
