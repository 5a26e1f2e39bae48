"""Many characters, one after the other or side by side: one result each, whatever happens."""
