"""Time: where the limits would change the motion, and where the scene stands."""
from __future__ import annotations
from ..qt import QtWidgets, Signal
class StripPanel(QtWidgets.QWidget):
    frame_asked = Signal(str, float)
    joint_asked = Signal(str)
    hovered = Signal(str)
    def __init__(self, document, parent=None):
        super().__init__(parent)
    def show_frame(self, clip, frame): pass
    def refresh(self): pass
    def show_clips(self): pass
    def show_joints(self, names): pass
    def show_rehearsed(self, found): pass
    def show_time(self, frame): pass
