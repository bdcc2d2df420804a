"""A model in motion, and runs into results."""
from __future__ import annotations

import math
import os
import re
import shutil
import tempfile
import weakref
from collections import namedtuple
from typing import Any, Callable, Iterator, MutableMapping, Optional, Union

import numpy as np

from ._engine import ffi, lib
from .errors import check, text
from .memory import view
from .model import Model
from .result import Result


class Snapshot:
    """The whole state of a simulation, from which it, or another one of the same model, continues bit by bit."""

    def __init__(self, pointer):
        self._pointer = ffi.gc(pointer, lib.sn_snapshot_free)


class Inputs(MutableMapping[str, float]):
    """Inputs of a simulation by name. One that was not set, or was deleted, has its default and reads as NaN."""

    def __init__(self, simulation: "Simulation"):
        self._simulation = simulation
        self._numbers = {name: i for i, name in enumerate(simulation.model.inputs)}
        self._values = dict.fromkeys(self._numbers, math.nan)

    def _number(self, name: str) -> int:
        try:
            return self._numbers[name]
        except KeyError:
            known = ", ".join(self._numbers) or "none"
            raise KeyError(f"the model has no input '{name}'; it has {known}") from None

    def __setitem__(self, name: str, value: float) -> None:
        simulation = self._simulation
        check(simulation._context, lib.sn_set_input(simulation._pointer, self._number(name), value))
        self._values[name] = float(value)

    def __getitem__(self, name: str) -> float:
        self._number(name)
        return self._values[name]

    def __delitem__(self, name: str) -> None:
        self[name] = math.nan

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


@ffi.def_extern()
def sinew_progress(user, simulation):
    owner = ffi.from_handle(user)
    try:
        owner._report(owner)
    except BaseException as error:  # also a keyboard interrupt: the run ends, then it is raised
        owner._raised = error
        lib.sn_interrupt(owner._context)


def _field_name(column: str) -> str:
    return re.sub(r"\W", "_", column)


class Simulation:
    """A simulation of a model, in steps.

    model: a Model, or what one is made of.
    integrator: name of an integrator, or a dict ``{"type": "radau", ...}``; tolerance or step: its accuracy;
    until: end time [s]; threads: of the evaluation.
    """

    def __init__(self, model: Any, *, integrator: Union[str, dict, None] = None, tolerance: float = 0, step: float = 0,
                 until: float = 0, threads: int = 1):  # fmt: skip
        self.model = model if isinstance(model, Model) else Model(model)
        self._context = self.model._context
        options = ffi.new("sn_options *")
        if isinstance(integrator, dict):
            integrator = "{" + ", ".join(f"{key}: {value}" for key, value in integrator.items()) + "}"
        self._kept = ffi.new("char[]", integrator.encode()) if integrator else ffi.NULL
        options.integrator = self._kept
        options.tolerance, options.step, options.until, options.threads = tolerance, step, until, threads
        made = ffi.new("sn_simulation **")
        check(self._context, lib.sn_simulation_create(self.model._pointer, options, made))
        self._pointer = ffi.gc(made[0], lib.sn_simulation_free)
        self._outputs = {}
        for number, (name, columns) in enumerate(self.model.outputs.items()):
            kind = namedtuple("Values", [_field_name(column) for column in columns], rename=True)
            self._outputs[name] = (number, kind._make, ffi.new("double[]", len(columns)))
        self._n = lib.sn_model_coordinates(self.model._pointer)
        self._m = lib.sn_model_constraints(self.model._pointer)
        self.inputs = Inputs(self)
        self._report: Optional[Callable[["Simulation"], None]] = None
        self._raised: Optional[BaseException] = None

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
        return view(lib.sn_positions(self._pointer), self._n, self)

    @property
    def v(self) -> np.ndarray:
        """Velocities; as ``q``."""
        return view(lib.sn_velocities(self._pointer), self._n, self)

    @property
    def a(self) -> np.ndarray:
        """Accelerations; as ``q``."""
        return view(lib.sn_accelerations(self._pointer), self._n, self)

    @property
    def multipliers(self) -> np.ndarray:
        """Of the constraints; as ``q``."""
        return view(lib.sn_multipliers(self._pointer), self._m, self)

    def step(self) -> None:
        """One step, as long as the method chooses."""
        status = lib.sn_step(self._pointer)
        if status:
            check(self._context, status)

    def advance(self, time: float, exact: bool = True) -> None:
        """Steps up to ``time``: the last one ends there exactly; ``exact=False``: none is shortened, and ``read(name,
        time)`` gives outputs at that time by the method's own polynomial."""
        status = (lib.sn_advance if exact else lib.sn_advance_over)(self._pointer, time)
        if status:
            check(self._context, status)

    def read(self, name: str, time: Optional[float] = None):
        """An output as a named tuple, at the end of the last step or at a time within it: ``read("tip").x``."""
        try:
            number, make, values = self._outputs[name]
        except KeyError:
            raise KeyError(f"the model has no output '{name}'; it has {', '.join(self._outputs) or 'none'}") from None
        if time is None:
            status = lib.sn_read_output(self._pointer, number, values)
        else:
            status = lib.sn_read_output_at(self._pointer, number, time, values)
        if status:
            check(self._context, status)
        return make(values)

    __getitem__ = read

    @property
    def energy(self) -> dict[str, float]:
        """Energies and works at the end of the last step [J]."""
        values = ffi.new("double[]", lib.SN_ENERGY_COUNT)
        check(self._context, lib.sn_energies(self._pointer, values))
        return {text(lib.sn_energy_name(i)): values[i] for i in range(lib.SN_ENERGY_COUNT)}

    def set_state(self, q=None, v=None) -> None:
        """Another state at the present time. It is projected onto the constraints; energies are counted from here."""
        pointers = []
        for x in (q, v):
            if x is None:
                pointers.append(ffi.NULL)
                continue
            x = np.ascontiguousarray(x, dtype=float)
            if x.shape != (self._n,):
                raise ValueError(f"a state has {self._n} coordinates, not {x.shape}")
            pointers.append(ffi.from_buffer("double[]", x))
        check(self._context, lib.sn_set_state(self._pointer, *pointers))

    def snapshot(self) -> Snapshot:
        """The state in memory, for ``restore``."""
        made = ffi.new("sn_snapshot **")
        check(self._context, lib.sn_snapshot_take(self._pointer, made))
        return Snapshot(made[0])

    def restore(self, snapshot: Snapshot) -> None:
        """Continue from a snapshot, bit by bit."""
        check(self._context, lib.sn_snapshot_restore(self._pointer, snapshot._pointer))

    def record(self, path: Union[str, os.PathLike], progress: Optional[Callable[["Simulation"], None]] = None) -> Result:
        """Run all that is left, into a result file. progress: called after every step; what it raises ends the run, whose
        rows are then in the file."""
        self._report, self._raised = progress, None
        handle = ffi.new_handle(self)
        function = lib.sinew_progress if progress else ffi.NULL
        status = lib.sn_record_run(self._pointer, os.fsencode(path), function, handle)
        if self._raised:
            lib.sn_clear_interrupt(self._context)
            raise self._raised
        check(self._context, status)
        return Result(path)

    @property
    def verdict(self) -> str:
        """Of the run so far: good, doubtful or bad."""
        return text(lib.sn_verdict_word(self._pointer))

    @property
    def reasons(self) -> list[str]:
        """Of the verdict."""
        return text(lib.sn_verdict_reasons(self._pointer)).splitlines()


