"""Qt, palette, words and messages of the window."""

from jointlimits_core.limits import MINUS, degrees

from .errors import rollback, sentence
from .palette import (
    DARK,
    LIGHT,
    OUTSIDE_EDGES_DEG,
    Colours,
    clip_colours,
    colours_for,
    colours_of,
    outside_colour,
    rgb,
    rgb_table,
    time_rgb,
)
from .qt import (
    BINDING,
    QAction,
    Qt,
    QtCore,
    QtGui,
    QtWidgets,
    Signal,
    global_place,
    isValid,
    place,
    run,
    wrapInstance,
)
from .words import (
    counted,
    dependency_line,
    dependency_list,
    frame_number,
    listed,
    millimetres,
    option_label,
    option_place,
    option_words,
    shape_words,
)
