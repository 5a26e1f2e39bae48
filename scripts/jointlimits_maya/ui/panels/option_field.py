"""Input fields for options, built from the option table."""

from __future__ import annotations

from typing import Any

from jointlimits_core.option_table import Option

from ..qt import QtWidgets
from ..words import option_help, option_label, option_words

LETTERS = 16
"""Minimum width of a field with words, which may be longer than the window has room for."""


def field_for(item: Option) -> QtWidgets.QWidget:
    """Field for an option: a check box, a choice, a number or text."""
    field = _bare_field(item)
    field.setAccessibleName(option_label(item.name))
    field.setToolTip(option_help(item.name))
    field.setWhatsThis(option_help(item.name))
    return field


def put(field: Any, item: Option, value: Any) -> None:
    """Show a value."""
    if item.type == "switch":
        field.setChecked(bool(value))
    elif item.type == "number":
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
    if item.type == "number":
        return float(field.value())
    if not isinstance(field, QtWidgets.QComboBox):
        return field.text().strip() or item.default
    text = field.currentText().strip()
    place = field.findText(text)
    return str(field.itemData(place)) if place >= 0 else text or item.default


def _bare_field(item: Option) -> QtWidgets.QWidget:
    if item.type == "switch":
        return QtWidgets.QCheckBox(option_label(item.name))
    if item.type == "number":
        number = QtWidgets.QDoubleSpinBox()
        number.setRange(item.minimum or 0.0, (item.below or item.maximum or 1e6) - 0.01)
        number.setSuffix({"degrees": "°", "millimetres": " mm"}.get(item.unit, ""))
        return number
    if not (item.choices or item.common):
        return QtWidgets.QLineEdit(str(item.default or ""))
    box = QtWidgets.QComboBox()
    box.setEditable(bool(item.common))
    box.setInsertPolicy(QtWidgets.QComboBox.InsertPolicy.NoInsert)
    box.setSizeAdjustPolicy(
        QtWidgets.QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
    )
    box.setMinimumContentsLength(LETTERS)
    for value in item.choices or item.common:
        box.addItem(option_words(item.name, value), value)
    put(box, item, item.default)
    return box
