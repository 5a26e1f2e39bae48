"""Names and values of attributes as a scene writes them."""

from __future__ import annotations

from tests.maya_standin.attributes import NUMBERS, WHOLE, AttributeSpec
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.ma_statements import quote
from tests.maya_standin.ma_values import FileUnits, number_text
from tests.maya_standin.nodes import Node
from tests.maya_standin.words import pairs_of

_ADDED_KINDS = pairs_of(
    "angle:doubleAngle distance:doubleLinear double:double float:float time:time bool:bool "
    "enum:enum long:long short:short message:message"
)


def short_path(node: Node, path: str) -> str:
    """Path of an attribute by short names: "tg[0].trx"."""
    shorts = {spec.long: spec.short for spec in node.chain(path)}
    parts = (part.partition("[") for part in path.split("."))
    return ".".join(shorts[name] + bracket + index for name, bracket, index in parts)


def attribute_name(node: Node, path: str) -> str:
    """Attribute of the node at hand, quoted."""
    return f'".{short_path(node, path)}"'


def value_words(node: Node, path: str, units: FileUnits) -> str:
    """The stored value of a single attribute, with its type where a scene gives one."""
    spec, value = node.spec(path), node.stored(path)
    if spec.kind == "string":
        return f'-type "string" {quote(value or "")}'
    if spec.kind == "matrix":
        record = getattr(value, "record", ())
        if record:
            *numbers, flag = record
            words = " ".join(map(number_text, numbers))
            return f'-type "matrix" "xform" {words} {"yes" if flag else "no"}'
        return f'-type "matrix" {" ".join(map(number_text, value))}'
    if spec.kind == "bool":
        return "yes" if value else "no"
    if spec.kind in WHOLE:
        return str(value)
    if spec.kind in ("message", "typed", "compound"):
        raise NotModelledError(f"writing {node.name}.{path} ({spec.kind}) is not modelled")
    return number_text(units.outside(spec.kind, value))


def added_words(node: Node, spec: AttributeSpec, units: FileUnits, parent: str = "") -> str:
    """Words of addAttr: those of the file that the attribute came from, or made for it."""
    kept = node.raw.get("+" + spec.long)
    if kept:
        return kept
    words = ["-ci true"]
    words += ["-h true"] if spec.hidden else []
    words += ["-k true"] if spec.keyable else []
    words += ["-m"] if spec.array else []
    words += [f'-sn "{spec.short}" -ln "{spec.long}"']
    if spec.enum:
        words.append(f"-en {quote(':'.join(spec.enum))}")
    if isinstance(spec.default, float) and spec.default and spec.kind in NUMBERS:
        words.append(f"-dv {number_text(units.outside(spec.kind, spec.default))}")
    if spec.kind in ("string", "matrix"):
        words.append(f'-dt "{spec.kind}"')
    elif spec.kind == "compound":
        words.append(f'-at "double3" -nc {len(spec.children)}')
    else:
        words.append(f'-at "{_ADDED_KINDS[spec.kind]}"')
    if parent:
        words.append(f'-p "{parent}"')
    return " ".join(words)
