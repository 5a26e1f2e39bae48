"""The window's state: open limits, edits, history, long jobs."""

from .clamping import ClampedFrames, ClampingResult, pose_outside
from .document import MOST_STEPS, Document
from .estimating import EstimateRequest, Preview, with_options
from .files import DocumentError, renamed_clip
from .host import (
    FRAME,
    NODES,
    SCENE,
    SELECTION,
    Character,
    Host,
    Result,
    Scene,
    Watcher,
    filter_result,
)
from .jobs import LongWork
from .mirroring import has_no_channels, why_not_mirrored
from .skeleton_fit import (
    Figure,
    Trace,
    has_tracks,
    joint_words,
    skeleton_words,
    slip_words,
    with_slips,
)
from .state import Exclusions, State
from .worker import ImmediateRunner, Runner, Worker, wait_for_all
