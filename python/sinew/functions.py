"""Functions of a program that a simulation calls: forces, controllers, ends of steps; forces at markers; linear models."""
from __future__ import annotations

import math
import weakref
from typing import Any, Callable, NamedTuple, Optional

import numpy as np

from ._engine import ffi, lib
from .errors import check, text
from .memory import own, view


class LinearModel(NamedTuple):
    """x' = A x + B u, y = C x + D u about a state; x: changes of independent coordinates, then their rates."""

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    eigenvalues: np.ndarray
    states: list[str]
    inputs: list[str]
    outputs: list[str]


class EventRecord(NamedTuple):
    """An event that has happened."""

    time: float
    name: str
    direction: int
    """+1: its expression rises, -1: it falls"""
    impulse: float
    """of the first joint that it locks, N m s or N s"""
    energy: float
    """change of the energy of the model, J"""


class _Call:
    """A function and the simulation that calls it, which keeps it alive."""

    def __init__(self, owner: Any, function: Callable, arguments: int = 0):
        self.owner, self.function, self.arguments = weakref.ref(owner), function, arguments


def _failed(kind: Any, error: BaseException, traceback: Any) -> None:
    """What a function raised is kept until the engine has ended its call, which then raises it."""
    owner = ffi.from_handle(traceback.tb_frame.f_locals["user"]).owner()
    if owner is not None:
        owner._raised = error


@ffi.def_extern(error=1, onerror=_failed)
def sinew_input(user: Any, t: float, x: Any, value: Any, derivative: Any) -> int:
    call = ffi.from_handle(user)
    result = call.function(t, *x[0 : call.arguments])
    if isinstance(result, tuple):
        result, slopes = result
        if len(slopes) != call.arguments:
            raise ValueError(f"a function of {call.arguments} arguments returned {len(slopes)} derivatives")
        for i, slope in enumerate(slopes):
            derivative[i] = slope
    value[0] = result
    return 0


@ffi.def_extern(error=1, onerror=_failed)
def sinew_constraint(user: Any, t: float, x: Any, value: Any, first: Any, second: Any) -> int:
    call = ffi.from_handle(user)
    result = call.function(t, *x[0 : call.arguments])
    n = call.arguments + 1
    if isinstance(result, tuple):
        result, *more = result
        for target, given, shape in zip((first, second), more, ((n,), (n, n))):
            numbers = np.asarray(given, dtype=float)
            if numbers.shape != shape:
                raise ValueError(f"derivatives of a constraint of t and {n - 1} coordinates have the shape {shape}, not {numbers.shape}")
            for i, number in enumerate(numbers.flat):
                target[i] = number
    value[0] = result
    return 0


@ffi.def_extern(error=1, onerror=_failed)
def sinew_between(user: Any, simulation: Any) -> int:
    call = ffi.from_handle(user)
    call.function(call.owner())
    return 0


@ffi.def_extern(error=1, onerror=_failed)
def sinew_event(user: Any, simulation: Any, event: Any) -> int:
    call = ffi.from_handle(user)
    owner = call.owner()
    call.function(owner, owner._event(event))
    return 0


