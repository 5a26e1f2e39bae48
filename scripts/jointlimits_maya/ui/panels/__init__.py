"""Panels of the window, which connect the document with the pictures."""
