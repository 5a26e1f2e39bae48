"""Tracked transforms opened in the stand-in, and where the joints built beside them are."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core.geometry.quaternion import quaternion_from_matrix
from tests.support.maya_open_scenes import value
from tests.support.maya_reading import opened_text
from tests.support.maya_scenes import HEADER
from tests.support.tracked_locators import ARM, RATE_HZ, figure, locators, node, true_places

GROUP = 'createNode transform -n "trackers";\n'
SOME = (1, 40, 97, 144)
"""Frames at which places are looked at."""
EVERY = range(1, 145)


@pytest.fixture
def opens(maya, tmp_path, cmds):
    """Opens a scene's text; it counts as changed, so that states can be compared."""

    def open_changed(text, head=HEADER):
        scene = opened_text(maya, tmp_path, text, head)
        scene.modified = True
        return scene

    return open_changed


@pytest.fixture
def arm(opens):
    """Four bodies of a figure below a group: chest, upper arm, forearm and hand."""
    made, tracks = figure(ARM, seconds=6.0)
    opens(GROUP + locators(tracks, below="trackers"))
    return made


def places(session, path, frames=SOME):
    """Where a node is in the world, centimetres, shape (frames, 3)."""
    return worlds(session, path, frames)[:, 3, :3]


def worlds(session, path, frames=SOME):
    """World matrices of a node, row vectors, shape (frames, 4, 4)."""
    plug = f"{path}.worldMatrix[0]"
    flat = [value(session, plug, frame / RATE_HZ) for frame in frames]
    return np.reshape(flat, (len(frames), 4, 4))


def turns_of(matrices):
    return quaternion_from_matrix(np.swapaxes(matrices[:, :3, :3], 1, 2))


def true_cm(made, body, frames=SOME):
    return 100.0 * true_places(made, made.tracks, body)[[frame - 1 for frame in frames]]


def joint_errors(session, made, built, bodies, frames=SOME):
    """How far joints are from where they truly are, centimetres."""
    return max(
        np.abs(
            places(session, built.joints[node(body)], frames) - true_cm(made, body, frames)
        ).max()
        for body in bodies
    )
