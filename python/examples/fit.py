"""Young's modulus and damping of a cantilever, from a noisy record of its tip: Gauss-Newton with derivatives by
differences. The record is made with known values, which the fit recovers within the noise."""
import numpy as np

import sinew

MODEL = {
    "gravity": [0, -9.81, 0],
    "parameters": {"E": 1e7, "beta": 1e-3},
    "materials": {"rubber": {"density": 1200, "young": "E"}},
    "sections": {"round": sinew.CircleSection(radius=0.01)},
    "bodies": {
        "beam": sinew.Cable(from_=[0, 0, 0], to=[0.5, 0, 0], elements=4, material="rubber", section="round",
                            stiffness_damping="beta"),
    },
    "joints": {"clamp": sinew.Fixed(between=["ground", "beam.start"])},
    "outputs": {"tip": {"point": "beam.end"}},
    "analysis": sinew.Dynamics(duration=1, output_step=0.01, integrator={"type": "radau", "tolerance": 1e-6},
                               companion=False),
}  # fmt: skip


def tip(E, beta):
    return sinew.run(MODEL, E=float(E), beta=float(beta))["tip"].y


def main():
    truth, noise = np.array([8e6, 4e-3]), 1e-4
    record = tip(*truth) + noise * np.random.default_rng(1).standard_normal(101)
    x = np.array([1e7, 1e-3])
    for k in range(6):
        y = tip(*x)
        jacobian = np.stack([(tip(*(x + h * np.eye(2)[i])) - y) / h for i, h in enumerate(1e-4 * x)], axis=1)
        step, *_ = np.linalg.lstsq(jacobian * x, record - y, rcond=None)
        x = x * np.exp(np.clip(step, -1, 1))
        print(f"E = {x[0]:.4g} Pa, beta = {x[1]:.4g} s, residual {np.std(record - y):.2e} m")
    spread = noise * np.sqrt(np.diag(np.linalg.inv(jacobian.T @ jacobian)))
    print("off by", (x - truth) / spread, "standard deviations")
    return (x - truth) / spread


if __name__ == "__main__":
    assert np.all(np.abs(main()) < 4)
