"""The parts of the window: they translate between the document and the pictures."""
