"""The window without Maya, and its links to a host."""
