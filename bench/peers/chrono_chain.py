"""The rigid chain in Project Chrono, for users who have PyChrono (conda, version 9 or later). Not run: see chain_problem.py.

python3 chrono_chain.py N STEP
"""

import pychrono as chrono
from chain_problem import AXIAL, GRAVITY, LENGTH, MASS, TRANSVERSE, arguments, measure, show, steps_of

n, step = arguments()

system = chrono.ChSystemNSC()
system.SetGravitationalAcceleration(chrono.ChVector3d(0, -GRAVITY, 0))
ground = chrono.ChBody()
ground.SetFixed(True)
system.AddBody(ground)
last = ground
for i in range(n):
    rod = chrono.ChBody()
    rod.SetMass(MASS)
    rod.SetInertiaXX(chrono.ChVector3d(AXIAL, TRANSVERSE, TRANSVERSE))
    rod.SetPos(chrono.ChVector3d((i + 0.5) * LENGTH, 0, 0))
    system.AddBody(rod)
    joint = chrono.ChLinkLockSpherical()
    joint.Initialize(last, rod, chrono.ChFramed(chrono.ChVector3d(i * LENGTH, 0, 0), chrono.QUNIT))
    system.AddLink(joint)
    last = rod
system.SetSolver(chrono.ChSolverSparseQR())
# Without this the method divides the steps by its own control, and the comparison is not at equal step.
stepper = chrono.ChTimestepperHHT(system)
stepper.SetStepControl(False)
system.SetTimestepper(stepper)


def run() -> None:
    for _ in range(steps_of(step)):
        system.DoStepDynamics(step)


cpu = measure(run)
tip = last.TransformPointLocalToParent(chrono.ChVector3d(LENGTH / 2, 0, 0))
show("Chrono", "hht", n, step, cpu, [tip.x, tip.y, tip.z])
