"""The window: joints, pictures of their limits, and what an artist does with them. No Maya here."""
