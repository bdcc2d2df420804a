"""A pole on a cart is swung up by pumping energy, and then kept up by state feedback: a controller in Python that sees
the motion every 5 ms and sets the force on the cart."""
import math

import sinew

g, l = 9.81, 0.5
model = sinew.Model({
    "planar": True,
    "gravity": [0, -g, 0],
    "inputs": {"force": {"default": 0, "range": [-40, 40], "unit": "N"}},
    "bodies": {
        "cart": sinew.Rigid(mass=1, position=[0, 0, 0], shape={"type": "box", "size": [0.3, 0.1, 0.1]}),
        "pole": sinew.PointMass(mass=0.2, position=[0.02, -l, 0]),
    },
    "joints": {
        "rail": sinew.Prismatic(between=["ground.at(0, 0, 0)", "cart.center"], axis=[1, 0, 0]),
        "rod": sinew.Distance(between=["cart.center", "pole"]),
    },
    "forces": {"motor": sinew.Force(at="cart.center", force=["force", 0, 0])},
    "outputs": {"cart": {"point": "cart.center"}, "pole": {"point": "pole"}},
})  # fmt: skip


def controller(cart, pole):
    angle = math.atan2(pole.x - cart.x, pole.y - cart.y)  # 0: upright
    rate = ((pole.vx - cart.vx) * (pole.y - cart.y) - (pole.vy - cart.vy) * (pole.x - cart.x)) / l**2
    energy = 0.5 * l**2 * rate**2 + g * l * (math.cos(angle) - 1)  # per mass of the pole; 0: just reaches the top
    if abs(angle) < 0.5 and abs(rate) < 4:
        wanted = 3 * cart.x + 4 * cart.vx + 60 * angle + 12 * rate
    else:
        wanted = 25 * -energy * math.copysign(1, -rate * math.cos(angle)) / (g * l) - 2 * cart.x - 2 * cart.vx
    return max(-40, min(40, wanted)), angle


def main():
    simulation = sinew.Simulation(model, integrator="radau", tolerance=1e-6)
    period = 5e-3
    for k in range(2400):
        force, angle = controller(simulation["cart"], simulation["pole"])
        simulation.inputs["force"] = force
        simulation.advance((k + 1) * period)
        if k % 200 == 0:
            print(f"t = {simulation.time:5.2f} s: angle {math.degrees(angle):7.1f} degrees, cart {simulation['cart'].x:6.3f} m")
    print(f"angle {math.degrees(angle):.3f} degrees at the end")
    return angle


if __name__ == "__main__":
    assert abs(main()) < 0.01
