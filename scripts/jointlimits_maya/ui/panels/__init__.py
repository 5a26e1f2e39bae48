"""Panels about the selected joint, and the tabs below them."""
