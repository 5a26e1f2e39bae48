"""Where things are in the pictures: pure functions on numbers, without Qt."""
