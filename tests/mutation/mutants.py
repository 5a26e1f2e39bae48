"""Single changes of one module: other signs, comparisons, numbers, conditions and functions."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

BINARY: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_PAIRS = (
    ("sin", "cos"),
    ("minimum", "maximum"),
    ("min", "max"),
    ("argmin", "argmax"),
    ("any", "all"),
    ("floor", "ceil"),
    ("logical_and", "logical_or"),
    ("sum", "prod"),
    ("append", "extend"),
    ("upper", "lower"),
)
NAMES = {a: b for pair in _PAIRS for a, b in (pair, pair[::-1])}


@dataclass(frozen=True)
class Mutant:
    """One change inside a function.

    Parameters
    ----------
    path : Path
        The module.
    line : int
        Where the change is.
    lines : range
        Of the statement around it; of one with a body, its head.
    function : str
        Qualified name of the outermost function around it.
    before, after : str
        The statement as it is and as it becomes.
    code : CodeType
        The outermost function with the change.
    remade : CodeType or None
        Makes again what the module makes with the function when it is imported.
    """

    path: Path
    line: int
    lines: range
    function: str
    before: str
    after: str
    code: CodeType
    remade: CodeType | None


def mutants(path: Path) -> Iterator[Mutant]:
    """Every mutant of a module, in the order of its lines.

    Constants of a module and bodies of classes are left out. So are annotations, docstrings and
    the texts of messages.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for function, name in _functions(tree):
        for place, node in enumerate(_nodes(function)):
            for variant in range(len(_changes(node))):
                yield _mutant(path, tree, function, name, place, variant)


def _functions(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, str]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node, node.name
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield inner, f"{node.name}.{inner.name}"


def _nodes(function: ast.FunctionDef) -> list[ast.AST]:
    """What stands in the body, in a fixed order, without annotations and raised messages."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = list(reversed(function.body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Raise):
            continue
        found.append(node)
        left_out = {"annotation", "returns", "args", "decorator_list"}
        inner = [
            child
            for field, value in ast.iter_fields(node)
            if field not in left_out or isinstance(node, ast.Call)
            for child in (value if isinstance(value, list) else [value])
            if isinstance(child, ast.AST)
        ]
        waiting.extend(reversed(inner))
    return found


def _changes(node: ast.AST) -> list[ast.AST]:
    """What a node may become; the node itself is left as it is."""
    if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
        return [_with(node, op=BINARY[type(node.op)]())]
    if isinstance(node, ast.AugAssign) and type(node.op) in BINARY:
        return [_with(node, op=BINARY[type(node.op)]())]
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED:
        return [_with(node, ops=[COMPARED[type(node.ops[0])](), *node.ops[1:]])]
    if isinstance(node, ast.BoolOp):
        return [_with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Not, ast.Invert)):
        return [node.operand]
    if isinstance(node, (ast.If, ast.IfExp, ast.While)) and not _is_flipped_anyway(node.test):
        return [_with(node, test=ast.UnaryOp(op=ast.Not(), operand=node.test))]
    if isinstance(node, ast.Constant):
        return _constants(node)
    if isinstance(node, ast.Attribute) and node.attr in NAMES:
        return [_with(node, attr=NAMES[node.attr])]
    if isinstance(node, ast.Name) and node.id in NAMES:
        return [_with(node, id=NAMES[node.id])]
    if isinstance(node, (ast.Break, ast.Continue)):
        return [ast.Pass()]
    if isinstance(node, ast.Return) and node.value is not None:
        return [_with(node, value=None)] if not isinstance(node.value, ast.Constant) else []
    return []


def _is_flipped_anyway(test: ast.expr) -> bool:
    """Whether the opposite of a test is what its own change makes of it."""
    flipped = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)
    if isinstance(test, ast.Compare):
        return len(test.ops) == 1 and isinstance(test.ops[0], flipped)
    return isinstance(test, ast.UnaryOp)


def _constants(node: ast.Constant) -> list[ast.AST]:
    if isinstance(node.value, bool):
        return [ast.Constant(not node.value)]
    if isinstance(node.value, (int, float)):
        return [ast.Constant(node.value + 1)]
    return []


def _with(node: ast.AST, **fields: object) -> ast.AST:
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def _mutant(
    path: Path, tree: ast.Module, function: ast.FunctionDef, name: str, place: int, variant: int
) -> Mutant:
    changed = copy.deepcopy(function)
    node = _nodes(changed)[place]
    new = ast.copy_location(_changes(node)[variant], node)
    statement = _statement(function, _nodes(function)[place])
    _Replace(node, new).visit(changed)
    ast.fix_missing_locations(changed)
    before, after = (ast.unparse(s).splitlines()[0] for s in (statement, _statement(changed, new)))
    code = _code_of(path, tree, function, changed)
    line = getattr(node, "lineno", function.lineno)
    made = [n for n in tree.body if isinstance(n, ast.Assign) and _names(n.value, name)]
    remade = compile(ast.Module(made, []), str(path), "exec") if made else None
    return Mutant(path, line, _head(statement), name, before, after, code, remade)


class _Replace(ast.NodeTransformer):
    """Put a new node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        """The new node in the old one's place, everything else as it is."""
        return self._new if node is self._old else self.generic_visit(node)


def _statement(function: ast.FunctionDef, inside: ast.AST) -> ast.stmt:
    """The smallest statement that holds a node."""
    smallest: ast.stmt = function
    for node in ast.walk(function):
        if isinstance(node, ast.stmt) and any(child is inside for child in ast.walk(node)):
            smallest = node
    return smallest


def _names(value: ast.expr, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(value))


def _head(statement: ast.stmt) -> range:
    """Lines of a statement, without those of the statements in it."""
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
    return range(statement.lineno, max(last, statement.lineno) + 1)


def _code_of(
    path: Path, tree: ast.Module, function: ast.FunctionDef, changed: ast.FunctionDef
) -> CodeType:
    """The changed function alone, compiled as in its module: same flags, same class around it."""
    body: list[ast.stmt] = [n for n in tree.body if _is_future(n)]
    for node in tree.body:
        if node is function:
            body.append(changed)
        elif isinstance(node, ast.ClassDef) and function in node.body:
            body.append(_with(node, body=[changed], decorator_list=[], bases=[], keywords=[]))  # type: ignore[arg-type]
    alone = compile(ast.Module(body=body, type_ignores=[]), str(path), "exec")
    return _named(alone, function.name)


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _named(code: CodeType, name: str) -> CodeType:
    """The outermost code of that name."""
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    for const in inner:
        if const.co_name == name:
            return const
    for const in inner:
        with_name = [c for c in const.co_consts if isinstance(c, CodeType) and c.co_name == name]
        if with_name:
            return with_name[0]
    raise LookupError(name)
