"""The commands that the plug-in registers."""
