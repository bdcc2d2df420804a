"""Studies: many runs of a model with other parameters, methods or refinements, as tables."""
from __future__ import annotations

import itertools
import math
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

import numpy as np

from .document import plain
from .errors import SinewError
from .measures import Measure, measure, named_measures
from .model import Model, as_model
from .runs import run
from .simulation import Simulation
from .table import StudyTable

Measures = Union[Measure, Sequence[Measure], Mapping[str, Measure]]
Values = Union[Mapping[str, Iterable[Any]], Iterable[Mapping[str, Any]]]


def _reason(error: BaseException) -> str:
    """The first line of what went wrong, without places in files, which differ from worker to worker."""
    lines = str(error).strip().splitlines()
    return lines[0] if isinstance(error, SinewError) and lines else f"{type(error).__name__}: {lines[0] if lines else ''}"


def _run_case(model: Model, parameters: Mapping[str, Any], measures: Mapping[str, Measure],
              options: Mapping[str, Any]) -> tuple[tuple[float, ...], str, str]:  # fmt: skip
    """One case, wherever it runs: its measures, verdict and reason."""
    try:
        result = run(model, **options, **parameters)
        values = tuple(measure(result, what) for what in measures.values())
        return values, result.verdict, "; ".join(result.reasons) if result.verdict != "good" else ""
    except Exception as error:
        return (math.nan,) * len(measures), "failed", _reason(error)


def _cases(values: Values) -> list[dict[str, Any]]:
    """All combinations, the last name changing fastest; or the cases as they are."""
    if isinstance(values, Mapping):
        for name, several in values.items():
            if isinstance(several, (str, int, float)):
                raise TypeError(f"values of {name} are a list, not {several!r}")
        lists = [[_plain(value) for value in several] for several in values.values()]
        for name, several in zip(values, lists):
            if not several:
                raise ValueError(f"{name} has no values")
        return [dict(zip(values, combination)) for combination in itertools.product(*lists)]
    cases = [{name: _plain(value) for name, value in case.items()} for case in values]
    for case in cases:
        if list(case) != list(cases[0]):
            raise ValueError(f"cases have different names: {', '.join(cases[0])}; {', '.join(case)}")
    return cases


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _submit(pool: Executor, *call: Any) -> Future[Any]:
    """A pool that broke while cases are handed in still gives those that it finished before."""
    try:
        return pool.submit(*call)
    except BrokenExecutor as error:
        future: Future[Any] = Future()
        future.set_exception(error)
        return future


def _number(setting: Optional[float]) -> float:
    """Of a table; NaN: that of the model."""
    return math.nan if setting is None else float(setting)


def sweep(model: Any, values: Values, measures: Measures, *, executor: Optional[Executor] = None,
          **options: Any) -> StudyTable:  # fmt: skip
    """Run a model with all combinations of parameters and return a table of measures.

    values: ``{"E": [1e7, 2e7], "L": [1, 2]}``, or a list of cases ``[{"E": 1e7, "L": 1}, ...]``.
    measures: texts such as ``"maximum(tip.y)"``, functions of a result, or a dict of them (``sinew.measure``).
    executor: any ``concurrent.futures.Executor``; default: threads, one for each core.
    options: integrator, tolerance, step, until, threads of each run.

    The table has the same bits for all executors. A case that fails has NaN as measures, "failed" as verdict and its
    reason. Executors of processes need measures that can be pickled: texts, or functions of a module."""
    base = as_model(model)
    base.compile()
    cases, named = _cases(values), named_measures(measures)
    names = list(cases[0]) if cases else list(values) if isinstance(values, Mapping) else []
    clash = [name for name in [*named, "verdict", "reason"] if name in names]
    if clash:
        raise ValueError(f"'{clash[0]}' is a parameter and a column of measures")
    pool = executor if executor is not None else ThreadPoolExecutor(_cores())
    rows = []
    try:
        futures = [_submit(pool, _run_case, base.copy(), case, named, options) for case in cases]
        for case, future in zip(cases, futures):
            try:
                measured, verdict, reason = future.result()
            except Exception as error:  # the worker died, or the case could not be sent
                measured, verdict, reason = (math.nan,) * len(named), "failed", _reason(error)
            rows.append([*case.values(), *measured, verdict, reason])
    finally:
        if executor is None:
            pool.shutdown(wait=True, cancel_futures=True)
    return StudyTable([*names, *named, "verdict", "reason"], rows)


def _cores() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# ---- convergence ----


def _order(coarse: float, fine: float, r: float, s: float) -> float:
    """Observed order p of x(h) = x + c h^p: |x1 - x2|/|x2 - x3| = (r^p - 1)/(1 - s^-p), r = h1/h2, s = h2/h3."""
    if not (coarse > 0 and fine > 0 and r > 1 and s > 1):
        return math.nan
    ratio, low, high = coarse / fine, 1e-3, 40.0

    def miss(p: float) -> float:
        return (r**p - 1) / (1 - s**-p) - ratio

    if miss(low) > 0 or miss(high) < 0:
        return math.nan
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if miss(middle) < 0 else (low, middle)
    return (low + high) / 2


