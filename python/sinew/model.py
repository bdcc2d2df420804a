"""A model: from a file, a text or a dict, or built and changed part by part; compiled when it is used."""
from __future__ import annotations

import copy
import json
import math
import os
from pathlib import Path
from typing import Any, Mapping, Optional, Union

from ._engine import ffi, lib
from .document import Entries, as_kind, plain, read_yaml, to_yaml
from .errors import check, text
from .memory import new_context, own


class Part:
    """A part of a model with named entries; assigning a dict replaces all of them."""

    def __init__(self, doc: str):
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, model: "Model", owner: Optional[type] = None) -> Entries:
        if model is None:
            return self  # type: ignore[return-value]
        return Entries(self.name, model._editable().setdefault(self.name, {}))

    def __set__(self, model: "Model", entries: Mapping[str, Any]) -> None:
        new = Entries(self.name, {})
        new.update(entries)
        model._editable()[self.name] = new._entries


class Setting:
    """A part of a model without entries."""

    def __init__(self, default: Any, doc: str):
        self.default, self.__doc__ = default, doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, model: "Model", owner: Optional[type] = None) -> Any:
        if model is None:
            return self
        document = model._editable()
        if self.name not in document:
            return self.default
        value = document[self.name] = as_kind(self.name, document[self.name])
        return value

    def __set__(self, model: "Model", value: Any) -> None:
        plain(value)
        if value is None:
            model._editable().pop(self.name, None)
        else:
            model._editable()[self.name] = value


class Compiled:
    """A model of the engine, which does not change, with its context."""

    def __init__(self, name: str, source: str, overrides: Mapping[str, str]):
        self.context = new_context()
        sets = [ffi.new("char[]", f"{key}={value}".encode()) for key, value in overrides.items()]
        array = ffi.new("const char *[]", sets)
        made = ffi.new("sn_model **")
        data = source.encode(errors="surrogateescape")
        status = lib.sn_model_parse(self.context, os.fsencode(name), data, len(data), array, len(sets), made)
        check(self.context, status)
        self.pointer = own(made[0], lib.sn_model_free, self.context)
        self.outputs = self._outputs()
        self.inputs = self._inputs()

    def names(self, which: int) -> list[str]:
        return [text(lib.sn_model_name(self.pointer, which, i)) for i in range(lib.sn_model_count(self.pointer, which))]

    def _outputs(self) -> dict[str, dict[str, str]]:
        info = ffi.new("sn_output_info *")
        result = {}
        for i in range(lib.sn_model_count(self.pointer, lib.SN_LIST_OUTPUTS)):
            lib.sn_model_output(self.pointer, i, info)
            result[text(info.name)] = {text(info.column[k]): text(info.unit[k]) for k in range(info.columns)}
        return result

    def _inputs(self) -> dict[str, tuple[float, float]]:
        info = ffi.new("sn_input_info *")
        result = {}
        for i in range(lib.sn_model_count(self.pointer, lib.SN_LIST_INPUTS)):
            lib.sn_model_input(self.pointer, i, info)
            result[text(info.name)] = (info.low, info.high)
        return result


def _override(name: str, value: Any) -> str:
    """A parameter as text: a number, or an expression."""
    if isinstance(value, str):
        return value
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"parameter {name} is a number or an expression, not {value!r}") from None
    if not math.isfinite(number):
        raise ValueError(f"parameter {name} is {number}")
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


