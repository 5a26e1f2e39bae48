"""What nobody knows of Maya without running it, as switches of the stand-in.

`WORST` is the default: the product is right if everything is so. `KIND` is the other belief. The
environment variable MAYA_STANDIN_QUIRKS=kind runs all tests with it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

VARIABLE = "MAYA_STANDIN_QUIRKS"


@dataclass(frozen=True)
class Quirks:
    """Behaviour of a Maya.

    Attributes
    ----------
    replacing_keys_undo_short : bool
        The undo of addKeys that replaced keys lacks the last one. guess: add-keys-undo
    redone_keys_stick : bool
        Once an addKeys was undone and redone, redo of whatever else was changed on that curve does
        nothing. guess: redo-after-add-keys
    matrix_nodes_loaded : bool
        The plug-in of composeMatrix and decomposeMatrix is loaded at startup: in a window it is by
        default, in mayapy it is not. guess: matrix-nodes-in-mayapy
    unset_matrix : str
        What a joint's bindPose gives that was never set: "identity", "null" (an MObject that
        MFnMatrixData rejects with ValueError) or "error" (RuntimeError from asMObject).
        guess: bind-pose-never-stored
    reading_makes_elements : bool
        Reading an element of an array that does not exist creates it. guess: read-makes-element
    removed_string_lost : bool
        Undo of removeAttribute brings a string attribute back empty. guess: removed-string-undo
    neighbours_go : bool
        Deleting a node also deletes utility nodes next to it that lose their last input or output.
        guess: delete-takes-neighbours
    python_nodes_hang : bool
        A change of time through the API never ends while a plug-in's Python node drives something
        and the graph is evaluated in parallel. guess: python-node-in-parallel
    undo_at_start : bool
        Undo is on when mayapy starts. guess: undo-in-mayapy
    panels_fill_later : bool
        The uiScript of a new workspaceControl runs when Maya is idle. guess: panel-script-waits
    new_curves_weighted : bool
        A curve of createNode has weighted tangents whatever the preference says, by its attribute's
        default (maya.md 8). guess: new-curve-weighted
    """

    replacing_keys_undo_short: bool = True
    redone_keys_stick: bool = True
    matrix_nodes_loaded: bool = False
    unset_matrix: str = "null"
    reading_makes_elements: bool = True
    removed_string_lost: bool = True
    neighbours_go: bool = True
    python_nodes_hang: bool = True
    undo_at_start: bool = False
    panels_fill_later: bool = True
    new_curves_weighted: bool = True


WORST = Quirks()
KIND = Quirks(False, False, True, "identity", False, False, False, False, True, False)


def chosen_quirks() -> Quirks:
    """Quirks that the environment asks for; the worst without a choice."""
    return {"kind": KIND, "worst": WORST}[os.environ.get(VARIABLE, "worst")]
