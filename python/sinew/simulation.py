"""A model in motion."""
from __future__ import annotations

import json
import math
import os
import re
import threading
from collections import namedtuple
from typing import Any, Callable, Iterator, Mapping, MutableMapping, NamedTuple, NoReturn, Optional, Union

import numpy as np

from ._engine import ffi, lib
from .document import plain
from .errors import InputError, check, text
from .functions import Functions
from .kind import Kind
from .memory import new_context, own, view
from .model import Model, as_model
from .result import Result


class Snapshot:
    """The whole state of a simulation, with its inputs, from which it, or another one of the same model, continues bit by bit."""

    def __init__(self, pointer: Any, simulation: Any, inputs: dict[str, float]):
        self._pointer = own(pointer, lib.sn_snapshot_free, simulation)
        self._inputs = inputs


class Inputs(MutableMapping[str, float]):
    """Inputs of a simulation by name. One that was not set, or was deleted, has its default and reads as NaN. NaN cannot
    be set: what a controller made of 0/0 would otherwise pass for the default."""

    def __init__(self, simulation: "Simulation"):
        self._simulation = simulation
        self._numbers = {name: i for i, name in enumerate(simulation._compiled.inputs)}
        self._values = dict.fromkeys(self._numbers, math.nan)

    def _number(self, name: str) -> int:
        try:
            return self._numbers[name]
        except KeyError:
            known = ", ".join(self._numbers) or "none"
            raise KeyError(f"the model has no input '{name}'; it has {known}") from None

    def __setitem__(self, name: str, value: float) -> None:
        number = self._number(name)
        if math.isnan(value):
            remedy = f"its default returns with: del simulation.inputs['{name}']"
            raise InputError(f"input '{name}' cannot be nan; {remedy}", lib.SN_USAGE)
        self._set(number, name, value)

    def _set(self, number: int, name: str, value: float) -> None:
        simulation = self._simulation
        simulation._fail(lib.sn_set_input(simulation._pointer, number, value))
        self._values[name] = float(value)

    def __getitem__(self, name: str) -> float:
        self._number(name)
        return self._values[name]

    def __delitem__(self, name: str) -> None:
        self._set(self._number(name), name, math.nan)

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


def _progress_failed(kind: Any, error: BaseException, traceback: Any) -> None:
    """What was raised, also by Ctrl-C on the way into the function: the run ends, then it is raised again."""
    owner = ffi.from_handle(traceback.tb_frame.f_locals["user"])
    owner._raised = error
    lib.sn_interrupt(owner._context)


@ffi.def_extern(onerror=_progress_failed)
def sinew_progress(user: Any, simulation: Any) -> None:
    owner = ffi.from_handle(user)
    owner._report(owner)


def _nothing(simulation: "Simulation") -> None:
    """Progress that is not reported; signals are handled where it is called."""


class Options:
    """sn_options with the texts that they point to."""

    def __init__(self, pointer: Any, kept: Any):
        self.pointer, self.kept = pointer, kept


def make_options(integrator: Union[str, Mapping, None] = None, tolerance: Optional[float] = None,
                 step: Optional[float] = None, until: Optional[float] = None, threads: int = 1) -> Options:  # fmt: skip
    """Options of the engine, checked: None keeps the value of the model, which the engine calls 0."""
    for name, value in (("tolerance", tolerance), ("step", step), ("until", until)):
        if value is not None and not (math.isfinite(value) and value > 0):
            raise ValueError(f"{name} is {value}: it must be a positive number")
    if tolerance is not None and step is not None:
        raise ValueError("step (fixed) and tolerance (adaptive) exclude each other")
    if not (isinstance(threads, int) and 1 <= threads <= 1024):
        raise ValueError(f"threads is {threads}: it must be between 1 and 1024")
    options = ffi.new("sn_options *")
    if isinstance(integrator, (Kind, Mapping)):
        integrator = json.dumps(plain(integrator))
    kept = ffi.new("char[]", integrator.encode()) if integrator else ffi.NULL
    options.integrator = kept
    options.tolerance, options.step, options.until, options.threads = tolerance or 0, step or 0, until or 0, threads
    return Options(options, kept)


def _values_class(output: str, columns: list[str]) -> Any:
    """A named tuple for the columns of an output, which says what there is when another one is asked for."""

    def missing(self: Any, column: str) -> NoReturn:
        raise AttributeError(f"the output '{output}' has no column '{column}'; it has {', '.join(columns)}")

    names = [re.sub(r"\W", "_", column) for column in columns]
    base = namedtuple("Values", names, rename=True)  # type: ignore[misc]
    return type("Values", (base,), {"__slots__": (), "__getattr__": missing})


