"""FBX files, binary and ASCII: skeletons, their animation and their declared limits."""
