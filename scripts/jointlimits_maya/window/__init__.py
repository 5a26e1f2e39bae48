"""The window inside Maya: its host, guides in the viewport, opening and closing."""
