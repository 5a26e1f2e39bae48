"""Qt, palette, words and messages of the window."""
