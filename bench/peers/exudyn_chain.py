"""The rigid chain in Exudyn, for users who have it (pip install exudyn, version 1.8 or later). Not run: see chain_problem.py.

python3 exudyn_chain.py N STEP
"""

import exudyn as exu
import numpy as np
from chain_problem import AXIAL, DURATION, GRAVITY, LENGTH, MASS, TRANSVERSE, arguments, measure, show, steps_of
from exudyn.itemInterface import SensorBody
from exudyn.utilities import RigidBodyInertia

n, step = arguments()
inertia = RigidBodyInertia(mass=MASS, inertiaTensor=np.diag([AXIAL, TRANSVERSE, TRANSVERSE]))

container = exu.SystemContainer()
system = container.AddSystem()
last = system.CreateGround(referencePosition=[0, 0, 0])
for i in range(n):
    rod = system.CreateRigidBody(inertia=inertia, referencePosition=[(i + 0.5) * LENGTH, 0, 0], gravity=[0, -GRAVITY, 0])
    system.CreateSphericalJoint(bodyNumbers=[last, rod], position=[i * LENGTH, 0, 0], useGlobalFrame=True, show=False)
    last = rod
tip = system.AddSensor(
    SensorBody(bodyNumber=last, localPosition=[LENGTH / 2, 0, 0], outputVariableType=exu.OutputVariableType.Position, writeToFile=False)
)
system.Assemble()

settings = exu.SimulationSettings()
settings.timeIntegration.numberOfSteps = steps_of(step)
settings.timeIntegration.endTime = DURATION
settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
settings.timeIntegration.newton.useModifiedNewton = True
settings.timeIntegration.verboseMode = 0
settings.solutionSettings.writeSolutionToFile = False
settings.linearSolverType = exu.LinearSolverType.EigenSparse
cpu = measure(lambda: system.SolveDynamic(simulationSettings=settings))
show("Exudyn", "generalized-alpha", n, step, cpu, system.GetSensorValues(tip))
