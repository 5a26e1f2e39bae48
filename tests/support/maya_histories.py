"""Random histories of an open scene: edits, undo, redo and failures, compared by hash."""

from __future__ import annotations

import importlib
import random
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Callable

from benchmarks.simulated_figure import simulated_figure
from tests.maya.test_orientation_restore import RECORDS, limits_in_other_frames
from tests.maya.test_reorient_live import NAMES, SKIN_LINKS, arm_file
from tests.maya_standin import Session
from tests.maya_standin.graph import Scene
from tests.maya_standin.open_maya.anim_curve import MFnAnimCurve
from tests.maya_standin.open_maya.modifier import MDGModifier
from tests.support.maya_open_scenes import difference, open_changed, state
from tests.support.maya_projecting import shapes
from tests.support.maya_scenes import connect, curve
from tests.support.tracked_locators import locators

BODIES = ("chest", "left upper arm")
TRACKED_SECONDS = 12
"""Frames of the tracked transforms, a second apart: few, and much motion."""
SHAPES = shapes()
ERRORS = (RuntimeError, TypeError, ValueError)
PLANNED = "planned failure"


class Failures:
    """Failure at one of the places where an edit changes the scene, counted from 1.

    `passed`: how many places there were since :meth:`plan`.
    """

    def __init__(self) -> None:
        self._at, self._error = 0, RuntimeError
        self.passed = 0

    def plan(self, at: int, error: type[Exception] = RuntimeError) -> None:
        """Fail at a place; 0: nowhere."""
        self._at, self._error, self.passed = at, error, 0

    def pass_by(self) -> None:
        """Fail if this is the place."""
        self.passed += 1
        if self.passed == self._at:
            self._at = 0
            raise self._error(PLANNED)


@contextmanager
def failures_of(session: Session):
    """Make the changes of modifiers, curves and locks pass by a `Failures`."""
    failures, saved = Failures(), []

    def call_before(kind: type, name: str) -> None:
        original = getattr(kind, name)
        saved.append((kind, name, original))

        def passing(*arguments: Any, **options: Any) -> Any:
            failures.pass_by()
            return original(*arguments, **options)

        setattr(kind, name, passing)

    add = MDGModifier._add

    def add_passing(self: MDGModifier, operation: Callable[[], Any]) -> Any:
        def passing() -> Any:
            failures.pass_by()
            return operation()

        return add(self, passing)

    call_before(MFnAnimCurve, "_give")
    call_before(Scene, "check_lockable")
    saved.append((MDGModifier, "_add", add))
    MDGModifier._add = add_passing
    try:
        yield failures
    finally:
        for kind, name, original in saved:
            setattr(kind, name, original)


@lru_cache(maxsize=1)
def tracked_text() -> str:
    """Two tracked transforms of a simulated figure, below a group."""
    made = simulated_figure(5, seconds=float(TRACKED_SECONDS), frame_rate=1.0)
    group = 'createNode transform -n "trackers";\n'
    return group + locators(made.tracks.choose_bodies(BODIES), below="trackers")


FINS = (
    'createNode transform -n "control";\ncreateNode joint -n "fins";\n'
    'createNode joint -n "L_fin" -p "fins";\n\tsetAttr ".tx" 4;\n\tsetAttr ".mrze" yes;\n'
    '\tsetAttr ".xrze" yes;\n'
    'createNode joint -n "R_fin" -p "fins";\n\tsetAttr ".tx" -4;\n\tsetAttr ".xrye" yes;\n'
)
"""Two sides, each with a limit; a keyed control, which an animator moves, turns the left one."""


def open_history_scene(session: Session, folder: Path) -> None:
    """Open an arm with keys, a skin and stored poses, beside two tracked transforms."""
    turn = curve("lower_rotateY", [(1, 10), (7, -30), (12, 50)])
    fins = FINS + curve("control_rotateX", [(1, 0), (4, 70), (8, -20)])
    links = SKIN_LINKS + connect("lower_rotateY.o", "lower.ry")
    links += connect("control_rotateX.o", "control.rx") + connect("control.rx", "L_fin.rx")
    open_changed(session, arm_file(folder, RECORDS + turn + tracked_text() + fins, links))
    importlib.import_module("jointlimits_maya.scene.undo").load_plug_in()
    session.undo_queue.flush()


@dataclass
class Kept:
    """Results of functions that are called once: the tracks never change."""

    known: dict[str, Any] = field(default_factory=dict)

    def once(self, module: Any, name: str) -> None:
        """Let a function of a module give its first result ever after."""
        original = getattr(module, name)

        def first_result(*arguments: Any, **options: Any) -> Any:
            if name not in self.known:
                self.known[name] = original(*arguments, **options)
            return self.known[name]

        setattr(module, name, first_result)


KEPT = Kept()


