"""The pictures, painted with QPainter. They take and give plain numbers and know no limit set."""