class Model:
    """A model, which may be changed. It is compiled when it is made and, after changes, when it is used next.

    source: path of a model file (.yaml), its text, or a dict with the keys of a model file, whose entries may be
        objects of the classes in ``sinew`` (``sinew.Cable(...)``). Without it, the model is empty.
    parameters: numbers or expressions in place of those of the file, ``Model("arm.yaml", E=2e8)``.

    Simulations are not affected by changes after they were made.
    """

    materials = Part("materials of bodies: ``sinew.Material``")
    sections = Part("cross-sections of cables and beams: ``sinew.CircleSection``, ...")
    bodies = Part("what moves: ``sinew.Cable``, ``sinew.Rigid``, ...")
    joints = Part("joints and drivers: ``sinew.Revolute``, ...")
    forces = Part("forces other than gravity: ``sinew.Spring``, ...")
    surfaces = Part("surfaces that touch: ``sinew.SphereSurface``, ...")
    contacts = Part("contact between surfaces: ``sinew.Contact``")
    outputs = Part("recorded quantities: ``sinew.Output(point=\"beam.end\")``; ``columns`` says what they contain")
    tables = Part("tabulated functions, for use in expressions: ``sinew.Table``")
    variables = Part("named formulas and differential equations: ``sinew.Variable``")
    inputs = Part("values that a program sets while a simulation runs: ``sinew.Input``; ``limits`` gives their ranges")
    controllers = Part("continuous or sampled controllers: ``sinew.Pid``, ...")
    parameters = Part("named numbers, or expressions: ``m.parameters[\"E\"] = 2e8``")
    title = Setting("", "title of the model")
    gravity = Setting([0, 0, 0], "gravitational acceleration [m/s2]")
    planar = Setting(False, "a model in the x-y plane?")
    keep = Setting([], "coordinates that keep their values at the start")
    analysis = Setting(None, "``sinew.Dynamics(duration=1)``, another analysis, or a list of them")

    def __init__(self, source: Union[str, os.PathLike, Mapping[str, Any], None] = None, **parameters: Any):
        self._name = "model"
        self._text: Optional[str] = None  # of a file; the document is read from it when it is needed
        self._document: Optional[dict[str, Any]] = None
        self._overrides = {name: _override(name, value) for name, value in parameters.items()}
        self._compiled: Optional[Compiled] = None
        self._key: Any = None  # what was compiled
        if source is None:
            self._document = {}
            self._apply(dict(self._overrides))
            return
        if isinstance(source, Mapping):
            plain(source)
            parts = {key: dict(value) if isinstance(value, Mapping) else value for key, value in source.items()}
            self._document = copy.deepcopy(parts)
            self._document.pop("sinew", None)
            self._settle()
        else:
            path = os.fspath(source)
            if not isinstance(path, str):
                raise TypeError(f"a model is made of a path, a text or a dict, not {type(source).__name__}")
            if not path.strip():
                raise ValueError("the path or text of the model is empty")
            if "\n" in path or path.lstrip().startswith("{"):
                self._name, self._text = "text", path
            else:
                self._name, self._text = path, Path(path).read_text(encoding="utf-8", errors="surrogateescape")
        self.compile()

    # ---- the document ----

    def _settle(self) -> None:
        """Parameters that the document has are written into it; others override inputs."""
        assert self._document is not None
        named = self._document.get("parameters") or {}
        self._apply({name: value for name, value in self._overrides.items() if name in named})

    def _apply(self, given: Mapping[str, str]) -> None:
        assert self._document is not None
        for name, value in given.items():
            try:
                number: Any = json.loads(value)
            except ValueError:
                number = value
            self._document.setdefault("parameters", {})[name] = number
            del self._overrides[name]

    def _editable(self) -> dict[str, Any]:
        """The document, from here on the source of the model."""
        if self._document is None:
            assert self._text is not None
            self._document = read_yaml(self._text)
            self._document.pop("sinew", None)
            self._settle()
            self._key = self._state()  # the same model
        return self._document

    def _state(self) -> tuple[dict[str, Any], list[list[str]]]:
        """What the document says, and the order of its names, which numbers of bodies and outputs follow."""
        assert self._document is not None
        parts = {key: value for key, value in plain(self._document).items() if value != {}}
        return parts, [list(part) for key, part in parts.items() if key != "analysis" and isinstance(part, dict)]

    def compile(self) -> None:
        """Read and check the model now. Raises ``ModelError`` with the place and what was expected."""
        if self._document is None:
            assert self._text is not None
            if self._compiled is None:
                self._compiled = Compiled(self._name, self._text, self._overrides)
            return
        state = self._state()
        if self._compiled is None or state != self._key:
            name = self._name if self._text is None else f"{self._name} (changed)"  # places are those of to_yaml()
            self._compiled, self._key = Compiled(name, to_yaml(self._document), self._overrides), state

    def _engine(self) -> Compiled:
        self.compile()
        assert self._compiled is not None
        return self._compiled

    def to_dict(self) -> dict[str, Any]:
        """The model as a dict with the keys of a model file, of plain values."""
        return {"sinew": 1, **plain(self._editable())}

    def to_yaml(self) -> str:
        """The model as the text of a model file. Comments of the file it was read from are not in it."""
        return to_yaml(self._editable())

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Write a model file."""
        Path(path).write_text(self.to_yaml(), encoding="utf-8")

    def copy(self) -> "Model":
        """Another model, equal to this one, that may be changed without it."""
        return self.variant()

    def variant(self, **parameters: Any) -> "Model":
        """A copy with other parameters: ``m.variant(E=2e8)``."""
        new = Model.__new__(Model)
        new.__setstate__(self.__getstate__())
        if not parameters:
            new._compiled, new._key = self._compiled, self._key
        new._overrides.update({name: _override(name, value) for name, value in parameters.items()})
        if new._document is not None:
            new._settle()
        return new

    def __getstate__(self) -> dict[str, Any]:
        document = None if self._document is None else plain(self._document)
        return {"name": self._name, "text": self._text, "document": document, "overrides": dict(self._overrides)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._name, self._text = state["name"], state["text"]
        self._document, self._overrides = copy.deepcopy(state["document"]), dict(state["overrides"])
        self._compiled = self._key = None

    # ---- what the compiled model has ----

    @property
    def columns(self) -> dict[str, dict[str, str]]:
        """Of each output its columns and their units: ``{"tip": {"x": "m", ...}}``. Variables and inputs are outputs too."""
        return {name: dict(columns) for name, columns in self._engine().outputs.items()}

    @property
    def limits(self) -> dict[str, tuple[float, float]]:
        """Of each input the range that may be set."""
        return dict(self._engine().inputs)

    @property
    def size(self) -> int:
        """Number of coordinates."""
        return lib.sn_model_coordinates(self._engine().pointer)

    def coordinates(self, body: str) -> slice:
        """Where the coordinates of a body are in ``Simulation.q`` and ``v``."""
        engine = self._engine()
        number = lib.sn_model_find(engine.pointer, lib.SN_LIST_BODIES, body.encode())
        if number < 0:
            known = ", ".join(engine.names(lib.SN_LIST_BODIES))
            raise KeyError(f"the model has no body '{body}'; it has {known}")
        info = ffi.new("sn_body_info *")
        lib.sn_model_body(engine.pointer, number, info)
        return slice(info.first, info.first + info.count)

    def __repr__(self) -> str:
        if self._compiled is None:
            return f"<sinew.Model {self._name}, not compiled>"
        names = ", ".join(self._compiled.names(lib.SN_LIST_BODIES))
        return f"<sinew.Model: {names}; {lib.sn_model_coordinates(self._compiled.pointer)} coordinates>"


def as_model(source: Any, **parameters: Any) -> Model:
    """A model, or what one is made of, with parameters."""
    if isinstance(source, Model):
        return source.variant(**parameters) if parameters else source
    return Model(source, **parameters)
