"""Sinew: flexible multibody dynamics, mechanisms whose parts bend.

    import sinew
    model = sinew.Model("pendulum.yaml")
    model.bodies["beam"].elements = 20
    result = sinew.run(model, until=2.0, E=2e8)
    result["tip"].y                     # numpy array over result.t
    result.verdict                      # "good", "doubtful" or "bad", with result.reasons

    simulation = sinew.Simulation(model)
    while simulation.time < 2.0:
        simulation.inputs["torque"] = -10 * simulation["hinge"].angle
        simulation.advance(simulation.time + 1e-3)

Units are SI. A simulation belongs to one thread at a time; simulations on several threads run side by side, because steps
release the interpreter's lock.
"""
from . import kinds as _kinds
from ._engine import ffi as _ffi, lib as _lib
from .env import Box, Env
from .errors import CallbackError, InputError, InterruptedRun, ModelError, NumericsError, SinewError
from .functions import EventRecord, LinearModel
from .kinds import *  # noqa: F401,F403  (a class for every kind of body, joint, force, ...)
from .measures import measure
from .model import Model
from .result import Result
from .runs import modes, rollouts, run
from .simulation import BodyState, Simulation, Snapshot
from .studies import compare, converge, sweep
from .table import StudyTable

__version__ = _ffi.string(_lib.SINEW_VERSION).decode()  # of the engine

__all__ = [
    "BodyState", "Box", "CallbackError", "Env", "EventRecord", "InputError", "InterruptedRun", "LinearModel", "Model", "ModelError", "NumericsError", "Result", "Simulation",
    "SinewError", "Snapshot", "StudyTable", "compare", "converge", "measure", "modes", "rollouts", "run", "sweep",
]  # fmt: skip
__all__ += _kinds.__all__
