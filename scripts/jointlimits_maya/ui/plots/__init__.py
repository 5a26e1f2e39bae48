"""Plots and views, painted with QPainter from plain numbers; layout modules do not use Qt."""
