"""Writing limits to the scene, clearing, switching, reorienting."""
