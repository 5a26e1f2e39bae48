"""Layout of the pictures: pure functions on numbers, without Qt.

Pictures, painted with QPainter; they work on plain numbers and know no limit set.
"""
