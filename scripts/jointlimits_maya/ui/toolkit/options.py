"""Options panel, with fields built from the option table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jointlimits_core.base.options import Option, option
from jointlimits_core.estimation.options import EstimateOptions

from .qt import QtWidgets, arrange
from .words import option_label, option_words

MIN_TWO_COLUMNS_PIXELS = 560
"""Minimum width of the panel for two columns of fields."""
MIN_BOX_CHARS = 16
"""Minimum width of a field with text; the longest texts may not fit the window."""
NUMBERS: dict[str, type[float] | type[int]] = {"number": float, "integer": int}


class NumberBox(QtWidgets.QDoubleSpinBox):
    """Number field in the window's format: one decimal, or more if needed."""

    def textFromValue(self, value: float) -> str:
        """The number without its suffix."""
        whole, dot, decimals = str(super().textFromValue(value)).partition(".")
        return f"{whole}{dot}{decimals[:1]}{decimals[1:].rstrip('0')}"


def field_for(item: Option) -> QtWidgets.QWidget:
    """Field for an option: a check box, a choice, a number or text."""
    field: Any
    if item.type == "switch":
        field = QtWidgets.QCheckBox(option_label(item.name))
    elif item.type in NUMBERS:
        field, has_default = NumberBox(), item.default is not None
        field.setDecimals({"integer": 0, "number": 2 if has_default else 4}[item.type])
        least = (item.minimum or 0.0) if has_default else 0.0
        field.setRange(least, item.maximum or (item.below or 1e6) - 0.01)
        field.setSpecialValueText("" if has_default else "as in the source")
        field.setSuffix({"degrees": "°", "millimetres": " mm"}.get(item.unit, ""))
    elif not (item.choices or item.common):
        field = QtWidgets.QLineEdit()
    else:
        field = QtWidgets.QComboBox(
            editable=bool(item.common),
            insertPolicy=QtWidgets.QComboBox.InsertPolicy.NoInsert,
            minimumContentsLength=MIN_BOX_CHARS,
        )
        policies = QtWidgets.QComboBox.SizeAdjustPolicy
        field.setSizeAdjustPolicy(policies.AdjustToMinimumContentsLengthWithIcon)
        for value in item.choices or item.common:
            field.addItem(option_words(item.name, value), value)
    field.setAccessibleName(option_label(item.name))
    field.setToolTip(item.help)
    field.setWhatsThis(item.help)
    put(field, item, item.default)
    return field


def put(field: Any, item: Option, value: Any) -> None:
    """Show a value in a field."""
    if item.type == "switch":
        field.setChecked(bool(value))
    elif item.type in NUMBERS:
        field.setValue(float(value or 0.0))
    elif isinstance(field, QtWidgets.QComboBox):
        place = field.findData(str(value))
        field.setCurrentIndex(place)
        if place < 0:
            field.setEditText(str(value))
    else:
        field.setText(str(value or ""))


def value_of(field: Any, item: Option) -> Any:
    """Value of a field."""
    if item.type == "switch":
        return bool(field.isChecked())
    if item.type in NUMBERS:
        number = NUMBERS[item.type](field.value())
        return None if item.default is None and number == 0 else number
    if not isinstance(field, QtWidgets.QComboBox):
        return field.text().strip() or item.default
    text = field.currentText().strip()
    place = field.findText(text)
    return str(field.itemData(place)) if place >= 0 else text or item.default


