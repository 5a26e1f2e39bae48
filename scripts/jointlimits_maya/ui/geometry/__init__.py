"""Layout of the pictures: pure functions on numbers, without Qt."""