class BodyState(NamedTuple):
    """Coordinates of a body, with their rates, at the end of the last step."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray


class _Alone:
    """Calls release the interpreter's lock, so that two threads could be in one simulation. Its functions may call it."""

    def __init__(self) -> None:
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("another thread uses this simulation, which belongs to one thread at a time")

    def __exit__(self, *_: Any) -> None:
        self._lock.release()


class Simulation(Functions):
    """A simulation of a model, in steps.

    model: a Model, or what one is made of.
    integrator: name of an integrator, or a dict ``{"type": "radau", ...}``; default: that of the model.
    tolerance, step: its accuracy, or its fixed step [s]; default: those of the model.
    until: end time [s]; default: that of the model.
    threads: that evaluate the equations.
    parameters: in place of those of the model.
    """

    def __init__(self, model: Any, *, integrator: Union[str, Mapping, None] = None,
                 tolerance: Optional[float] = None, step: Optional[float] = None, until: Optional[float] = None,
                 threads: int = 1, **parameters: Any):  # fmt: skip
        self.model: Model = as_model(model, **parameters)
        self._compiled = self.model._engine()
        self._context = new_context()
        options = make_options(integrator, tolerance, step, until, threads)
        options.pointer.context = self._context
        made = ffi.new("sn_simulation **")
        status = lib.sn_simulation_create(self._compiled.pointer, options.pointer, made)
        if status and not text(lib.sn_message(self._context)):
            check(self._compiled.context, status)
        check(self._context, status)
        self._pointer = own(made[0], lib.sn_simulation_free, self._compiled.pointer, self._context)
        self._outputs: dict[str, tuple[int, Callable, Any]] = {}
        for number, (name, columns) in enumerate(self._compiled.outputs.items()):
            self._outputs[name] = (number, _values_class(name, list(columns))._make, ffi.new("double[]", len(columns)))
        self._n = lib.sn_model_coordinates(self._compiled.pointer)
        self._m = lib.sn_model_constraints(self._compiled.pointer)
        self.inputs = Inputs(self)
        self._report: Callable[["Simulation"], None] = _nothing
        self._raised: Optional[BaseException] = None
        self._alone = _Alone()

    def close(self) -> None:
        """Free its memory now, or when the last view of its state is gone. It cannot be used any more."""
        self.__dict__.pop("_pointer", None)

    def __getattr__(self, name: str) -> NoReturn:
        if name == "_pointer":
            raise ValueError("the simulation is closed")
        raise AttributeError(f"a Simulation has no attribute '{name}'")

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    @property
    def time(self) -> float:
        """Time at the end of the last step [s]."""
        return lib.sn_time(self._pointer)

    @property
    def finished(self) -> bool:
        """Is everything done that the analysis of the model says?"""
        return bool(lib.sn_finished(self._pointer))

    @property
    def q(self) -> np.ndarray:
        """Positions at the end of the last step: a view, valid until the next one."""
        return view(lib.sn_positions(self._pointer), self._n, self._pointer)

    @property
    def v(self) -> np.ndarray:
        """Velocities; as ``q``."""
        return view(lib.sn_velocities(self._pointer), self._n, self._pointer)

    @property
    def a(self) -> np.ndarray:
        """Accelerations; as ``q``."""
        return view(lib.sn_accelerations(self._pointer), self._n, self._pointer)

    @property
    def multipliers(self) -> np.ndarray:
        """Lagrange multipliers of the constraints; as ``q``."""
        return view(lib.sn_multipliers(self._pointer), self._m, self._pointer)

    def body(self, name: str) -> BodyState:
        """Coordinates of one body, views of ``q``, ``v`` and ``a``."""
        number = lib.sn_model_find(self._compiled.pointer, lib.SN_LIST_BODIES, name.encode())
        if number < 0:
            raise KeyError(f"the model has no body '{name}'; it has {', '.join(self.model.bodies) or 'none'}")
        info = ffi.new("sn_body_info *")
        self._fail(lib.sn_model_body(self._compiled.pointer, number, info))
        its = slice(info.first, info.first + info.count)
        return BodyState(self.q[its], self.v[its], self.a[its])

    def step(self) -> None:
        """One step, as long as the method chooses."""
        with self._alone:
            status = lib.sn_step(self._pointer)
            if status:
                self._fail(status)

    def advance(self, time: float, exact: bool = True) -> None:
        """Steps up to ``time``: the last one ends there exactly; ``exact=False``: none is shortened, and ``read(name,
        time)`` gives outputs at that time by the method's own polynomial."""
        with self._alone:
            status = (lib.sn_advance if exact else lib.sn_advance_over)(self._pointer, time)
            if status:
                self._fail(status)

    def run(self) -> None:
        """All that is left of the analysis of the model, without a result file."""
        with self._alone:
            self._fail(lib.sn_run(self._pointer))

    def read(self, name: str, time: Optional[float] = None) -> Any:
        """An output as a named tuple, at the end of the last step or at a time within it: ``read("tip").x``."""
        try:
            number, make, values = self._outputs[name]
        except KeyError:
            raise KeyError(f"the model has no output '{name}'; it has {', '.join(self._outputs) or 'none'}") from None
        with self._alone:
            if time is None:
                status = lib.sn_read_output(self._pointer, number, values)
            else:
                status = lib.sn_read_output_at(self._pointer, number, time, values)
            if status:
                self._fail(status)
            return make(values)

    __getitem__ = read

    @property
    def energy(self) -> dict[str, float]:
        """Energies and works at the end of the last step [J]."""
        values = ffi.new("double[]", lib.SN_ENERGY_COUNT)
        with self._alone:
            self._fail(lib.sn_energies(self._pointer, values))
        return {text(lib.sn_energy_name(i)): values[i] for i in range(lib.SN_ENERGY_COUNT)}

    def set_state(self, q: Any = None, v: Any = None) -> None:
        """Another state at the present time. It is projected onto the constraints; energies are counted from here."""
        pointers = []
        for x in (q, v):
            if x is None:
                pointers.append(ffi.NULL)
                continue
            x = np.ascontiguousarray(x, dtype=float)
            if x.shape != (self._n,):
                raise ValueError(f"a state has {self._n} coordinates; the array has the shape {x.shape}")
            pointers.append(ffi.from_buffer("double[]", x))
        with self._alone:
            self._fail(lib.sn_set_state(self._pointer, *pointers))

    def snapshot(self) -> Snapshot:
        """The state in memory, for ``restore``."""
        made = ffi.new("sn_snapshot **")
        with self._alone:
            self._fail(lib.sn_snapshot_take(self._pointer, made))
        return Snapshot(made[0], self._pointer, dict(self.inputs._values))

    def restore(self, snapshot: Snapshot) -> None:
        """Continue from a snapshot, bit by bit."""
        if not isinstance(snapshot, Snapshot):
            raise TypeError(f"a simulation is restored from a Snapshot, not from {type(snapshot).__name__}")
        with self._alone:
            self._fail(lib.sn_snapshot_restore(self._pointer, snapshot._pointer))
        self.inputs._values = dict(snapshot._inputs)

    def record(self, path: Union[str, os.PathLike], progress: Optional[Callable[["Simulation"], None]] = None) -> Result:
        """Run all that is left, into a result file. progress: called after every step; what it raises ends the run, whose
        rows are then in the file."""
        self._report, self._raised = progress or _nothing, None
        handle = ffi.new_handle(self)
        main = threading.current_thread() is threading.main_thread()  # which gets the signals: Ctrl-C ends the run
        function = lib.sinew_progress if progress or main else ffi.NULL
        with self._alone:
            status = lib.sn_record_run(self._pointer, os.fsencode(path), function, handle)
            if self._raised:
                lib.sn_clear_interrupt(self._context)
            self._fail(status)
        return Result(path)

    @property
    def frequencies(self) -> np.ndarray:
        """Natural frequencies [Hz] that an analysis of modes has found."""
        count = lib.sn_read(self._pointer, b"modes", ffi.NULL, 0)
        values = np.empty(count)
        if count:
            lib.sn_read(self._pointer, b"modes", ffi.cast("double *", ffi.from_buffer(values)), count)
        return values

    @property
    def verdict(self) -> str:
        """Of the run so far: good, doubtful or bad."""
        return text(lib.sn_verdict_word(self._pointer))

    @property
    def reasons(self) -> list[str]:
        """What the verdict is based on, one line each; none where all is well."""
        return text(lib.sn_verdict_reasons(self._pointer)).splitlines()
