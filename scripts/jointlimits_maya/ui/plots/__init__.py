"""Pictures of one joint, painted with QPainter from plain numbers; layouts know no Qt."""
