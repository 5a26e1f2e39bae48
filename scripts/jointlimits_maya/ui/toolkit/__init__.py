"""Qt, palette, texts and messages of the window."""
