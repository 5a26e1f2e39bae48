"""Pictures, painted with QPainter; they work on plain numbers and know no limit set."""