def run(model: Any, path: Union[str, os.PathLike, None] = None, *, integrator: Union[str, dict, None] = None,
        tolerance: float = 0, step: float = 0, until: float = 0, threads: int = 1,
        progress: Optional[Callable[[Simulation], None]] = None, **parameters: Any) -> Result:  # fmt: skip
    """Run a model (a Model, a path, a text or a dict) with parameters and return its result.

    path: where the result file goes; without it the file is removed when the result is no longer used."""
    if parameters or not isinstance(model, Model):
        if isinstance(model, Model):
            raise TypeError("parameters are given where a Model is made: Model(source, E=2e8)")
        model = Model(model, **parameters)
    simulation = Simulation(model, integrator=integrator, tolerance=tolerance, step=step, until=until, threads=threads)
    if path is not None:
        return simulation.record(path, progress)
    folder = tempfile.mkdtemp(prefix="sinew-")
    try:
        result = simulation.record(os.path.join(folder, "result.h5"), progress)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(result, shutil.rmtree, folder, ignore_errors=True)
    return result


def rollouts(model: Any, inputs: Any = None, *, period: float, outputs: list[str], samples: Optional[int] = None,
             q: Any = None, v: Any = None, threads: Optional[int] = None,
             integrator: Optional[str] = None, tolerance: float = 0, step: float = 0) -> dict[str, np.ndarray]:  # fmt: skip
    """Many simulations of one model at once, on all cores: inputs held over intervals, outputs at their ends.

    inputs: [simulations, samples, inputs of the model] (NaN: the default); q, v: [simulations, coordinates], starts.
    Returns of each output an array [simulations, samples, columns]. Bits do not depend on the threads."""
    model = model if isinstance(model, Model) else Model(model)
    names = list(model.outputs)
    missing = [name for name in outputs if name not in names]
    if missing:
        raise KeyError(f"the model has no output '{missing[0]}'; it has {', '.join(names)}")
    shapes = {"inputs": len(model.inputs), "q": lib.sn_model_coordinates(model._pointer)}
    given = {}
    count = None
    for name, array in (("inputs", inputs), ("q", q), ("v", v)):
        if array is None:
            continue
        array = given[name] = np.ascontiguousarray(array, dtype=float)
        width = shapes["inputs" if name == "inputs" else "q"]
        if array.ndim != (3 if name == "inputs" else 2) or array.shape[-1] != width:
            raise ValueError(f"{name} has the shape {array.shape}; its last dimension is {width}")
        if count is not None and array.shape[0] != count:
            raise ValueError(f"{name} is for {array.shape[0]} simulations, others for {count}")
        count = array.shape[0]
    if inputs is not None:
        samples = given["inputs"].shape[1]
    if samples is None:
        raise ValueError("the number of samples is missing")
    count = 1 if count is None else count
    what = ffi.new("sn_rollouts *")
    numbers = ffi.new("size_t[]", [names.index(name) for name in outputs])
    what.count, what.samples, what.period, what.threads = count, samples, period, threads or os.cpu_count() or 1
    what.output, what.outputs = numbers, len(outputs)
    for name, array in given.items():
        setattr(what, name, ffi.cast("double *", ffi.from_buffer(array)))
    columns = [len(model.outputs[name]) for name in outputs]
    values = np.empty((count, samples, sum(columns)))
    options = ffi.new("sn_options *")
    kept = ffi.new("char[]", integrator.encode()) if integrator else ffi.NULL
    options.integrator, options.tolerance, options.step = kept, tolerance, step
    target = ffi.cast("double *", ffi.from_buffer(values, require_writable=True))
    check(model._context, lib.sn_roll_out(model._pointer, options, what, target, ffi.NULL))
    ends = np.cumsum(columns)
    return {name: values[:, :, end - width : end] for name, width, end in zip(outputs, columns, ends)}
