"""The rigid chain of problem.h in Project Chrono, for users who have PyChrono (conda, version 9 or later).

    python3 chrono_chain.py N STEP

Prints the line of a driver (problem.h): compare its tip with that of run.sh. Written from Chrono's documentation and NOT
RUN by the authors of this benchmark: Debian has no package of it. Nothing of it is in docs/performance.md.
"""

import sys
import time

import pychrono as chrono

LENGTH, RADIUS, MASS, GRAVITY = 1.0, 0.05, 1.0, 9.81

n, step = int(sys.argv[1]), float(sys.argv[2])
axial, transverse = MASS * RADIUS**2 / 2, MASS * (3 * RADIUS**2 + LENGTH**2) / 12

system = chrono.ChSystemNSC()
system.SetGravitationalAcceleration(chrono.ChVector3d(0, -GRAVITY, 0))
ground = chrono.ChBody()
ground.SetFixed(True)
system.AddBody(ground)
last = ground
for i in range(n):
    rod = chrono.ChBody()
    rod.SetMass(MASS)
    rod.SetInertiaXX(chrono.ChVector3d(axial, transverse, transverse))
    rod.SetPos(chrono.ChVector3d((i + 0.5) * LENGTH, 0, 0))
    system.AddBody(rod)
    joint = chrono.ChLinkLockSpherical()
    joint.Initialize(last, rod, chrono.ChFramed(chrono.ChVector3d(i * LENGTH, 0, 0)))
    system.AddLink(joint)
    last = rod
system.SetSolver(chrono.ChSolverSparseQR())
system.SetTimestepperType(chrono.ChTimestepper.Type_HHT)

steps = round(1 / step)
start = time.process_time()
for _ in range(steps):
    system.DoStepDynamics(step)
spent = time.process_time() - start
tip = last.TransformPointLocalToParent(chrono.ChVector3d(LENGTH / 2, 0, 0))
print(f"chain Chrono hht {step:g} {n} {spent:.9g} {steps} {tip.x:.15g} {tip.y:.15g} {tip.z:.15g}")
