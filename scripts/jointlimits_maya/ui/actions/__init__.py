"""What the window's buttons and menus do."""
