"""Writing, clearing and switching limits in the scene, and re-orienting joints."""
