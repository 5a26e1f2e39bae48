"""Layout of figures, drawn by pages and by the window."""

from .samples import (
    JointSamples,
    mean_rotation,
    on_branch,
    relative_rotation_vectors,
    samples_of,
    shown_indices,
)
