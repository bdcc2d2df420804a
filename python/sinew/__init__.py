"""Sinew: flexible multibody dynamics, mechanisms whose parts bend.

    import sinew
    model = sinew.Model("pendulum.yaml")
    result = sinew.run(model, until=2.0)
    result["tip"].y                     # numpy array over result.t
    result.verdict                      # "good", "doubtful" or "bad", with result.reasons

    simulation = sinew.Simulation(model)
    while simulation.time < 2.0:
        simulation.inputs["torque"] = -10 * simulation["hinge"].angle
        simulation.advance(simulation.time + 1e-3)

Units are SI. A model and its simulations belong to one thread at a time; threads with a model each run side by side, because
steps release the interpreter's lock.
"""
from .errors import InputError, InterruptedRun, ModelError, NumericsError, SinewError
from .kinds import *  # noqa: F401,F403  (a class for every kind of body, joint, force, ...)
from .model import Model
from .result import Result
from .simulation import Simulation, Snapshot, rollouts, run

__all__ = [
    "InputError", "InterruptedRun", "Model", "ModelError", "NumericsError", "Result", "Simulation", "SinewError",
    "Snapshot", "rollouts", "run",
]  # fmt: skip
