"""Whatever order things are done, undone, redone and fail in, the scene is what it was then."""

from __future__ import annotations

from functools import partial
from itertools import count

import pytest

from tests.support.maya_histories import (
    ERRORS,
    LIMITS,
    NAMES,
    PLANNED,
    SHAPES,
    failures_of,
    open_history_scene,
    run_history,
)
from tests.support.maya_open_scenes import difference, state

pytestmark = pytest.mark.usefixtures("cmds")
OPERATIONS = (
    *("apply", "re-orient", "project", "plain nodes", "project keys", "skeleton", "mirror", "bake"),
)


@pytest.mark.thorough
def test_a_short_history(maya, tmp_path):
    history = run_history(maya, tmp_path, 4, 40, keep_states=True)
    assert history.counts["undo"] > 5
    assert not history.differences


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(200, 202))
def test_long_histories(maya, tmp_path, seed):
    history = run_history(maya, tmp_path, seed, 300, keep_states=True)
    failed = sum(number for name, number in history.counts.items() if name.endswith("failed"))
    assert failed > 10
    assert not history.differences


@pytest.mark.thorough
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_failure_at_every_place_changes_nothing(maya, tmp_path, name):
    """Each operation, and then its removal, fails at its first change, its second, and so on."""
    open_history_scene(maya, tmp_path)
    with failures_of(maya) as failures:
        for operation in operations(name):
            assert fails_everywhere(maya, failures, operation) > 3


def operations(name):
    """An operation, and what takes it back."""
    import jointlimits_maya as jl

    shape, limits = {"lower": SHAPES["box"]}, LIMITS[1]
    return {
        "apply": (partial(jl.apply, jl.estimate(NAMES), NAMES), partial(jl.clear, NAMES)),
        "re-orient": (
            partial(jl.apply, limits, NAMES, reorient="C", replace=True, may_move=True),
            partial(jl.clear, NAMES),
        ),
        "project": (partial(jl.project_live, shape), partial(jl.stop_projecting, NAMES)),
        "plain nodes": (
            partial(jl.project_live, shape, plain_nodes=True),
            partial(jl.stop_projecting, NAMES),
        ),
        "project keys": (partial(jl.project_keys, shape),),
        "mirror": (partial(jl.mirror_limits, "L_fin"), partial(jl.clear, "fins")),
        "bake": (partial(jl.bake, "fins", time="1:8"),),
        "skeleton": (partial(jl.estimate_skeleton, "trackers", body_root="chest"),),
    }[name]


def fails_everywhere(maya, failures, operation):
    """Let an operation fail at each place until there is none left; the number of places."""
    before = state(maya)
    for place in count(1):
        failures.plan(place, ERRORS[place % len(ERRORS)])
        problem = message_of(operation)
        if not problem:
            break
        assert f"the scene was restored: {PLANNED}" in problem
        assert difference(before, state(maya)) == [], place
    failures.plan(0)
    return place - 1


def message_of(operation):
    """What an operation says when it fails; empty where it does not."""
    try:
        operation()
    except RuntimeError as error:
        return str(error)
    return ""


def test_a_step_that_is_not_undone_is_noticed(maya, tmp_path, monkeypatch):
    """The histories would notice: here a change of keys is never taken back, whatever the seed."""
    import maya.api.OpenMayaAnim as oma

    monkeypatch.setattr(oma.MAnimCurveChange, "undoIt", lambda self: None)
    for seed in range(4):
        with pytest.raises(AssertionError, match=r"\+  keys"):
            run_history(maya, tmp_path, seed, 60, keep_states=True, only=("project keys",))
