"""Actions of the window's buttons and menus."""
