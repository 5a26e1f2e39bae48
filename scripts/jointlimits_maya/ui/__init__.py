"""Window: joint list, pictures of limits, and editing. Nothing here imports Maya."""
