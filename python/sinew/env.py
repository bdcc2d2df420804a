"""Environments for control and learning: a model with actions, observations and rewards at equal intervals."""
from __future__ import annotations

import math
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from .document import plain
from .model import Model, as_model
from .runs import rollouts
from .simulation import Simulation, Snapshot

Start = Union[Snapshot, tuple, Callable[[np.random.Generator], Any], None]


class Box:
    """Vectors between two bounds: what ``gymnasium.spaces.Box`` has that a policy needs."""

    def __init__(self, low: Any, high: Any):
        self.low, self.high = np.array(low, dtype=float), np.array(high, dtype=float)
        self.shape, self.dtype = self.low.shape, self.low.dtype
        self._random = np.random.default_rng()

    def seed(self, seed: Optional[int] = None) -> None:
        """Of ``sample``."""
        self._random = np.random.default_rng(seed)

    def sample(self) -> np.ndarray:
        """A vector at random: uniform between finite bounds, otherwise of the normal distribution."""
        finite = np.isfinite(self.low) & np.isfinite(self.high)
        low, high = np.where(finite, self.low, 0), np.where(finite, self.high, 1)
        value = np.where(finite, self._random.uniform(low, high), self._random.standard_normal(self.shape))
        return np.clip(value, self.low, self.high)

    def contains(self, value: Any) -> bool:
        """Has it the shape, and is it between the bounds?"""
        value = np.asarray(value, dtype=float)
        return value.shape == self.shape and bool(np.all((value >= self.low) & (value <= self.high)))

    def __repr__(self) -> str:
        return f"Box({self.low.tolist()}, {self.high.tolist()})"


