"""A crane moves a load on a rope and damps its swing: a trolley with a limited force, a rope of cable elements, and a
controller that sees the motion every 10 ms, as an environment. The controller is the linear-quadratic one of the rigid
pendulum M x'' = F + m g s/L, s'' = -g s/L - x'' (s: swing of the load), by iteration of Riccati's equation.

    python3 crane.py [--quick]
"""
import sys

import numpy as np

import sinew

TARGET, PERIOD = 3.0, 0.01
M, LOAD, L, G = 50.0, 100.0, 4.0, 9.81
MODEL = {
    "planar": True,
    "gravity": [0, -9.81, 0],
    "inputs": {"force": sinew.Input(default=0, range=[-500, 500])},
    "materials": {"steel": sinew.Material(density=4000, young=1e9)},
    "sections": {"round": sinew.CircleSection(radius=0.005)},
    "bodies": {
        "trolley": sinew.Rigid(mass=M, position=[0, 0, 0], shape={"type": "box", "size": [0.6, 0.2, 0.3]}),
        "rope": sinew.Cable(from_=[0, 0, 0], to=[0, -L, 0], elements=4, material="steel", section="round",
                            stiffness_damping=1e-3),
        "load": sinew.PointMass(mass=LOAD, position=[0, -L, 0]),
    },
    "joints": {
        "rail": sinew.Prismatic(between=["ground.at(0, 0, 0)", "trolley.center"], axis=[1, 0, 0]),
        "eye": sinew.Spherical(between=["trolley.center", "rope.start"]),
        "hook": sinew.Spherical(between=["rope.end", "load"]),
    },
    "forces": {"motor": sinew.Force(at="trolley.center", force=["force", 0, 0])},
    "outputs": {"trolley": {"point": "trolley.center"}, "load": {"point": "load"}},
}  # fmt: skip


def gains(weights=(1, 0, 1, 0), effort=1e-5):
    """Of x, vx, s, vs: the feedback that minimizes sums of their squares, weighted, and of the force."""
    w = G / L
    a = np.array([[0, 1, 0, 0], [0, 0, LOAD / M * w, 0], [0, 0, 0, 1], [0, 0, -w * (1 + LOAD / M), 0]])
    b = np.array([[0], [1 / M], [0], [-1 / M]])
    phi = np.eye(4) + PERIOD * a + PERIOD**2 / 2 * a @ a
    gamma = (PERIOD * np.eye(4) + PERIOD**2 / 2 * a) @ b
    p = q = np.diag(weights).astype(float)
    for _ in range(5000):
        k = np.linalg.solve(effort + gamma.T @ p @ gamma, gamma.T @ p @ phi)
        p = q + phi.T @ p @ (phi - gamma @ k)
    return k[0]


def controller(observation, damped, k=gains()):
    """Place alone, stiff; or the state feedback, which also sees the swing."""
    x, vx, load, load_v = observation
    if not damped:
        return [500 * (TARGET - x) - 400 * vx]
    return [-k @ [x - TARGET, vx, load - x, load_v - vx]]


def episode(env, damped):
    observation, _ = env.reset()
    path = [observation]
    truncated = False
    while not truncated:
        observation, _, terminated, truncated, info = env.step(controller(observation, damped))
        assert not terminated, info
        path.append(observation)
    return np.array(path)


def main(quick=False):
    env = sinew.Env(MODEL, inputs=["force"], outputs=["trolley.x", "trolley.vx", "load.x", "load.vx"], period=PERIOD,
                    duration=15 if quick else 30, integrator="radau", tolerance=1e-4)  # fmt: skip
    swings = {}
    for damped in (False, True):
        path = episode(env, damped)
        late = path[2 * len(path) // 3 :]
        swings[damped] = np.ptp(late[:, 2] - late[:, 0])
        print(f"{'swing damped' if damped else 'place alone '}: load at {path[-1, 2]:.3f} m, "
              f"it swings by {1000 * swings[damped]:.1f} mm in the last third")  # fmt: skip
    assert abs(path[-1, 2] - TARGET) < 0.05
    return swings


if __name__ == "__main__":
    swings = main("--quick" in sys.argv)
    assert swings[True] < 0.1 * swings[False]
