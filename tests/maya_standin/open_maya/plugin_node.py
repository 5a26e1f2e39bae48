"""MPxNode and MTypeId: nodes of plug-ins, how their types are made and how they compute.

"Maya calls your node's compute() when it determines that one of your node's output attributes, or
plugs, is out-of-date"; a node is to read input attributes only and to set output attributes only
(Autodesk, "Implementing the compute() method for a dependency graph node"). What is out of date
follows from attributeAffects, so here a compute that reads an input which does not affect the plug
that is asked for is refused: in Maya it would show old values.
"""

from __future__ import annotations

from typing import Any, Callable
from weakref import WeakKeyDictionary

from tests.maya_standin import evaluation, node_types
from tests.maya_standin.attributes import AttributeSpec
from tests.maya_standin.nodes import MISSING, Node, Plug
from tests.maya_standin.open_maya.current import count_call
from tests.maya_standin.open_maya.data_block import MDataBlock
from tests.maya_standin.open_maya.objects import MObject, attribute_of
from tests.maya_standin.open_maya.plug import plug_of
from tests.maya_standin.open_maya.strict import Strict, check_kind, not_modelled


class MTypeId(Strict):
    """The number that files know a type of nodes by."""

    __slots__ = ("_number",)

    def __init__(self, number: int = 0, /) -> None:
        check_kind(number, int, what="id")
        self._number = number

    def id(self) -> int:
        return self._number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MTypeId) and self._number == other._number

    def __hash__(self) -> int:
        return hash(self._number)


class TypeDraft:
    """A type of nodes while its initializer runs: attributes, and which affect which."""

    def __init__(self) -> None:
        self.specs: list[AttributeSpec] = []
        self.affects: dict[str, set[str]] = {}

    def leaves(self, long: str) -> list[str]:
        """An attribute and, for a compound, its children."""
        for spec in self.specs:
            if spec.long == long:
                return [long, *(child.long for child in spec.children)]
        return [long]


_drafts: list[TypeDraft] = []
_instances: WeakKeyDictionary[Node, MPxNode] = WeakKeyDictionary()


class MPxNode(Strict):
    """The base of a plug-in's nodes."""

    kDependNode = 0

    @staticmethod
    def addAttribute(attr: MObject, /) -> None:
        _draft().specs.append(attribute_of(attr).spec)

    @staticmethod
    def attributeAffects(whenChanges: MObject, isAffected: MObject, /) -> None:
        """An input makes an output out of date, each with the children that it has."""
        draft = _draft()
        names = [attribute_of(one).spec.long for one in (whenChanges, isAffected)]
        known = {long for spec in draft.specs for long in draft.leaves(spec.long)}
        if not set(names) <= known:
            raise RuntimeError("(kFailure): attributeAffects before addAttribute")
        for output in draft.leaves(names[1]):
            draft.affects.setdefault(output, set()).update(draft.leaves(names[0]))


def _draft() -> TypeDraft:
    if not _drafts:
        return not_modelled("attributes of an MPxNode outside of its initializer")
    return _drafts[-1]


def register(name: str, creator: Callable[[], Any], initialize: Callable[[], Any]) -> None:
    """Make a type known that nodes can be made of."""
    if name in node_types.TYPES or name in node_types.REGISTERED:
        raise RuntimeError(f"(kFailure): the node type {name} is registered already")
    draft = TypeDraft()
    _drafts.append(draft)
    try:
        initialize()
    finally:
        _drafts.pop()
    node_types.register_type(name, tuple(draft.specs))
    evaluation.PLUG_IN_NODES[name] = _computer(draft, creator)


def deregister(name: str) -> None:
    del node_types.REGISTERED[name], evaluation.PLUG_IN_NODES[name]


def _computer(draft: TypeDraft, creator: Callable[[], Any]) -> evaluation.Computer:
    def compute(evaluator: evaluation.Evaluator, node: Node, path: str) -> Any:
        if path not in draft.affects:
            return MISSING
        if node not in _instances:
            _instances[node] = creator()
        count_call(f"{node.type}.compute")
        block = MDataBlock(evaluator, node, draft.affects[path], set(draft.affects))
        _instances[node].compute(plug_of(Plug(node, path)), block)
        # What is clean now is not computed again until something that affects it changes.
        for clean in block.clean:
            evaluator.keep(Plug(node, clean), block.outputs[clean])
        if path not in block.outputs:
            return not_modelled(f"compute that leaves {path} as it was")
        return block.outputs[path]

    return compute
