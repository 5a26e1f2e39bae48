"""Joint limits as data."""
