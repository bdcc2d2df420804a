"""Runs of models: into results, and many at once."""
from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from ._engine import ffi, lib
from .errors import check
from .model import as_model
from .result import Result
from .simulation import Simulation, make_options


def run(model: Any, path: Union[str, os.PathLike, None] = None, *, integrator: Union[str, Mapping, None] = None,
        tolerance: Optional[float] = None, step: Optional[float] = None, until: Optional[float] = None,
        threads: int = 1, progress: Optional[Callable[[Simulation], None]] = None,
        **parameters: Any) -> Result:  # fmt: skip
    """Run a model (a Model, a path, a text or a dict) and return its result: ``run(m, until=2, E=2e8)``.

    path: where the result file goes; without it the file is removed when the result is no longer used.
    integrator, tolerance, step, until, threads: as in ``Simulation``.
    progress: called after every step with the simulation; what it raises ends the run.
    parameters: in place of those of the model.

    A run that fails raises ``NumericsError``; with a path, its rows are in the file."""
    simulation = Simulation(as_model(model, **parameters), integrator=integrator, tolerance=tolerance, step=step,
                            until=until, threads=threads)  # fmt: skip
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


def rollouts(model: Any, inputs: Any = None, *, period: float, outputs: Sequence[str], samples: Optional[int] = None,
             q: Any = None, v: Any = None, threads: Optional[int] = None, integrator: Union[str, Mapping, None] = None,
             tolerance: Optional[float] = None, step: Optional[float] = None,
             **parameters: Any) -> dict[str, np.ndarray]:  # fmt: skip
    """Many simulations of one model at once, on all cores: inputs held over intervals, outputs at their ends.

    inputs: [simulations, samples, inputs of the model], in the order of ``model.limits``; NaN: the default.
    period: of an interval [s].
    outputs: names of those that are read.
    samples: number of intervals, if there are no inputs.
    q, v: [simulations, coordinates], starts; default: that of the model.
    threads: default: one for each core.
    integrator, tolerance, step: as in ``Simulation``.
    parameters: in place of those of the model.

    Returns of each output an array [simulations, samples, columns]. Bits do not depend on the threads."""
    engine = as_model(model, **parameters)._engine()
    if isinstance(outputs, str):
        raise TypeError(f"outputs is a list of names, such as [{outputs!r}]")
    names = list(engine.outputs)
    for name in outputs:
        if name not in names:
            raise KeyError(f"the model has no output '{name}'; it has {', '.join(names) or 'none'}")
    if not (np.isfinite(period) and period > 0):
        raise ValueError(f"period is {period}: it must be a positive number")
    given, count = _arrays(engine, inputs, q, v)
    if "inputs" in given:
        samples = given["inputs"].shape[1]
    if samples is None or samples < 1:
        raise ValueError("the number of samples is missing: give inputs or samples")
    what = ffi.new("sn_rollouts *")
    numbers = ffi.new("size_t[]", [names.index(name) for name in outputs])
    what.count, what.samples, what.period, what.threads = count, samples, period, threads or os.cpu_count() or 1
    what.output, what.outputs = numbers, len(outputs)
    for name, array in given.items():
        setattr(what, name, ffi.cast("double *", ffi.from_buffer(array)))
    columns = [len(engine.outputs[name]) for name in outputs]
    values = np.empty((count, samples, sum(columns)))
    if values.size:
        options = make_options(integrator, tolerance, step)
        target = ffi.cast("double *", ffi.from_buffer(values, require_writable=True))
        check(engine.context, lib.sn_roll_out(engine.pointer, options.pointer, what, target, ffi.NULL))
    ends = np.cumsum(columns)
    return {name: values[:, :, end - width : end] for name, width, end in zip(outputs, columns, ends)}


def _arrays(engine: Any, inputs: Any, q: Any, v: Any) -> tuple[dict[str, np.ndarray], int]:
    """Inputs and starts of rollouts with checked shapes, and the number of simulations."""
    coordinates = lib.sn_model_coordinates(engine.pointer)
    given: dict[str, np.ndarray] = {}
    for name, array, dimensions, width in (("inputs", inputs, 3, len(engine.inputs)), ("q", q, 2, coordinates),
                                           ("v", v, 2, coordinates)):  # fmt: skip
        if array is None:
            continue
        array = given[name] = np.ascontiguousarray(array, dtype=float)
        if array.ndim != dimensions or array.shape[-1] != width:
            shape = f"[simulations, samples, {width}]" if name == "inputs" else f"[simulations, {width}]"
            raise ValueError(f"{name} has the shape {array.shape}; expected is {shape}")
    counts = {array.shape[0] for array in given.values()}
    if len(counts) > 1:
        raise ValueError(f"inputs, q and v are for different numbers of simulations: {sorted(counts)}")
    return given, counts.pop() if counts else 1


def modes(model: Any, count: int = 6, **parameters: Any) -> np.ndarray:
    """The lowest natural frequencies [Hz] of a model about its start, or as its own analysis of modes says."""
    model = as_model(model, **parameters)
    analysis = model.analysis
    last = analysis[-1] if isinstance(analysis, list) and analysis else analysis
    kind = last.get("type") if isinstance(last, dict) else getattr(last, "_type", None)
    if kind != "modes":
        model = model.copy()
        model.analysis = {"type": "modes", "count": count}
    with Simulation(model) as simulation:
        simulation.run()
        return simulation.frequencies