def form_of(fields: Mapping[str, Any]) -> QtWidgets.QFormLayout:
    """Form with a label for each field; `fields` are by option name."""
    form = QtWidgets.QFormLayout()
    form.setFieldGrowthPolicy(QtWidgets.QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    for name, field in fields.items():
        if option(name).type == "switch":
            form.addRow(field)  # a check box has its own label
            continue
        words = option(name).help
        label = QtWidgets.QLabel(option_label(name), toolTip=words, whatsThis=words)
        label.setBuddy(field)
        form.addRow(label, field)
    return form


GROUPS = {
    "estimate": (
        *("strictness", "pad_deg", "symmetry", "prior", "people"),
        *("orientation", "rest", "limit_root", "advise"),
    ),
    "shape": ("shape", "shape_pad_deg"),
    "scene": ("time", "bind"),
    "evaluation": ("play",),
    "write": ("replace", "lock_unmoved"),
    "project": ("softness_deg",),
    "tracks": ("marker_groups",),
    "bodies": ("body_root", "free_beyond_mm"),
    "chain": ("constrained",),
}
"""Options for estimating, fitting shapes, reading the scene, playing it, applying, projecting,
reading tracks, finding a skeleton in loose bodies, and building it in the scene."""
SCENE_GROUPS = ("scene", "evaluation", "write", "project", "chain")
SKELETON_GROUPS = ("tracks", "bodies", "chain")
MODE = {"mode": "standard"}
"""The window's dials edit rotate channels; limits measured in paper mode are read-only."""


class OptionsPanel(QtWidgets.QWidget):
    """Fields for options, with buttons to preview and to apply them."""

    def __init__(self, has_scene: bool) -> None:
        super().__init__()
        groups = [group for group in GROUPS if has_scene or group not in SCENE_GROUPS]
        names = [name for group in groups for name in GROUPS[group]]
        found = [name for group in groups if group in SKELETON_GROUPS for name in GROUPS[group]]
        self.fields: dict[str, Any] = {name: field_for(option(name)) for name in names}
        tip = "List what these options would change, without applying them."
        self.preview = QtWidgets.QPushButton("Preview", toolTip=tip)
        self.take = QtWidgets.QPushButton("Estimate with these")
        row = arrange(QtWidgets.QHBoxLayout(), None, self.preview, self.take)
        self._rows: list[QtWidgets.QBoxLayout] = []
        page = QtWidgets.QWidget()
        others = self._columns([name for name in names if name not in found])
        title = QtWidgets.QLabel("For the next skeleton from tracks:")
        arrange(QtWidgets.QVBoxLayout(page), others, title, self._columns(found), margin=0)
        no_frame = QtWidgets.QFrame.Shape.NoFrame
        area = QtWidgets.QScrollArea(widgetResizable=True, frameShape=no_frame)
        area.setWidget(page)
        arrange(QtWidgets.QVBoxLayout(self), (area, 1), row, margin=4)

    def _columns(self, names: Sequence[str]) -> QtWidgets.QBoxLayout:
        """Fields in two columns, or in one column in a narrow panel."""
        names = sorted(names, key=lambda name: option(name).type == "switch")  # check boxes last
        half = (len(names) + 1) // 2
        row = QtWidgets.QBoxLayout(QtWidgets.QBoxLayout.Direction.LeftToRight, spacing=16)
        self._rows.append(row)
        for part in (names[:half], names[half:]):
            row.addLayout(form_of({name: self.fields[name] for name in part}), 1)
        return row

    def resizeEvent(self, event: Any) -> None:
        """Arrange the fields for the new width."""
        super().resizeEvent(event)
        way = QtWidgets.QBoxLayout.Direction
        is_wide = event.size().width() >= MIN_TWO_COLUMNS_PIXELS
        for row in self._rows:
            row.setDirection(way.LeftToRight if is_wide else way.TopToBottom)

    def show_options(self, options: EstimateOptions) -> None:
        """Show the options of the document."""
        for name in GROUPS["estimate"]:
            put(self.fields[name], option(name), getattr(options, name))

    def values(self) -> dict[str, Any]:
        """Options for an estimate, in rotate channels."""
        return {**self.values_of("estimate"), **MODE}

    def values_of(self, *groups: str) -> dict[str, Any]:
        """Options of these groups; scene groups are left out if there is no scene."""
        names = [name for group in groups for name in GROUPS[group] if name in self.fields]
        return {name: value_of(self.fields[name], option(name)) for name in names}

    def scene_values(self) -> dict[str, Any]:
        """Options for reading the scene that differ from the defaults."""
        found = self.values_of("scene", "evaluation")
        return {name: value for name, value in found.items() if value != option(name).default}

    def chain_values(self) -> dict[str, Any]:
        """Options for finding a skeleton and building it in the scene."""
        time = {name: value for name, value in self.scene_values().items() if name == "time"}
        return {**self.values_of("bodies", "chain"), **time}