class Env:
    """A simulation with the interface of gymnasium environments: ``reset`` and ``step``.

    model: a Model, or what one is made of.
    inputs: names of the inputs that an action sets, in its order; default: all of the model.
    outputs: what an observation contains: series ``"pole.angle"``, or outputs ``"cart"`` with all of their columns.
    period: time between actions [s], which are held over it.
    reward: function of (observation, action); default: 0.
    terminated: function of the observation; default: never.
    duration: episodes are truncated at this time [s]; default: never.
    start: as in ``reset``.
    options: integrator, tolerance, step of the simulation.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, model: Any, *, outputs: Sequence[str], inputs: Optional[Sequence[str]] = None, period: float = 1e-3,
                 reward: Optional[Callable[[np.ndarray, np.ndarray], float]] = None,
                 terminated: Optional[Callable[[np.ndarray], bool]] = None, duration: float = math.inf,
                 start: Start = None, **options: Any):  # fmt: skip
        if not (math.isfinite(period) and period > 0):
            raise ValueError(f"period is {period}: it must be a positive number")
        self.model, self._options = _endless(as_model(model), options)
        self.period, self.duration = period, duration
        self._reward, self._terminated, self._start = reward, terminated, start
        limits, columns = self.model.limits, self.model.columns
        self.inputs = list(limits) if inputs is None else list(inputs)
        for name in self.inputs:
            if name not in limits:
                raise KeyError(f"the model has no input '{name}'; it has {', '.join(limits) or 'none'}")
        self._columns = [part for name in outputs for part in _columns_of(name, columns)]
        self.observations = [f"{output}.{column}" for output, column, _ in self._columns]
        self.action_space = Box(*zip(*(limits[name] for name in self.inputs))) if self.inputs else Box([], [])
        unbounded = np.full(len(self._columns), math.inf)
        self.observation_space = Box(-unbounded, unbounded)
        self.simulation = Simulation(self.model, **self._options)
        self._first = self.simulation.snapshot()
        self._random = np.random.default_rng()
        self._begin, self._count, self._running = self.simulation.time, 0, False

    def reset(self, *, seed: Optional[int] = None, start: Start = None,
              options: Optional[Mapping[str, Any]] = None) -> tuple[np.ndarray, dict[str, Any]]:  # fmt: skip
        """Begin an episode; returns (observation, info).

        seed: of the random numbers of ``start``, which go on without it.
        start: a state (q, v), a Snapshot, or a function of a random generator (numpy) that returns one of them;
            default: that of the environment, else the model's.
        options: only ``start``, as gymnasium passes it."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        chosen = start if start is not None else (options or {}).get("start", self._start)
        chosen = chosen(self._random) if callable(chosen) else chosen
        self.simulation.restore(chosen if isinstance(chosen, Snapshot) else self._first)
        if chosen is not None and not isinstance(chosen, Snapshot):
            self.simulation.set_state(*chosen)
        self._begin, self._count, self._running = self.simulation.time, 0, True
        return self.observe(), {"time": self.simulation.time}

    def observe(self) -> np.ndarray:
        """The present observation."""
        read = {output: self.simulation.read(output) for output in dict.fromkeys(c[0] for c in self._columns)}
        return np.array([read[output][k] for output, _, k in self._columns])

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Hold an action over a period; returns (observation, reward, terminated, truncated, info).

        A simulation that fails ends the episode: terminated, with the reason in ``info["error"]``."""
        if not self._running:
            raise RuntimeError("the episode has not begun, or is over: call reset")
        action = np.atleast_1d(np.asarray(action, dtype=float))
        if action.shape != self.action_space.shape:
            raise ValueError(f"an action has the shape {self.action_space.shape}, not {action.shape}: {', '.join(self.inputs)}")
        if np.isnan(action).any():
            raise ValueError(f"the action contains NaN: {action}")
        for name, value in zip(self.inputs, np.clip(action, self.action_space.low, self.action_space.high)):
            self.simulation.inputs[name] = float(value)
        self._count += 1
        info: dict[str, Any] = {}
        try:
            self.simulation.advance(self._begin + self._count * self.period)
        except ArithmeticError as error:  # of the numerics
            info["error"] = str(error)
        info["time"] = self.simulation.time
        observation = self.observe()
        reward = float(self._reward(observation, action)) if self._reward else 0.0
        over = "error" in info or bool(self._terminated and self._terminated(observation))
        truncated = self._count * self.period >= self.duration * (1 - 1e-12) or self.simulation.finished
        self._running = not (over or truncated)
        return observation, reward, over, truncated, info

    def rollouts(self, actions: Any, *, q: Any = None, v: Any = None, threads: Optional[int] = None) -> np.ndarray:
        """Observations [episodes, samples, columns] after each of the actions [episodes, samples, inputs], on all cores.

        q, v: starts [episodes, coordinates]; default: that of the model. Actions are kept within their limits."""
        actions = np.asarray(actions, dtype=float)
        if actions.ndim != 3 or actions.shape[-1] != len(self.inputs):
            raise ValueError(f"actions have the shape {actions.shape}; expected is [episodes, samples, {len(self.inputs)}]")
        names = list(self.model.limits)
        values = np.full((*actions.shape[:2], len(names)), math.nan)
        values[:, :, [names.index(name) for name in self.inputs]] = np.clip(actions, self.action_space.low,
                                                                            self.action_space.high)  # fmt: skip
        outputs = list(dict.fromkeys(c[0] for c in self._columns))
        read = rollouts(self.model, values, period=self.period, outputs=outputs, q=q, v=v, threads=threads, **self._options)
        return np.stack([read[output][:, :, k] for output, _, k in self._columns], axis=-1)

    def close(self) -> None:
        """Free the simulation."""
        self.simulation.close()


def _endless(model: Model, options: Mapping[str, Any]) -> tuple[Model, dict[str, Any]]:
    """The model without an end, and the integrator that its analysis names: ``duration`` ends episodes. Other analyses than
    one of dynamics stay, and their ends truncate episodes."""
    analysis = plain(model.analysis)
    if not isinstance(analysis, dict) or analysis.get("type") != "dynamics":
        return model, dict(options)
    model = model.copy()
    model.analysis = None
    integrator = analysis.get("integrator")
    return model, {**({"integrator": integrator} if integrator else {}), **options}


def _columns_of(name: str, columns: Mapping[str, Mapping[str, str]]) -> list[tuple[str, str, int]]:
    """(output, column, its number) of "pole.angle", or of all columns of "cart"."""
    if name in columns:
        return [(name, column, k) for k, column in enumerate(columns[name])]
    output, _, column = name.rpartition(".")
    if output not in columns:
        raise KeyError(f"the model has no output '{output or name}'; it has {', '.join(columns) or 'none'}")
    if column not in columns[output]:
        raise KeyError(f"the output '{output}' has no column '{column}'; it has {', '.join(columns[output])}")
    return [(output, column, list(columns[output]).index(column))]
