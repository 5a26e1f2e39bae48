"""How the estimate is made: the options that artists need, as the option table declares them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.option_table import Option, option

from ..qt import QtWidgets, Signal
from ..words import option_help, option_label, tr

SHOWN = ("strictness", "pad_deg", "symmetry", "prior", "frame", "rest", "limit_root", "advise")
MODE = {"mode": "standard"}
"""The window's dials turn rotate channels; limits of the paper's mode are for reading only."""
SCENE = ("time", "bind")
"""Which frames of the scene are looked at, and where its rest pose comes from."""
WRITE = ("replace",)
"""What Apply may do."""
SHAPE = ("shape", "shape_pad_deg")
"""Which shapes are fitted."""
PROJECT = ("softness_deg",)
"""How joints are kept inside them."""


class OptionsPanel(QtWidgets.QWidget):
    """Fields for options; they count once a button is pressed."""

    preview_asked = Signal(object)
    taken = Signal(object)

    def __init__(self, has_scene: bool, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        form = QtWidgets.QFormLayout()
        self.fields: dict[str, Any] = {}
        for name in (*SHOWN, *SHAPE, *((*SCENE, *WRITE, *PROJECT) if has_scene else ())):
            self.fields[name] = _field(option(name))
            label = QtWidgets.QLabel(option_label(name))
            label.setBuddy(self.fields[name])
            for part in (label, self.fields[name]):
                part.setToolTip(option_help(name))
                part.setWhatsThis(option_help(name))
            form.addRow(label, self.fields[name])
        for name in (*SHAPE, *PROJECT):
            if name in self.fields:
                _put(self.fields[name], option(name), option(name).default)
        self.preview = QtWidgets.QPushButton(tr("Preview"))
        self.preview.setToolTip(tr("List what these options would change; nothing is changed."))
        self.take = QtWidgets.QPushButton(tr("Estimate with these"))
        self.preview.clicked.connect(self._on_preview)
        self.take.clicked.connect(self._on_take)
        row = QtWidgets.QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.preview)
        row.addWidget(self.take)
        column = QtWidgets.QVBoxLayout(self)
        column.addLayout(form)
        column.addLayout(row)
        column.addStretch(1)

    def show_options(self, options: EstimateOptions) -> None:
        """Show the options of the document."""
        for name in SHOWN:
            _put(self.fields[name], option(name), getattr(options, name))

    def values(self) -> dict[str, Any]:
        """Options of the estimate as the fields have them, in rotate channels."""
        return {**{name: _value(self.fields[name], option(name)) for name in SHOWN}, **MODE}

    def scene_values(self) -> Mapping[str, Any]:
        """Options of reading the scene, those that are not as by default."""
        found = {n: _value(self.fields[n], option(n)) for n in SCENE if n in self.fields}
        return {name: value for name, value in found.items() if value != option(name).default}

    def shape_values(self) -> dict[str, Any]:
        """Options of fitting shapes."""
        return {name: _value(self.fields[name], option(name)) for name in SHAPE}

    def project_values(self) -> dict[str, Any]:
        """Options of keeping joints and keys inside; none without a scene."""
        return {n: _value(self.fields[n], option(n)) for n in PROJECT if n in self.fields}

    @property
    def may_replace(self) -> bool:
        """Whether Apply may replace limits that somebody else wrote."""
        return "replace" in self.fields and bool(self.fields["replace"].isChecked())

    def _on_preview(self) -> None:
        self.preview_asked.emit(self.values())

    def _on_take(self) -> None:
        self.taken.emit(self.values())


def _field(item: Option) -> QtWidgets.QWidget:
    if item.type == "switch":
        return QtWidgets.QCheckBox()
    if item.choices:
        box = QtWidgets.QComboBox()
        box.addItems(list(item.choices))
        return box
    if item.type == "number":
        number = QtWidgets.QDoubleSpinBox()
        number.setRange(item.minimum or 0.0, (item.below or item.maximum or 1e6) - 0.01)
        number.setSuffix("°" if item.unit == "degrees" else "")
        return number
    return QtWidgets.QLineEdit(str(item.default or ""))


def _put(field: Any, item: Option, value: Any) -> None:
    if item.type == "switch":
        field.setChecked(bool(value))
    elif item.choices:
        field.setCurrentIndex(max(field.findText(str(value)), 0))
    elif item.type == "number":
        field.setValue(float(value or 0.0))
    else:
        field.setText(str(value or ""))


def _value(field: Any, item: Option) -> Any:
    if item.type == "switch":
        return bool(field.isChecked())
    if item.choices:
        return field.currentText()
    if item.type == "number":
        return float(field.value())
    return field.text().strip() or item.default
