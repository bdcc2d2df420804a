"""What the classes of kinds.py share: fields, as a dict for a model."""
from __future__ import annotations

import difflib
from typing import Any, Mapping, Optional


class Kind:
    """A thing in a model; its fields are attributes, and None stands for the default."""

    _category = _type = ""
    _fields: tuple[str, ...] = ()

    def __init__(self, fields: Optional[Mapping[str, Any]] = None):
        given = {name: value for name, value in (fields or {}).items() if name not in ("self", "__class__")}
        object.__setattr__(self, "_fields", tuple(given))
        self.__dict__.update(given)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._fields:
            near = difflib.get_close_matches(name, self._fields, 1)
            hint = f"; did you mean '{near[0]}'?" if near else f"; its fields are {', '.join(self._fields) or 'none'}"
            raise AttributeError(f"a {type(self).__name__} has no field '{name}'{hint}")
        object.__setattr__(self, name, value)

    def to_dict(self) -> dict[str, Any]:
        """As an entry of a model file."""
        untyped = ("contact", "input", "material", "output", "table", "variable")
        entry: dict[str, Any] = {} if self._type == self._category in untyped else {"type": self._type}
        for name in self._fields:
            value = getattr(self, name)
            if value is not None:
                entry[name.rstrip("_")] = value
        return entry

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kind) and type(self) is type(other) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]  # its fields may change

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields if getattr(self, name) is not None)
        return f"{type(self).__name__}({given})"
