"""Unique names for the joints of a skeleton, from the names of their sources."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from itertools import count

from maya import cmds

from jointlimits_core.side_names import node_name


def names_for_joints(sources: Sequence[str], suffix: str) -> list[str]:
    """Names of joints, in the current namespace and unused in the scene.

    Parameters
    ----------
    sources : sequence of str
        Names or paths of nodes. Their namespaces are dropped, as the joints do not belong to the
        sources' references.

    Raises
    ------
    ValueError
        If node names cannot end with the suffix.
    """
    if not re.fullmatch(r"\w*", suffix, re.ASCII):
        raise ValueError(f"joint_suffix must be letters, digits and underscores, not {suffix!r}")
    namespace = str(cmds.namespaceInfo(currentNamespace=True)).strip(":")
    prefix = f"{namespace}:" if namespace else ""
    names: list[str] = []
    for source in sources:
        names.append(_free(f"{prefix}{node_name(source)}{suffix}", names))
    return names


def _free(name: str, taken: Container[str]) -> str:
    """The name, with a number appended if it is taken."""
    tried = (f"{name}{number or ''}" for number in count())
    return next(one for one in tried if one not in taken and not cmds.objExists(one))