class History:
    """One history, in an open scene.

    `differences`: operations after which the scene is not what the history says. `counts`:
    operations by name and outcome. `measured`: the latest estimate. `only`: names of the operations
    to choose from; by default, all of them.
    """

    def __init__(
        self, session: Session, seed: int, *, keep_states: bool = False, only: tuple[str, ...] = ()
    ) -> None:
        self.session, self.random, self.only = session, random.Random(seed), only
        self.jointlimits = importlib.import_module("jointlimits_maya")
        self.cmds = importlib.import_module("maya.cmds")
        KEPT.once(importlib.import_module("jointlimits_maya.skeleton.api"), "fit_pooled")
        self._estimate()
        self.differences: list[str] = []
        self.counts: Counter[str] = Counter()
        self.done, self.undone = [self._hash()], []
        self.lines = {self.done[0]: state(session)} if keep_states else None
        self._sizes: dict[str, int] = {}

    def _hash(self) -> str:
        return self.session.scene_hash()

    # Operations -----------------------------------------------------------------------------------

    def operations(self) -> dict[str, Callable[[], object]]:
        """Operations with random options."""
        pick, maya = self.random.choice, self.jointlimits
        names = self.random.sample(NAMES, self.random.randint(1, 3))
        shape = {pick(("upper", "lower", "lower")): SHAPES[pick(tuple(SHAPES))]}
        limits = LIMITS[pick(range(len(LIMITS)))]
        options = {
            "replace": pick((True, False)),
            "may_move": True,
            "lock_channels": pick((True, False)),
        }
        return {
            "estimate": self._estimate,
            "apply": partial(maya.apply, self.measured, names, **options),
            "re-orient": partial(maya.apply, limits, names, reorient=pick("RC"), **options),
            "clear": partial(maya.clear, names),
            "switch": partial(maya.switch_limits, pick((True, False, None)), names),
            "project": partial(maya.project_live, shape),
            "plain nodes": partial(maya.project_live, shape, plain_nodes=True),
            "stop": partial(maya.stop_projecting, names),
            "project keys": partial(maya.project_keys, shape),
            "skeleton": self._skeleton,
            "artist": self._artist,
            "mirror": partial(maya.mirror_limits, pick(("L_fin", "R_fin")), may_move=True),
            "bake": self._bake,
            "filter keys": partial(maya.filter_keys, [*names, "fins"]),
        }

    def _estimate(self) -> None:
        self.measured = self.jointlimits.estimate(("upper", "lower", "hand"))

    def _skeleton(self) -> object:
        if self.cmds.objExists("chest_joint"):
            return None
        live = self.random.choice((True, False))
        return self.jointlimits.estimate_skeleton("trackers", body_root="chest", constrained=live)

    def _bake(self) -> object:
        """Baking plays the scene, so a pose that is not keyed is lost, as whenever time changes."""
        if self.session.scene.held:
            return None
        pick = self.random.choice
        return self.jointlimits.bake(pick(("fins", "upper")), time=pick(("1:4", "2:9")))

    def _artist(self) -> object:
        """Somebody sets or keys a channel, as far as Maya lets them."""
        plug = self.random.choice(
            ("upper.rotateX", "hand.rotateZ", "prop.translateY", "control.rotateX")
        )
        number = self.random.uniform(-20.0, 20.0)
        source = self.session.scene.source(self.session.scene.plug(plug))
        if self.random.random() < 0.5 or not (source is None or source.node.is_a("animCurve")):
            return self.cmds.setAttr(plug, number)
        name, _, channel = plug.partition(".")
        return self.cmds.setKeyframe(name, attribute=channel, time=4, value=number)

    # Steps ----------------------------------------------------------------------------------------

    def step(self, failures: Failures) -> None:
        """Do something, undo, redo, or fail."""
        what = self.random.choices(("do", "fail", "undo", "redo"), (4, 4, 2, 2))[0]
        if what == "undo" and len(self.done) > 1:
            self._undo()
        elif what == "redo" and self.undone:
            self._redo()
        else:
            names = self.only or tuple(self.operations())
            # Estimates change nothing and take longest.
            weights = [0.25 if name == "estimate" else 1.0 for name in names]
            (name,) = self.random.choices(names, weights)
            at = self.random.randint(1, self._sizes.get(name, 30)) if what == "fail" else 0
            self._do(name, failures, at)

    def _do(self, name: str, failures: Failures, at: int) -> None:
        queued = len(self.session.undo_queue.done)
        failures.plan(at, self.random.choice(ERRORS))
        error: Exception | None = None
        try:
            self.operations()[name]()
        except (RuntimeError, ValueError) as caught:
            error = caught
        if error is None and failures.passed:
            self._sizes[name] = failures.passed
        failures.plan(0)
        if error is None and len(self.session.undo_queue.done) > queued:
            self.done.append(self._hash())
            self.undone.clear()
            if self.lines is not None:
                self.lines[self.done[-1]] = state(self.session)
        outcome = "" if error is None else " failed" if PLANNED in str(error) else " refused"
        self.counts[name + outcome] += 1
        self._compare(name + outcome)

    def _undo(self) -> None:
        self.undone.append(self.done.pop())
        self.cmds.undo()
        self._compare("undo")

    def _redo(self) -> None:
        self.done.append(self.undone.pop())
        self.cmds.redo()
        self._compare("redo")

    def _compare(self, what: str) -> None:
        self.counts[what] += what in ("undo", "redo")
        if self._hash() != self.done[-1]:
            self.differences.append(what)
            if self.lines is not None:
                lines = difference(self.lines[self.done[-1]], state(self.session))
                raise AssertionError("\n".join([what, str(self.counts), *lines[:40]]))
            self.done[-1] = self._hash()


LIMITS = tuple(limits_in_other_frames(seed) for seed in range(4))


def run_history(
    session: Session,
    folder: Path,
    seed: int,
    operations: int,
    *,
    keep_states: bool = False,
    only: tuple[str, ...] = (),
) -> History:
    """Run a history in a scene of its own."""
    open_history_scene(session, folder)
    history = History(session, seed, keep_states=keep_states, only=only)
    with failures_of(session) as failures:
        for _ in range(operations):
            history.step(failures)
    while len(history.done) > 1:
        history._undo()
    return history