def converge(model: Any, refine: Mapping[str, Iterable[float]], measures: Measures, *,
             executor: Optional[Executor] = None, **options: Any) -> StudyTable:  # fmt: skip
    """Refine a model and see how its measures converge.

    refine: one name with its values from coarse to fine: a parameter that counts elements ``{"n": [2, 4, 8, 16]}``, or
        ``{"step": [4e-3, 2e-3, 1e-3]}`` or ``{"tolerance": [...]}`` of the method.
    measures, executor, options: as in ``sweep``.

    Returns the measures of every run, with ``difference`` (from the next finer run) and ``order`` (observed, from three
    consecutive runs) of each."""
    if len(refine) != 1:
        raise ValueError(f"one thing is refined, not {len(refine)}")
    ((name, given),) = refine.items()
    sizes, named = [float(x) for x in given], named_measures(measures)
    ratios = [max(a, b) / min(a, b) if a > 0 and b > 0 else 0 for a, b in zip(sizes, sizes[1:])]
    falling = all(a > b for a, b in zip(sizes, sizes[1:]))
    if len(sizes) < 3 or not all(r > 1 for r in ratios) or not (falling or sizes == sorted(sizes)):
        raise ValueError(f"values of {name} must be at least three positive numbers from coarse to fine, not {sizes}")
    if name in ("step", "tolerance"):
        base = as_model(model)
        tables = [sweep(base, [{}], named, executor=executor, **{**options, name: size}) for size in sizes]
        rows = [table[0] for table in tables]
    else:
        counts = [int(size) if size.is_integer() else size for size in sizes]
        rows = list(sweep(model, {name: counts}, named, executor=executor, **options))
    names, lines = [name], [[row.get(name, size)] for row, size in zip(rows, sizes)]
    for what in named:
        x = [row[what] for row in rows]
        d = [abs(a - b) for a, b in zip(x, x[1:])] + [math.nan]
        p = [math.nan] + [_order(d[i - 1], d[i], ratios[i - 1], ratios[i]) for i in range(1, len(x) - 1)] + [math.nan]
        names += [what, f"difference {what}", f"order {what}"] if len(named) > 1 else [what, "difference", "order"]
        for line, *values in zip(lines, x, d, p):
            line.extend(values)
    return StudyTable([*names, "verdict", "reason"], [[*a, b["verdict"], b["reason"]] for a, b in zip(lines, rows)])


# ---- comparison of methods ----


def _trial(model: Model, options: Mapping[str, Any], times: np.ndarray, series: Sequence[tuple[str, str]]) -> dict:
    """A run in steps, read at the times of the reference by the polynomials of the method."""
    simulation = Simulation(model, **options)
    values = np.full((len(times), len(series)), np.nan)
    outputs = list(dict.fromkeys(output for output, _ in series))
    steps, cpu, energy, at = 0, 0.0, 0.0, 0
    while True:
        while at < len(times) and times[at] <= simulation.time:
            now = {output: simulation.read(output, times[at] if steps else None) for output in outputs}
            values[at] = [getattr(now[output], column) for output, column in series]
            at += 1
        if simulation.finished or at == len(times):
            break
        begin = time.thread_time()
        simulation.step()
        cpu += time.thread_time() - begin
        steps += 1
        energy = max(energy, abs(simulation.energy["error"]))
    return {"values": values, "steps": steps, "cpu": cpu, "energy": energy, "verdict": simulation.verdict,
            "reason": "; ".join(simulation.reasons) if simulation.verdict != "good" else ""}  # fmt: skip


def compare(model: Any, integrators: Iterable[Any], *, tolerances: Optional[Sequence[float]] = None,
            steps: Optional[Sequence[float]] = None, reference: Optional[Mapping[str, Any]] = None,
            until: Optional[float] = None, **parameters: Any) -> StudyTable:  # fmt: skip
    """Run a model with several integrators and settings and compare them with a reference.

    integrators: names, or dicts with settings as in a model file.
    tolerances, steps: one of them, the settings that each is run with; default: that of the model.
    reference: options of the reference run; default ``{"integrator": "radau", "tolerance": 1e-10}``.
    until: end time [s]; default: that of the model.
    parameters: in place of those of the model.

    The error is the largest difference of a position of the point outputs (of any output, if there are none) at the
    output times, relative to the largest magnitude of that output's values. ``energy`` is the largest error of the
    energy balance [J], ``cpu`` the time of the steps alone [s]."""
    if tolerances is not None and steps is not None:
        raise ValueError("give tolerances or steps, not both")
    base = as_model(model, **parameters)
    exact = run(base, until=until, **(reference or {"integrator": "radau", "tolerance": 1e-10}))
    columns = {output: [c for c in names if c in "xyz"] if {"x", "vx"} <= set(names) else []
               for output, names in base.columns.items()}  # fmt: skip
    if not any(columns.values()):
        columns = {output: list(names) for output, names in base.columns.items()}
    series = [(output, column) for output, names in columns.items() for column in names]
    if not series:
        raise ValueError("the model has no outputs to compare")
    truth = np.stack([exact.series(f"{output}.{column}") for output, column in series], axis=1)
    scale = {output: max(np.max(np.abs(exact.series(f"{output}.{c}"))) for c in names) or 1.0
             for output, names in columns.items() if names}  # fmt: skip
    scales = np.array([scale[output] for output, _ in series])
    name, settings = ("step", steps) if steps is not None else ("tolerance", [None] if tolerances is None else tolerances)
    rows = []
    for integrator, setting in itertools.product(integrators, settings):
        label = integrator if isinstance(integrator, str) else str(plain(integrator)["type"])
        try:
            trial = _trial(base, {"integrator": integrator, name: setting, "until": until}, exact.t, series)
            error = float(np.max(np.abs(trial["values"] - truth) / scales))
            rows.append([label, _number(setting), error, trial["energy"], trial["steps"], trial["cpu"], trial["verdict"],
                         trial["reason"]])  # fmt: skip
        except SinewError as failure:
            rows.append([label, _number(setting), math.nan, math.nan, 0, math.nan, "failed", _reason(failure)])
    return StudyTable(["integrator", name, "error", "energy", "steps", "cpu", "verdict", "reason"], rows)
