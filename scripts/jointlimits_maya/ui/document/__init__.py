"""The window's state: open limits, edits, history, long jobs."""
