"""Layout of figures, drawn by pages and by the window."""
