"""What the classes of kinds.py share: fields, as a dict for a model."""
from __future__ import annotations

from typing import Any


class Kind:
    """A thing in a model; its fields are attributes, and None stands for the default."""

    _category = _type = ""

    def __init__(self, fields: dict[str, Any] | None = None):
        self._fields = [name for name in fields or {} if name not in ("self", "__class__")]
        for name in self._fields:
            setattr(self, name, fields[name])

    def to_dict(self) -> dict[str, Any]:
        """As an entry of a model file."""
        entry: dict[str, Any] = {"type": self._type}
        for name in self._fields:
            value = getattr(self, name)
            if value is not None:
                entry[name.rstrip("_")] = value
        return entry

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields if getattr(self, name) is not None)
        return f"{type(self).__name__}({given})"
