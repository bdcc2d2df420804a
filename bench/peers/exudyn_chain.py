"""The rigid chain of problem.h in Exudyn, for users who have it (pip install exudyn, version 1.8 or later).

    python3 exudyn_chain.py N STEP

Prints the line of a driver (problem.h): compare its tip with that of run.sh. Written from Exudyn's documentation and NOT
RUN by the authors of this benchmark: Debian has no package of it. Nothing of it is in docs/performance.md.
"""

import math
import sys
import time

import exudyn as exu
from exudyn.itemInterface import SensorBody
from exudyn.utilities import RigidBodyInertia

LENGTH, RADIUS, MASS, GRAVITY = 1.0, 0.05, 1.0, 9.81

n, step = int(sys.argv[1]), float(sys.argv[2])
axial, transverse = MASS * RADIUS**2 / 2, MASS * (3 * RADIUS**2 + LENGTH**2) / 12
inertia = RigidBodyInertia(mass=MASS, inertiaTensor=[[axial, 0, 0], [0, transverse, 0], [0, 0, transverse]])

container = exu.SystemContainer()
system = container.AddSystem()
last = system.CreateGround(referencePosition=[0, 0, 0])
for i in range(n):
    rod = system.CreateRigidBody(inertia=inertia, referencePosition=[(i + 0.5) * LENGTH, 0, 0], gravity=[0, -GRAVITY, 0])
    system.CreateSphericalJoint(bodyNumbers=[last, rod], position=[i * LENGTH, 0, 0])
    last = rod
tip = system.AddSensor(
    SensorBody(bodyNumber=last, localPosition=[LENGTH / 2, 0, 0], outputVariableType=exu.OutputVariableType.Position, writeToFile=False)
)
system.Assemble()

settings = exu.SimulationSettings()
settings.timeIntegration.numberOfSteps = round(1 / step)
settings.timeIntegration.endTime = 1
settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
settings.timeIntegration.newton.useModifiedNewton = True
settings.solutionSettings.writeSolutionToFile = False
settings.linearSolverType = exu.LinearSolverType.EigenSparse
start = time.process_time()
system.SolveDynamic(settings)
spent = time.process_time() - start
place = system.GetSensorValues(tip)
assert math.isfinite(place[0])
print(f"chain Exudyn generalized-alpha {step:g} {n} {spent:.9g} {round(1 / step)} {place[0]:.15g} {place[1]:.15g} {place[2]:.15g}")