class Functions:
    """What a Simulation has besides its steps."""

    _pointer: Any
    _context: Any
    _compiled: Any
    model: Any
    inputs: Any
    _raised: Optional[BaseException] = None

    def _fail(self, status: int) -> None:
        """Raise what a function of the program has raised, else what the status means."""
        error, self._raised = self._raised, None
        if error is not None:
            raise error
        check(self._context, status)

    def _keep(self, key: Any, function: Callable, arguments: int = 0) -> Any:
        """A handle of a function, which lives as long as the simulation, or until another takes its place."""
        if not callable(function):
            raise TypeError(f"a function is expected, not {function!r}")
        handle = ffi.new_handle(_Call(self, function, arguments))
        self.__dict__.setdefault("_kept", {})[key] = handle
        return handle

    def set_function(self, name: str, function: Optional[Callable]) -> None:
        """An input as a function of the motion: a force of the program, evaluated within the steps of every method.

        name: an input with a field ``of``, the arguments: ``sinew.Input(of=["hinge.angle", "hinge.rate"])``.
        function: ``f(t, *arguments)`` returns a number, or (number, derivatives with respect to the arguments); without
            them they are found by differences. It must depend on its arguments alone, and smoothly. None: no function.

        A value that was set by ``inputs`` comes before the function. Where it has no value it may return NaN: the step is
        tried again shorter. What it raises ends the step and is raised there."""
        number = self.inputs._number(name)
        if function is None:
            self._fail(lib.sn_set_input_function(self._pointer, number, ffi.NULL, ffi.NULL))
            return
        entry = self.model.inputs[name]
        of = (entry.get("of") if isinstance(entry, dict) else entry.of) or []
        handle = self._keep(name, function, len(of) if isinstance(of, (list, tuple)) else 1)
        self._fail(lib.sn_set_input_function(self._pointer, number, lib.sinew_input, handle))

    def set_constraint(self, name: str, function: Optional[Callable]) -> None:
        """A constraint between coordinates of joints as a function that stays zero, in every method.

        name: a joint ``sinew.Constraint(joints=["hinge", "slide"])``.
        function: ``f(t, *coordinates)`` returns a number, or (number, first derivatives with respect to t and the
            coordinates), or (number, first, second derivatives as a matrix); those that are missing, or NaN, are found by
            differences. None: the ``equation`` of the model again.

        The state is projected onto the constraints. A simulation that is to be restored from a snapshot of another one has
        its function set before."""
        number = lib.sn_model_find(self._compiled.pointer, lib.SN_LIST_JOINTS, name.encode())
        if number < 0:
            raise KeyError(f"the model has no joint '{name}'")
        if function is None:
            self._fail(lib.sn_set_constraint_function(self._pointer, number, ffi.NULL, ffi.NULL))
            return
        entry = self.model.joints[name]
        joints = (entry.get("joints") if isinstance(entry, dict) else getattr(entry, "joints", None)) or []
        before = self.__dict__.get("_kept", {}).get(("constraint", name))
        handle = self._keep(("constraint", name), function, len(joints) if isinstance(joints, (list, tuple)) else 1)
        try:
            self._fail(lib.sn_set_constraint_function(self._pointer, number, lib.sinew_constraint, handle))
        except BaseException:  # the former one goes on
            self._kept[("constraint", name)] = before
            raise

    def on_sample(self, period: float, function: Optional[Callable[[Any], Any]]) -> None:
        """A controller: ``function(simulation)`` is called at t = k period, where steps end exactly, also in ``run`` and
        ``record``. It may read the simulation, set inputs and apply forces. None: no controllers any more."""
        if function is None:
            self._fail(lib.sn_on_sample(self._pointer, 1.0, ffi.NULL, ffi.NULL))
            return
        if not (math.isfinite(period) and period > 0):
            raise ValueError(f"period is {period}: it must be a positive number")
        handle = self._keep(object(), function)
        self._fail(lib.sn_on_sample(self._pointer, period, lib.sinew_between, handle))

    def on_step(self, function: Optional[Callable[[Any], Any]]) -> None:
        """``function(simulation)`` is called at the end of every step, for events and records. None: none any more."""
        if function is None:
            self._fail(lib.sn_on_step(self._pointer, ffi.NULL, ffi.NULL))
            return
        self._fail(lib.sn_on_step(self._pointer, lib.sinew_between, self._keep(0, function)))

    def _event(self, x: Any) -> EventRecord:
        name = text(lib.sn_model_name(self._compiled.pointer, lib.SN_LIST_EVENTS, x.event))
        return EventRecord(x.t, name, x.direction, x.impulse, x.energy)

    def on_event(self, function: Optional[Callable[[Any, EventRecord], Any]]) -> None:
        """``function(simulation, event)`` is called when an event of the model has happened, before any time passes. It may
        read the simulation, set inputs and apply forces. None: none any more.

        An event written in Python: ``inputs: {g: {of: [tip.x, tip.y]}}``, ``events: {passes: {when: g}}``,
        ``set_function("g", lambda t, x, y: ...)``."""
        if function is None:
            self._fail(lib.sn_on_event(self._pointer, ffi.NULL, ffi.NULL))
            return
        self._fail(lib.sn_on_event(self._pointer, lib.sinew_event, self._keep(1, function)))

    @property
    def events(self) -> list[EventRecord]:
        """Those that have happened so far, the first 10,000."""
        count = ffi.new("size_t *")
        self._fail(lib.sn_read_events(self._pointer, ffi.NULL, 0, count))
        list_ = ffi.new("sn_event_info[]", max(count[0], 1))
        self._fail(lib.sn_read_events(self._pointer, list_, count[0], count))
        return [self._event(list_[i]) for i in range(count[0])]

    def _marker(self, marker: str) -> int:
        numbers = self.__dict__.setdefault("_markers", {})
        if marker not in numbers:
            number = ffi.new("size_t *")
            self._fail(lib.sn_find_marker(self._pointer, marker.encode(), number))
            numbers[marker] = number[0]
        return numbers[marker]

    def motion(self, marker: str) -> tuple[np.ndarray, np.ndarray]:
        """Position [m] and velocity [m/s] of a marker, written as in a model file: ``motion("beam.end")``."""
        values = np.empty(6)
        pointer = ffi.cast("double *", ffi.from_buffer(values))
        self._fail(lib.sn_marker_motion(self._pointer, self._marker(marker), pointer, pointer + 3))
        return values[:3], values[3:]

    def apply_force(self, marker: str, force: Any = (0, 0, 0), moment: Any = (0, 0, 0)) -> None:
        """Force [N] and moment [N m] at a marker, in global axes, from now on until the next call."""
        given = np.array([force, moment], dtype=float)
        if given.shape != (2, 3):
            raise ValueError("a force and a moment have three components each")
        pointer = ffi.cast("double *", ffi.from_buffer(given))
        self._fail(lib.sn_apply_force(self._pointer, self._marker(marker), pointer, pointer + 3))

    def linearize(self) -> LinearModel:
        """State-space matrices about the present state, with its inputs and outputs."""
        made = ffi.new("sn_simulation **")
        self._fail(lib.sn_analyze(self._pointer, b"{type: linearize}", made))
        found = own(made[0], lib.sn_simulation_free, self._pointer)
        info = ffi.new("sn_linear_info *")
        self._fail(lib.sn_linear_model(found, info))
        n, m, p = info.states, info.inputs, info.outputs

        def matrix(pointer: Any, rows: int, columns: int) -> np.ndarray:
            return view(pointer, rows * columns, found).reshape(rows, columns).copy()

        eigenvalues = view(info.re, n, found) + 1j * view(info.im, n, found)
        names = [[text(names[i]) for i in range(count)] for names, count in ((info.state, n), (info.input, m), (info.output, p))]
        return LinearModel(matrix(info.A, n, n), matrix(info.B, n, m), matrix(info.C, p, n), matrix(info.D, p, m),
                           eigenvalues, *names)  # fmt: skip
