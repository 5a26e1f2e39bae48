"""Joint attribute values for a limit set, shared by all writers."""
