"""Tables whose positions and rotations are meant otherwise: found, named, refused."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.simulated_faults import Faults
from benchmarks.simulated_figure import simulated_figure
from jointlimits_core.base.errors import EstimationError
from jointlimits_core.geometry.quaternion import conjugate
from jointlimits_core.skeleton_fit.doubts import reject_wide_gaps
from jointlimits_core.skeleton_fit.fit import fit_skeleton
from jointlimits_core.skeleton_fit.track_conventions import other_convention
from tests.support.body_tables import write_table
from tests.support.linkages import arm
from tests.support.marker_examples import wandering
from tests.support.skeleton_runs import skeleton

FIGURE = simulated_figure(3, seconds=15.0, faults=Faults(0.002, 0.3, wobble=0.01)).tracks


def mirrored(tracks, axis):
    signs = np.where(np.arange(3) == axis, -1.0, 1.0)
    return replace(tracks, positions=tracks.positions * signs)


def w_first(tracks):
    return replace(tracks, rotations=tracks.rotations[:, [3, 0, 1, 2]])


def inverse(tracks):
    turns = conjugate(np.moveaxis(tracks.rotations, 1, 2))
    return replace(tracks, rotations=np.moveaxis(turns, 2, 1))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (mirrored(FIGURE, 0), "left-handed and rotations are not: negate x of positions"),
        (mirrored(FIGURE, 2), "left-handed and rotations are not: negate z of positions"),
        (w_first(FIGURE), "quaternions are w, x, y, z: name the columns accordingly"),
        (inverse(FIGURE), "rotations are from world to body: negate qx, qy and qz"),
        (
            replace(FIGURE, positions=FIGURE.positions[..., [2, 0, 1]]),
            "rotations use different axes: write y, z, x instead of x, y, z",
        ),
    ],
    ids=["mirrored x", "mirrored z", "w first", "inverse", "other axes"],
)
def test_what_the_numbers_mean_is_found(wrong, words):
    found = other_convention(wrong)
    assert found is not None
    assert found.endswith(words)
    own, gap = (float(number) for number in re.findall(r"(\d+) mm", found))
    assert own > 2.0 * gap


@pytest.mark.thorough
@pytest.mark.parametrize("trial", ["walk", "exercise"])
@pytest.mark.parametrize("wobble", [0.0, 0.02])
def test_nothing_is_found_in_ours(trial, wobble):
    faults = Faults(0.002, 0.3, wobble=wobble, wobble_deg=200.0 * wobble, gaps=0.1)
    figure = simulated_figure(5, trial, seconds=12.0, faults=faults)
    assert other_convention(figure.tracks) is None
    for child, parent in enumerate(figure.parents):
        if parent >= 0:
            names = figure.tracks.names
            assert (
                other_convention(figure.tracks.choose_bodies([names[child], names[parent]])) is None
            )


@pytest.mark.thorough
def test_a_figure_mirrored_as_a_whole_agrees_with_itself():
    whole = mirrored(FIGURE, 0)
    turns = whole.rotations * np.array([1.0, -1.0, -1.0, 1.0])[:, None]
    assert other_convention(replace(whole, rotations=turns)) is None


def test_bodies_that_fly_freely_follow_no_convention():
    moves = [wandering(300, seed, 2.0) for seed in (1, 2, 3)]
    places = np.stack([place for _, place in moves])
    birds = replace(
        FIGURE.choose_bodies(FIGURE.names[:3]).keep_frames(range(300)), positions=places
    )
    assert other_convention(birds) is None
    assert other_convention(replace(FIGURE, present=np.zeros_like(FIGURE.present))) is None


@pytest.mark.thorough
@pytest.mark.parametrize("wrong", [w_first, inverse, lambda tracks: mirrored(tracks, 1)])
def test_the_command_line_refuses_and_names_it(tmp_path, capsys, wrong):
    path = write_table(wrong(arm(1).tracks()), tmp_path / "bad.csv")
    assert skeleton(tmp_path, path) == 1
    reported = capsys.readouterr().err
    assert "bad.csv: positions and rotations contradict each other: joints have gaps of" in reported
    assert other_convention(wrong(arm(1).tracks())) in reported
    assert not (tmp_path / "out").exists()


def test_a_skeleton_of_wide_gaps_alone_is_refused():
    fit = fit_skeleton(FIGURE)
    reject_wide_gaps([fit])
    wide = replace(fit, joints=tuple(replace(one, residual_m=0.1) for one in fit.joints))
    with pytest.raises(
        EstimationError, match=r"wider than 60 mm \(100 mm\)\. Check for left-handed axes"
    ) as reported:
        reject_wide_gaps([wide])
    assert "quaternions not read as x, y, z, w" in str(reported.value)
    reject_wide_gaps([replace(wide, options=replace(fit.options, free_beyond_m=0.2))])
    reject_wide_gaps([replace(wide, joints=(fit.joints[0], *wide.joints[1:]))])
