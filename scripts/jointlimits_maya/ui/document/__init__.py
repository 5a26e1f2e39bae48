"""The window's state: open limits, edits, history, long jobs."""

from .document import MOST_STEPS, Document
from .estimating import Asked, Preview, with_options
from .files import DocumentError, fitted
from .host import FRAME, NODES, SCENE, SELECTION, Character, Host, Said, Scene, Watcher
from .jobs import LongWork
from .mirroring import has_no_channels, why_not_mirrored
from .rehearsing import ClippedFrames, Rehearsed, pose_outside
from .skeleton_fit import (
    ENDINGS,
    Figure,
    Trace,
    has_tracks,
    joint_words,
    skeleton_words,
    slip_words,
    with_slips,
)
from .state import Ignored, State
from .worker import AtOnce, Runner, Worker, wait_for_all
