"""The open scene: joints, plugs, edits, undo, records."""
