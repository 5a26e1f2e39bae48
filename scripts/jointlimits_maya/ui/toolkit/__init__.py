"""Qt, palette, words and settings of the window."""
