/* test_trust.c - the verdict of a run: each rule is broken on purpose once, and runs known to be right are good. */
#include <unistd.h>

#include "analysis/checkpoint.h"
#include "analysis/companion.h"
#include "analysis/evidence.h"
#include "kinds/kinds.h"
#include "run/record.h"
#include "run/trial.h"
#include "support.h"

#define HEAD "sinew: 1\ngravity: [0, -9.81, 0]\n"
#define PENDULUM                                                                                                     \
  "bodies: {rod: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 1, shape: {type: box, size: [1, 0.1, 0.1]}}}\n" \
  "joints: {pin: {type: revolute, between: [ground, rod.start], axis: [0, 0, 1]}}\n"                                 \
  "outputs: {tip: {point: rod.end}}\n"
#define PENDULUM_WITHOUT_PIN \
  "bodies: {rod: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 1, shape: {type: box, size: [1, 0.1, 0.1]}}}\n"
#define DYNAMICS(method) "analysis: {type: dynamics, duration: 1, output_step: 0.01, integrator: " method "}\n"
#define CABLE(where, elements)                                         \
  "materials: {rubber: {density: 7200, young: 2e6, poisson: 0.3}}\n"   \
  "sections: {square: {type: rectangle, width: 0.02, height: 0.02}}\n" \
  "bodies: {beam: {type: cable, " where ", elements: " elements ", material: rubber, section: square}}\n"

#define DRIVEN_FAST(member)                                                                                         \
  "sinew: 1\nplanar: true\nbodies: {m: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1], velocity: [" \
  "2.4, 0, 0]}}\njoints: {g: {type: prismatic, between: [ground, m.center], axis: [1, 0, 0]}, d: {type: motion, "   \
  "joint: g, translation: 0.02*sin(120*t)}}\noutputs: {m: {point: m.center}}\n" DYNAMICS("{type: gssss, " member    \
                                                                                         ", step: 1e-3}")

/* A ball of 1 kg falls by 0.1 m on springs F = 1e7 d^1.5: by Hertz the impact takes 4.8 ms. */
#define BALL(method)                                                                                         \
  HEAD "bodies: {ball: {type: rigid, position: [0, 0.2, 0], mass: 1, shape: {type: sphere, radius: 0.1}}}\n" \
       "surfaces: {skin: {type: sphere, on: ball}, floor: {type: plane, normal: [0, 1, 0]}}\n"               \
       "contacts: {touch: {stiffness: 1e7}}\n" DYNAMICS(method)
/* A bar of 8 elements of 0.36 kg does the same at 4e5: 0.18 kg at its ends and 0.36 kg at nodes between. */
#define BAR(method) \
  HEAD CABLE("from: [0, 0.11, 0], to: [1, 0.11, 0]", "8")                                                             \
      "surfaces: {skin: {type: spheres, on: beam}, floor: {type: plane, normal: [0, 1, 0]}}\n"                        \
      "contacts: {touch: {stiffness: 4e5}}\n" DYNAMICS(method)
/* By complementarity, a ball that loses nothing: whatever its energy changes by is an error, and it goes with the step. */
#define BOUNCING(step)                                                                                       \
  HEAD "bodies: {ball: {type: rigid, position: [0, 0.5, 0], mass: 1, shape: {type: sphere, radius: 0.1}}}\n" \
       "surfaces: {skin: {type: sphere, on: ball}, floor: {type: plane, normal: [0, 1, 0]}}\n"               \
       "contacts: {touch: {method: dvi, restitution: 1}}\n" DYNAMICS("{type: symplectic-euler, step: " step "}")
#define KINK                                                                           \
  HEAD PENDULUM_WITHOUT_PIN                                                            \
      "joints: {pin: {type: revolute, between: [ground, rod.start], axis: [0, 0, 1]}," \
      " drive: {type: motion, joint: pin, rotation: 'min(t, 0.503)'}}\n"               \
      "outputs: {tip: {point: rod.end}}\n"

/* A cantilever with P L^2/EI = 5: its tip goes to 0.61237 L. Of beam2d, 20 elements give 0.6153, 40 give 0.6126. */
#define ELASTICA(elements)                                                                                \
  "sinew: 1\nplanar: true\nmaterials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3}}\n"            \
  "sections: {bar: {type: rectangle, width: 0.02, height: 0.01}}\n"                                       \
  "bodies: {beam: {type: beam2d, from: [0, 0, 0], to: [1, 0, 0], elements: " elements                     \
  ", material: steel, section: bar}}\njoints: {wall: {type: fixed, between: [ground, beam.start]}}\n"     \
  "forces: {load: {type: force, at: beam.end, force: [0, 1750, 0]}}\noutputs: {tip: {point: beam.end}}\n" \
  "analysis: {type: statics}\n"

/* A rod across or along a slope of 15 degrees, on it with friction for half a second: one across it rolls by g sin a t^2/3 =
 * 0.21 m, and its friction along the other or on one that is held does not. */
#define ROD(kind, from, to, joints)                                                                                 \
  "sinew: 1\ngravity: [9.81*sin(pi/12), 0, -9.81*cos(pi/12)]\nmaterials: {m: {density: 1200, young: 1e7, poisson: " \
  "0.3}}\nsections: {s: {type: circle, radius: 0.02}}\nbodies: {c: {type: " kind ", from: " from ", to: " to        \
  ", elements: 4, material: m, section: s}}\njoints: {" joints                                                      \
  "}\nsurfaces: {c: {type: spheres, on: c}, f: {type: plane, normal: [0, 0, 1]}}\ncontacts: {all: {method: dvi, "   \
  "friction: 0.5}}\noutputs: {p: {point: c.end}}\nanalysis: {type: dynamics, duration: 0.5, integrator: {type: "    \
  "symplectic-euler, step: 1e-4}}\n"
/* A ball of radius 5 mm above a plate of spheres of 5 mm, 25 mm apart: it fits between them and falls through, or flies
 * away. */
#define SIEVE(velocity, more)                                                                                      \
  "sinew: 1\ngravity: [0, 0, 0]\nmaterials: {m: {density: 1200, young: 1e8, poisson: 0.3}}\nbodies: {p: {type: "   \
  "plate, along: [0.4, 0, 0], across: [0, 0.4, 0], elements: [4, 4], thickness: 0.01, material: m}, b: {type: "    \
  "rigid, position: [0.2125, 0.2125, 0.012], velocity: " velocity                                                  \
  ", density: 1000, shape: {type: sphere, radius: 0.005}}}\nsurfaces: {p: {type: grid, on: p}, b: {type: sphere, " \
  "on: b}}\ncontacts: {c: {" more                                                                                  \
  "}}\noutputs: {b: {point: b.center}}\nanalysis: {type: dynamics, duration: "                                     \
  "0.03}\n"

/* A row of dominoes, the first of which is pushed: all fall, in one plane. */
#define DOMINO(x) "{type: rigid, position: [" x ", 0, 0.05], density: 700, shape: {type: box, size: [0.02, 0.04, 0.1]}"
#define DOMINOES \
  "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n  a: " DOMINO("0") ", angular_velocity: [0, 3, 0], velocity: [0.15, 0, " \
  "0]}\n  b: " DOMINO("0.05") "}\n  c: " DOMINO("0.1") "}\n  d: " DOMINO("0.15") "}\nsurfaces: {a: {type: box, on: a}, " \
  "b: {type: box, on: b}, c: {type: box, on: c}, d: {type: box, on: d}, f: {type: plane, normal: [0, 0, 1]}}\n"       \
  "contacts: {all: {friction: 0.3, stiffness: 1e6, damping: 1}}\noutputs: {p: {point: d.center}}\nanalysis: {type: "   \
  "dynamics, duration: 1, companion: false}\n"

/* A disk of radius 0.2 that lies on the plane z = 0 and turns with 10 rad/s. */
#define DISK(SURFACES)                                                                                               \
  "sinew: 1\ngravity: [0, 0, -9.81]\nbodies: {b: {type: rigid, position: [0, 0, 0.05], rotation: {axis: [0, 1, 0], " \
  "angle: -pi/2}, mass: 1, shape: {type: cylinder, radius: 0.2, length: 0.1}, angular_velocity: [0, 0, 10]}}\n"      \
  "surfaces: " SURFACES                                                                                              \
  "\ncontacts: {c: {method: dvi, friction: 0.2}}\noutputs: {p: {point: 'b.at(0, 0.2, 0)'}}\n"                        \
  "analysis: {type: dynamics, duration: 0.4, integrator: {type: symplectic-euler, step: 2e-4}}\n"

#define LAID(height)                                                                                             \
  "sinew: 1\ngravity: [0, 0, -9.81]\nbodies: {b: {type: rigid, position: [0, 0, " height                         \
  "], mass: 1, shape: {type: sphere, radius: 0.1}}}\nsurfaces: {f: {type: plane, normal: [0, 0, 1]}, s: {type: " \
  "sphere, "                                                                                                     \
  "on: b}}\ncontacts: {c: {young: 1e9}}\noutputs: {p: {point: b.center}}\nanalysis: {type: dynamics, duration: 0.3}\n"

#define CREEP(size)                                                                                          \
  "sinew: 1\ngravity: [1.96, 0, -9.81]\nparameters: {a: " size                                               \
  "}\nbodies: {block: {type: rigid, position: [0, 0, a/2], mass: 1, shape: {type: box, size: [a, a, a]}}}\n" \
  "surfaces: {skin: {type: box, on: block}, floor: {type: plane, normal: [0, 0, 1]}}\n"                      \
  "contacts: {touch: {friction: 0.5, stiffness: 1e4/a, exponent: 1, damping: 100/a}}\n"                      \
  "outputs: {block: {point: block.center}}\nanalysis: {type: dynamics, duration: 0.5, integrator: {type: radau}}\n"

#define SPRUNG(analysis)                                                                                  \
  HEAD "bodies: {b: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 10, inertia: [0.1, 0.8, 0.8]}}\n" \
       "joints: {p: {type: revolute, between: ['ground.at(0, 0, 0)', b.start], axis: [0, 0, 1]}}\n"       \
       "forces: {k: {type: torsion-spring, joint: p, stiffness: 40}}\noutputs: {b: {point: "              \
       "b.end}}\nanalysis: " analysis "\n"

#define COLUMN(foot, top, load, more)                                                                                \
  "sinew: 1\nplanar: true\nmaterials: {steel: {density: 7800, young: 2.1e11}}\n"                                     \
  "sections: {flat: {type: rectangle, width: 0.05, height: 0.01}}\nbodies: {col: {type: floating, from: [0, 0, 0], " \
  "to: [0, 2, 0], elements: 8, material: steel, section: flat" more "}}\njoints: {foot: {type: " foot                \
  ", between: [ground, col.start]}" top "}\nforces: {load: {type: force, at: col.end, force: [0.01, -" load          \
  ", 0]}}\n"                                                                                                         \
  "outputs: {top: {point: col.end}}\nanalysis: {type: statics}\n"
#define BLADE(W)                                                                                                       \
  "sinew: 1\nplanar: true\nmaterials: {al: {density: 2700, young: 7e10}}\n"                                            \
  "sections: {flat: {type: rectangle, width: 0.04, height: 0.005}}\nbodies: {hub: {type: rigid, position: [0, 0, 0], " \
  "mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, " W                                                           \
  "]}, blade: {type: floating, from: [0, 0, 0], to: [1, 0, "                                                           \
  "0], elements: 4, material: al, section: flat, stiffness_damping: 2e-3, angular_velocity: [0, 0, " W                 \
  "]}}\n"                                                                                                              \
  "joints: {shaft: {type: revolute, between: ['ground.at(0, 0, 0)', hub.center]}, turn: {type: motion, joint: shaft, " \
  "rotation: '" W                                                                                                      \
  "*t'}, root: {type: fixed, between: [hub.center, blade.start]}}\n"                                                   \
  "outputs: {tip: {point: blade.end}}\nanalysis: {type: dynamics, duration: 0.5, integrator: radau}\n"

#define REACTION_WHEEL(carrier)                                                                                     \
  "sinew: 1\nbodies: {sat: {type: rigid, position: [0, 0, 0], mass: 10, inertia: [1, 1, 1]}, wheel: {type: rigid, " \
  "position: [0, 0, 0], mass: 1, inertia: [0.01, 0.01, 0.01]}}\njoints: {h: {type: revolute, between: [" carrier    \
  ", wheel.center], axis: [0, 0, 1]}, r: {type: rotor, joint: h, inertia: 0.04}}\nforces: {m: {type: actuator, "    \
  "joint: h, command: 0.1}}\noutputs: {h: {joint: h}}\nanalysis: {type: dynamics, duration: 2, integrator: radau}\n"

#define THROWN(analysis)                                                                                              \
  "sinew: 1\nplanar: true\ngravity: [0, -9.81, 0]\nbodies: {m: {type: point-mass, mass: 1, position: [0, 0, 0], "     \
  "velocity: [0, 3, 0]}}\njoints: {h: {type: point-on-line, between: ['ground.at(0, 0, 0)', m], axis: [0, 1, 0]}}\n"  \
  "forces: {k: {type: spring, between: ['ground.at(0, 3, 0)', m], stiffness: 100, length: 3}}\noutputs: {m: {point: " \
  "m}}\nanalysis: " analysis "\n"

/* rigid, so that it rotates without stretching */
#define TURNING(angle, spin)                                                                                       \
  "sinew: 1\nbodies: {hub: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}, blade: {type: rigid, " \
  "from: "                                                                                                         \
  "[0.1, 0, 0], to: [1, 0, 0], mass: 1, inertia: [0.01, 0.1, 0.1]" spin                                            \
  "}}\njoints: {a: {type: revolute, between: [ground, hub.center]}, m: {type: motion, joint: a, rotation: '" angle \
  "'}, f: {type: spherical, between: ['hub.at(0.1, 0, 0)', blade.start]}}\nforces: {k: {type: bushing, between: "  \
  "['hub.at(0.1, 0, 0)', blade.start], turn_stiffness: [100, 100, 100]}}\noutputs: {e: {point: blade.end}}\n"      \
  "analysis: {type: linearize, rotation: [0, 0, 20]}\n"

#define STEEL(output)                                                                                                 \
  "sinew: 1\nplanar: true\ngravity: [0, -9.81, 0]\nmaterials: {m: {density: 7850, young: 2e11}}\nsections: {s: "      \
  "{type: "                                                                                                           \
  "rectangle, width: 0.01, height: 0.01}}\nbodies: {rod: {type: cable, from: [0, 0, 0], to: [1, 0, 0], material: m, " \
  "section: s}}\njoints: {pin: {type: revolute, between: [ground, rod.start]}}\noutputs: {tip: {point: rod.end}, "    \
  "m: " output "}\nanalysis: {type: dynamics, duration: 1, integrator: radau}\n"

#define SPINDLE(axis)                                                                                                  \
  "sinew: 1\nbodies: {sat: {type: rigid, position: [0, 0, 0], mass: 10, inertia: [1, 1, 1], angular_velocity: [0, 0, " \
  "1]}, nut: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [0.01, 0.01, 0.01], angular_velocity: [0, 0, 1]}}\n" \
  "joints: {h: {type: prismatic, between: [sat.center, nut.center], axis: [1, 0, 0]}, r: {type: rotor, joint: h, "     \
  "inertia: 1e-4, ratio: 600" axis                                                                                     \
  "}}\nforces: {m: {type: actuator, joint: h, command: 10}}\noutputs: {h: {joint: h}}\nanalysis: {type: dynamics, "    \
  "duration: 0.5, integrator: radau}\n"

static const struct {
  const char *what, *text;
  sn_trust level;
  const char *reason; /* part of it; NULL: there is none */
} cases[] = {
    /* explicit and implicit methods of high order with tolerances that bring rounding near: the pendulum's energy and
     * joints are exact to them */
    {"erk", HEAD PENDULUM DYNAMICS("{type: erk, tolerance: 1e-7}"), SN_GOOD, NULL},
    {"radau", HEAD PENDULUM DYNAMICS("{type: radau, tolerance: 1e-7}"), SN_GOOD, NULL},
    /* it hangs at rest for long; joints open by rounding, and it sinks by as much */
    {"erk at rest",
     "sinew: 1\nplanar: true\ngravity: [0, -9.81, 0]\nbodies: {rod: {type: rigid, from: [0, 0, 0], to: [0, -1, 0], "
     "mass: 1, inertia: [0.1, 0.1, 1/12]}}\njoints: {pin: {type: revolute, between: [ground, rod.start]}}\n"
     "variables: {z: {rate: '300*exp(-((t - 5)/0.001)^2)'}}\noutputs: {tip: {point: rod.end}}\n"
     "analysis: {type: dynamics, duration: 20, integrator: erk}\n",
     SN_GOOD, NULL},
    /* its first step is the smallest one: that says nothing about the others */
    {"first step",
     HEAD PENDULUM
     "analysis: {type: dynamics, duration: 0.1, output_step: 0.01, integrator: {type: erk, tolerance: 1e-10}}",
     SN_GOOD, NULL},
    /* so is the first one after a kink, where it begins anew: here at knots of a table */
    {"steps after kinks",
     "sinew: 1\nplanar: true\ntables: {k: {x: [-2, -1, 0, 1, 2], y: [-3, -2, 0, 2, 3], interpolation: linear}}\n"
     "bodies: {mass: {type: point-mass, mass: 1, position: [1, 0, 0]}}\n"
     "forces: {spring: {type: force, at: mass, force: [-k(mass.x), 0, 0]}}\noutputs: {mass: {point: mass}}\n"
     "analysis: {type: dynamics, duration: 4, integrator: erk}\n",
     SN_GOOD, NULL},
    /* the power of friction by a reaction, in the long steps of adams, which has no multipliers of its own */
    {"friction by a reaction",
     "sinew: 1\ngravity: [0, 0, -9.81]\nbodies: {mass: {type: rigid, position: [0, 0, 0], mass: 3, inertia: [1, 1, 1], "
     "velocity: [2, 0, 0]}}\njoints: {rail: {type: prismatic, between: [ground, mass.center], axis: [1, 0, 0]}}\n"
     "forces: {press: {type: force, at: mass.center, force: [0, 0, -50*t]}, rub: {type: force, at: mass.center, force: "
     "['-0.3*rail.reaction.fz*tanh(mass.center.vx/0.01)', 0, 0]}}\noutputs: {mass: {point: mass.center}}\n"
     "analysis: {type: dynamics, duration: 1, integrator: adams}\n",
     SN_GOOD, NULL},
    {"slender elements", ELASTICA("20"), SN_DOUBTFUL, "too slender for their bending"},
    {"short elements", ELASTICA("40"), SN_GOOD, NULL},
    {"statics",
     "sinew: 1\ngravity: [0, -0.1, 0]\n" CABLE(
         "from: [0, 0, 0], to: [1, 0, 0]",
         "10") "joints: {wall: {type: fixed, between: ['ground.at(0, 0, 0)', beam.start]}}\n"
               "analysis: {type: statics}\n",
     SN_GOOD, NULL},
    /* the period of the rod is 1.6 s: steps of a thirtieth of it with the strongest damping take a few percent of its
       energy */
    {"damping", HEAD PENDULUM DYNAMICS("{type: hht-i3, alpha: -0.3, step: 0.05}"), SN_DOUBTFUL, "damps by design"},
    {"gain",
     "sinew: 1\ngravity: [0, -9.81, 0]\n" CABLE("from: [0, 0, 0], to: [1, 0, 0]",
                                                "20") "joints: {pin: {type: spherical, "
                                                      "between: ['ground.at(0, 0, 0)', beam.start]}}\n" DYNAMICS(
                                                          "{type: symplectic-euler, elastic: implicit, rho: 1, "
                                                          "step: 5e-3}"),
     SN_DOUBTFUL, "may gain energy"},
    /* v' = a(q) with q of the old time gains energy with every step */
    {"drift", HEAD PENDULUM DYNAMICS("{type: symplectic-euler, stabilize: none, step: 0.02}"), SN_BAD,
     "joints are violated"},
    /* the energy-momentum scheme keeps the energy to rounding, and its periods of 16 steps are too long by a percent */
    {"late", HEAD PENDULUM DYNAMICS("{type: gssss, conserve: energy-momentum, step: 0.1}"), SN_DOUBTFUL,
     "local errors"},
    /* a mass that is driven fast: members of gssss without numerical damping are not said to have some */
    {"driven without damping", DRIVEN_FAST("scheme: midpoint"), SN_DOUBTFUL, "of the energy exchanged\n"},
    {"driven with damping", DRIVEN_FAST("rho: [0, 0, 0]"), SN_DOUBTFUL, "with this 'rho' damps by design"},
    {"driven and conserved", DRIVEN_FAST("conserve: energy-momentum"), SN_GOOD, NULL},
    /* a relay: its speed goes to and fro between -0.01 and 0.01 m/s, and every tenth step ends at an event; a controller whose
       period is 2.1 steps */
    {"events within fixed steps",
     "sinew: 1\nbodies: {m: {type: point-mass, position: [0, 0, 0], mass: 1}}\nvariables: {u: {held: 1}}\nforces: {f: "
     "{type: "
     "force, at: m, force: [u, 0, 0]}}\nevents: {a: {when: m.vx - 0.01, direction: rising, set: {u: -1}}, b: {when: "
     "m.vx + "
     "0.01, direction: falling, set: {u: 1}}}\noutputs: {m: {point: m}}\n" DYNAMICS("{type: hht-i3, step: 1.1e-3}"),
     SN_GOOD, NULL},
    {"instants within fixed steps",
     "sinew: 1\nbodies: {m: {type: point-mass, position: [1, 0, 0], mass: 1}}\ncontrollers: {c: {type: pid, measure: "
     "m.x, "
     "rate: m.vx, kp: 9, kd: 1, period: 0.005}}\nforces: {f: {type: force, at: m, force: [c, 0, 0]}}\noutputs: {m: "
     "{point: "
     "m}}\n" DYNAMICS("{type: erk, step: 2.4e-3}"),
     SN_GOOD, NULL},
    /* what to write so that the sum is bounded */
    {"steps bounded alone", HEAD PENDULUM DYNAMICS("{type: hht-i3, tolerance: 1e-6, bounds: step}"), SN_DOUBTFUL,
     "'integrator: {type: hht-i3, bounds: run}'"},
    {"tolerance", HEAD PENDULUM DYNAMICS("{type: hht-i3, tolerance: 1e-2, min_step: 0.01, max_step: 0.01}"), SN_BAD,
     "the minimum size"},
    /* half a circle in one element */
    {"mesh",
     "sinew: 1\n" CABLE("through: [[0, 0, 0], [1, 1, 0], [2, 0, 0]]",
                        "2") "joints: {a: {type: fixed, between: ['ground.at(0, 0, 0)', "
                             "beam.start]}}\n" DYNAMICS("{type: hht-i3, tolerance: "
                                                        "1e-4}"),
     SN_DOUBTFUL, "use more elements"},
    {"start",
     HEAD "bodies: {rod: {type: rigid, from: [0.2, 0, 0], to: [1.2, 0, 0], mass: 1, shape: {type: box, size: [1, 0.1, "
          "0.1]}}}\n"
          "joints: {pin: {type: spherical, between: ['ground.at(0, 0, 0)', rod.start]}}\n" DYNAMICS("radau"),
     SN_BAD, "the initial positions were changed by"},
    {"velocities",
     HEAD "bodies: {rod: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 1, velocity: [1, 0, 0],"
          " shape: {type: box, size: [1, 0.1, 0.1]}}}\n"
          "joints: {pin: {type: spherical, between: ['ground.at(0, 0, 0)', rod.start]}}\n" DYNAMICS("radau"),
     SN_DOUBTFUL, "given initial velocities"},
    /* two steps in an impact */
    {"impact", BALL("{type: hht-i3, step: 0.002}"), SN_BAD, "too short for fixed steps of 0.002 s"},
    {"impact of a bar", BAR("{type: symplectic-euler, elastic: implicit, step: 0.002}"), SN_BAD,
     "too short for fixed steps of 0.002 s"},
    {"bouncing", BOUNCING("2e-3"), SN_DOUBTFUL, "with contacts and fixed steps"},
    {"bouncing, fine", BOUNCING("2e-4"), SN_GOOD, NULL},
    {"kink", KINK DYNAMICS("{type: symplectic-euler, step: 0.01}"), SN_DOUBTFUL,
     "the velocity prescribed by 'drive' jumps at t = 0.503 s"},
    {"modes",
     HEAD
     "bodies: {rod: {type: rigid, from: [0, 0, 0], to: [0, 1, 0], mass: 1, shape: {type: box, size: [0.1, 1, 0.1]}}}\n"
     "joints: {pin: {type: revolute, between: [ground, rod.start], axis: [0, 0, 1]}}\nanalysis: {type: modes}\n",
     SN_DOUBTFUL, "unstable mode"},
    /* held by a spring at 40 N m/rad, which gravity turns by 0.83 rad: w = 3.48 rad/s here, 4.80 rad/s there */
    {"modes without equilibrium", SPRUNG("{type: modes}"), SN_DOUBTFUL, "modes: the state is at rest but not in equi"},
    {"modes in equilibrium", SPRUNG("[{type: statics}, {type: modes}]"), SN_GOOD, NULL},
    /* Floating columns clamped at the foot: the Euler load (pi/2)^2 EI/L^2 is 539.7 N, that of a pinned one four times
     * as much. By 1/(1 - P/Pcr) a load of a fiftieth changes deflections by 2 %, that of a half doubles them. */
    {"column", COLUMN("fixed", "", "10.8", ""), SN_GOOD, NULL},
    {"column at half its Euler load", COLUMN("fixed", "", "270", ""), SN_DOUBTFUL, "0.5 of its Euler load of 540 N"},
    {"column that buckles", COLUMN("fixed", "", "1080", ""), SN_BAD,
     "'col' carries an axial force of 1.08e+03 N (comp"},
    {"reduced column that buckles", COLUMN("fixed", "", "1080", ", modes: 3"), SN_BAD, "2 of its Euler load of 540 N"},
    {"pinned column",
     COLUMN("revolute", ", top: {type: point-on-line, between: ['ground.at(0, 2, 0)', col.end], axis: [0, 1, 0]}",
            "1080", ""),
     SN_DOUBTFUL, "0.5 of its Euler load of 2.16e+03 N"},
    /* in a rotating one N = m W^2 (L^2 - x^2)/2: in the mean 0.54*20^2/3 N = 72 N */
    {"rotating blade", BLADE("20"), SN_BAD, "'blade' carries an axial force of 72"},
    {"slowly rotating blade", BLADE("2"), SN_GOOD, NULL},
    /* a rotor in space: on a satellite, on the ground, and one whose axis on a body that turns is not known */
    {"rotor on a satellite", REACTION_WHEEL("sat.center"), SN_GOOD, NULL},
    {"rotor on the ground", REACTION_WHEEL("ground"), SN_GOOD, NULL},
    {"rotor of a slide", SPINDLE(""), SN_DOUBTFUL, "'sat' that carries rotor 'r' turns"},
    {"rotor of a slide, with its axis", SPINDLE(", axis: [1, 0, 0]"), SN_GOOD, NULL},
    /* the eigenvalues of an unstable plant are exact */
    {"linearize",
     HEAD
     "bodies: {rod: {type: rigid, from: [0, 0, 0], to: [0, 1, 0], mass: 1, shape: {type: box, size: [0.1, 1, 0.1]}}}\n"
     "joints: {pin: {type: revolute, between: [ground, rod.start], axis: [0, 0, 1]}}\nanalysis: {type: linearize}\n",
     SN_GOOD, NULL},
    /* a block that comes to rest on an incline: all moments of its guide are zero up to rounding */
    {"moments of rounding",
     HEAD
     "bodies: {block: {type: rigid, position: [0, 0, 0], mass: 3, inertia: [1, 1, 1], velocity: [cos(pi/6)*2, 1, 0]}}\n"
     "joints: {guide: {type: prismatic, between: [ground, block.center], axis: [cos(pi/6), sin(pi/6), 0]}}\n"
     "forces: {rub: {type: friction, joint: guide, coefficient: 0.7}}\noutputs: {guide: {reaction: guide}}\n"
     "analysis: {type: dynamics, duration: 1.5}\n",
     SN_GOOD, NULL},
    /* two variables of up to 1e7 that pass zero; the travel has an error of 4e-7 of its amplitude */
    {"variables that pass zero",
     "sinew: 1\nplanar: true\n"
     "bodies: {mass: {type: rigid, position: [0, 0, 0], mass: 50, inertia: [1, 1, 0.2], velocity: [0.5, 0, 0]}}\n"
     "joints: {slide: {type: prismatic, between: [ground, mass.center], axis: [1, 0, 0]}}\n"
     "variables: {a: {rate: -1.4e6*slide.velocity/(1e-3 + 1e-3*slide.position), start: 2e6}, b: {rate: "
     "1.4e6*slide.velocity/(5e-4 - 1e-3*slide.position), start: 2e6}}\n"
     "forces: {oil: {type: actuator, joint: slide, command: 1e-3*(a - b)}}\noutputs: {slide: {joint: slide}}\n"
     "analysis: {type: dynamics, duration: 0.2}\n",
     SN_GOOD, NULL},
    /* a block of 1 mm that sticks on an incline, and one of 1 m: at 0.4 of its friction it creeps at 0.22 of 'slip' */
    {"creep", CREEP("1e-3"), SN_DOUBTFUL, "below the speed 'slip'"},
    {"little creep", CREEP("1"), SN_GOOD, NULL},
    /* it rolls down an incline for 0.2 s, 5/14 g sin a t^2, by steps of 1e-3 s: the error of 0.5 % is the estimated one, and
     * the energy says no more */
    {"rolling, no rebounds",
     "sinew: 1\ngravity: [3, 0, -9.3]\nbodies: {ball: {type: rigid, position: [0, 0, 0.1], mass: 1, shape: {type: "
     "sphere, "
     "radius: 0.1}}}\nsurfaces: {skin: {type: sphere, on: ball}, floor: {type: plane, normal: [0, 0, 1]}}\ncontacts: "
     "{touch: {method: dvi, friction: 0.5}}\noutputs: {p: {point: ball.center}}\nanalysis: {type: dynamics, duration: "
     "0.2, integrator: {type: symplectic-euler, step: 1e-3}}\n",
     SN_GOOD, NULL},
    /* a ball that overlaps the floor by 0.5 mm is shot up by U = 2/5 K d^2.5, as exactly as any motion; it drops there and rebounds
     * if it starts above */
    {"start that overlaps", LAID("0.0995"), SN_DOUBTFUL, "overlap at the start stored 0.52 J"},
    {"start above", LAID("0.2"), SN_GOOD, NULL},
    /* a disk that turns on a plane: its rim rubs, and smaller steps agree; three feet at 2/3 of its radius have the
     * moment of uniform pressure; a box that slides does not turn */
    {"disk that turns on its rim", DISK("{s: {type: cylinder, on: b}, f: {type: plane, normal: [0, 0, 1]}}"),
     SN_DOUBTFUL, "flat parts of 'b' and 'ground' turn on each other by about 2"},
    {"disk that turns on feet",
     DISK("{f: {type: plane, normal: [0, 0, 1]}, p: {type: sphere, on: b, at: [-0.045, 2*0.2/3, 0], radius: 0.005}, q: "
          "{type: sphere, on: b, at: [-0.045, -0.2/3, 0.2/sqrt(3)], radius: 0.005}, r: {type: sphere, on: b, at: "
          "[-0.045, -0.2/3, -0.2/sqrt(3)], radius: 0.005}}"),
     SN_GOOD, NULL},
    {"box that slides",
     "sinew: 1\ngravity: [0, 0, -9.81]\nbodies: {b: {type: rigid, position: [0, 0, 0.05], mass: 1, shape: {type: box, "
     "size: [0.3, 0.3, 0.1]}, velocity: [2, 1, 0]}}\nsurfaces: {s: {type: box, on: b}, f: {type: plane, normal: [0, 0, "
     "1]}}\ncontacts: {c: {method: dvi, friction: 0.3}}\noutputs: {p: {point: b.center}}\nanalysis: {type: dynamics, "
     "duration: 0.5, integrator: {type: symplectic-euler, step: 1e-3}}\n",
     SN_GOOD, NULL},
    {"rod that would roll", ROD("cable", "[0, -0.2, 0.02]", "[0, 0.2, 0.02]", ""), SN_DOUBTFUL,
     "would make it roll, by about 0.21 m"},
    {"beam that would roll", ROD("beam", "[0, 0.2, 0.02]", "[0, -0.2, 0.02]", ""), SN_DOUBTFUL,
     "would make it roll, by about 0.21 m"},
    {"floating body that would roll",
     ROD("floating", "[0, -0.2, 0.02]", "[0, 0.2, 0.02]", "e: {type: spherical, between: [ground, c.start]}"),
     SN_DOUBTFUL, "would make it roll"},
    {"rod down the slope", ROD("cable", "[0, 0, 0.02]", "[0.4, 0, 0.02]", ""), SN_GOOD, NULL},
    {"rod that is held",
     ROD("cable", "[0, -0.2, 0.02]", "[0, 0.2, 0.02]", "e: {type: fixed, between: [ground, c.start]}"), SN_GOOD, NULL},
    /* where they lean on each other contacts meet in one point, and do not turn */
    {"dominoes", DOMINOES, SN_GOOD, NULL},
    {"hole", SIEVE("[0, 0, -1]", ""), SN_DOUBTFUL, "surface 'b' fits between the spheres of 'p', about 0.02"},
    {"smooth plate", SIEVE("[0, 0, 1]", "exact: true"), SN_GOOD, NULL},
    /* velocities of the file are gone after statics; without statics, or without a stage that needs them, nothing is lost */
    {"lost velocity", THROWN("[{type: statics}, {type: dynamics, duration: 1}]"), SN_DOUBTFUL, "gives to 'm' are lost"},
    {"lost velocity, linearize", THROWN("[statics, linearize]"), SN_DOUBTFUL, "gives to 'm' are lost"},
    {"velocity, modes", THROWN("[statics, modes]"), SN_GOOD, NULL},
    {"velocity", THROWN("{type: dynamics, duration: 1}"), SN_GOOD, NULL},
    {"velocity that statics does not need", THROWN("statics"), SN_GOOD, NULL},
    /* a steel pendulum without damping: positions are right to 1e-5 of its length, the moment in its middle to 7 % */
    {"resultants", STEEL("{resultant: rod.at(0.5)}"), SN_DOUBTFUL, "stress resultants 'm' differ"},
    {"stresses", STEEL("{stress: rod.at(0.5)}"), SN_DOUBTFUL, "stresses 'm' differ"},
    {"positions alone", STEEL("{point: rod.at(0.5)}"), SN_GOOD, NULL},
    /* of a rod that rests, all are rounding */
    {"resultants of nothing",
     "sinew: 1\nmaterials: {m: {density: 7850, young: 2e11}}\nsections: {s: {type: circle, radius: 0.01}}\nbodies: "
     "{rod: "
     "{type: beam, from: [0, 0, 0], to: [2, 1, 0.3], elements: 4, material: m, section: s, velocity: [1, 0, 0]}}\n"
     "outputs: {m: {resultant: rod.at(0.5)}, s: {stress: rod.at(0.5)}}\nanalysis: {type: dynamics, duration: 1}\n",
     SN_GOOD, NULL},
    /* modes of what falls freely are those without gravity; of a mass on a spring that gravity has not stretched yet not */
    {"modes in free fall",
     "sinew: 1\ngravity: [0, 0, -9.81]\nmaterials: {m: {density: 7850, young: 2e11}}\nsections: {s: {type: circle, "
     "radius: 0.01}}\nbodies: {rod: {type: beam, from: [0, 0, 0], to: [2, 0, 0], elements: 4, material: m, section: "
     "s}, "
     "box: {type: rigid, position: [2, 0, 0], mass: 1, inertia: [1, 1, 1]}}\njoints: {f: {type: fixed, between: "
     "[rod.end, box.center]}}\nanalysis: modes\n",
     SN_GOOD, NULL},
    {"modes of a mass that is let go",
     "sinew: 1\ngravity: [0, 0, -9.81]\nbodies: {box: {type: rigid, position: [2, 0, 0], mass: 1, inertia: [1, 1, "
     "1]}}\n"
     "forces: {k: {type: spring, between: ['ground.at(2, 0, 1)', box.center], stiffness: 100}}\nanalysis: modes\n",
     SN_DOUBTFUL, "not in equilibrium"},
    /* a blade that stands still, or moves at its root only, while 'rotation' says that it rotates */
    {"blade at rest", TURNING("0", ""), SN_DOUBTFUL, "the model is at rest"},
    {"blade on a hub that turns", TURNING("20*t", ""), SN_DOUBTFUL, "not a steady rotation"},
    {"blade that turns", TURNING("20*t", ", angular_velocity: [0, 0, 20]"), SN_GOOD, NULL},
};

static void rules_hold(void **state) {
  (void)state;
  for (size_t i = 0; i < SN_COUNT(cases); i++) {
    run r;
    open_run(&r, cases[i].text, NULL);
    sn_verdict v = verdict_of(&r, SN_OK);
    bool said = cases[i].reason ? strstr(v.reasons, cases[i].reason) != NULL : v.reasons[0] == 0;
    if (!said || v.level != cases[i].level)
      fail_msg("%s: %s instead of %s\n%s", cases[i].what, sn_trust_names[v.level], sn_trust_names[cases[i].level],
               v.reasons);
    close_run(&r);
  }
}

/* Work counts as energy exchanged, and so does what gravity gives to friction and damping. */
static void exchange_is_not_only_kinetic(void **state) {
  (void)state;
  run r;
  /* a mass sinks in a strong damper: 9.81 J/s of gravity go through, the kinetic energy stays at 0.005 J */
  open_run(&r,
           HEAD
           "bodies: {mass: {type: point-mass, mass: 1, position: [0, 0, 0]}}\n"
           "forces: {oil: {type: spring, between: ['ground.at(0, 10, 0)', mass], stiffness: 0, damping: 100, length: "
           "1}}\n" DYNAMICS("{type: radau, tolerance: 1e-6}"),
           NULL);
  sn_verdict v = verdict_of(&r, SN_OK);
  const sn_evidence *e = &r.simulation->evidence;
  double sunk = e->high[SN_E_GRAVITY] - e->low[SN_E_GRAVITY];
  assert_true(sunk > 50 * e->high[SN_E_KINETIC]);
  assert_int_equal(v.level, SN_GOOD);
  close_run(&r);
}

/* A cart of 1 kg is driven by 0.1 m and back, in 0.05 s each and between two rows: by 7.03 J, as a step of fifth degree
 * has the largest speed 15/8 d/T. */
static void work_between_rows_counts(void **state) {
  (void)state;
  run r;
  open_run(&r,
           "sinew: 1\nplanar: true\nbodies: {cart: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}}\n"
           "joints: {rail: {type: prismatic, between: [ground, cart.center], axis: [1, 0, 0]}, drive: {type: motion, "
           "joint: rail, translation: 'step(t, 1, 0, 1.05, 0.1) - step(t, 1.05, 0, 1.1, 0.1)'}}\n"
           "analysis: {type: dynamics, duration: 2, output_step: 0.5, integrator: hht-i3}\n",
           NULL);
  verdict_of(&r, SN_OK);
  const double work = r.simulation->evidence.high[SN_E_DRIVER];
  assert_below(fabs(work - 0.5 * 3.75 * 3.75), 0.1, "exchanged %g J", work);
  close_run(&r);
}

static void impacts_followed_are_not_told(void **state) {
  (void)state;
  run r;
  open_run(&r, BALL("{type: symplectic-euler, step: 5e-5}"), NULL);
  assert_null(strstr(verdict_of(&r, SN_OK).reasons, "too short for fixed steps"));
  assert_int_equal(r.simulation->system->statistics.unseen_impacts, 0);
  close_run(&r);
}

/* Steps with impacts that are not all resolved: one in a thousand is enough to say so. */
static void impacts_left_are_told(void **state) {
  (void)state;
  run r;
  open_run(&r, HEAD PENDULUM DYNAMICS("{type: radau, tolerance: 1e-7}"), NULL);
  assert_int_equal(verdict_of(&r, SN_OK).level, SN_GOOD);
  sn_statistics *count = &r.simulation->system->statistics;
  count->contact.impacts_left = 1 + count->steps / 100;
  sn_verdict v = sn_judge(r.simulation, SN_OK);
  assert_int_equal(v.level, SN_DOUBTFUL);
  assert_non_null(strstr(v.reasons, "not all impacts were resolved"));
  close_run(&r);
}

/* A crank that turns round and round carries an error of its energy on in full: adams is off by 24 tolerances of the
 * slider's way after 3 s, with an energy error of 2 (against radau at 1e-10). A pendulum that swings does not. */
static void turning_carries_more(void **state) {
  (void)state;
  static const double tolerances[] = {1e-4, 1e-6};
  for (size_t i = 0; i < SN_COUNT(tolerances); i++) {
    run r;
    sn_options options = {.integrator = "{type: adams, bounds: step}", .tolerance = tolerances[i]};
    open_run(&r, "models/spatial-slider-crank.yaml", &options);
    sn_verdict v = verdict_of(&r, SN_OK);
    if (v.level != SN_DOUBTFUL) fail_msg("%g: %s", tolerances[i], v.reasons);
    close_run(&r);
  }
}

static void keep_late(void *late, const sn_simulation *s) {
  *(double *)late = sn_evidence_late(s);
}

#define CRANK "models/spatial-slider-crank.yaml"
#define WHEEL                                                                                                          \
  "sinew: 1\nbodies: {wheel: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.2], angular_velocity: " \
  "[0, 0, 20], points: {rim: [0.3, 0, 0]}}}\n"                                                                         \
  "outputs: {rim: {point: wheel.rim}}\n"                                                                               \
  "analysis: {type: dynamics, duration: 3, output_step: 0.01}\n"

/* What an energy error, carried on as a shift in time, moves points by is foretold: against the error of the run from
 * one by radau at 1e-11, within a third. Above ten tolerances no run is good. The wheel turns evenly, without swings.
 */
static void shift_in_time_is_foretold(void **state) {
  (void)state;
  static const struct {
    const char *model, *method;
    double tolerance;
    bool in_phase; /* the method's own error in phase, which energy does not show, is small */
  } list[] = {
      {CRANK, "gssss", 1e-3, true},
      {CRANK, "gssss", 1e-5, true},
      {CRANK, "adams", 1e-4, true},
      {CRANK, "ida", 1e-5, true},
      {CRANK, "radau5", 1e-4, true},
      {CRANK, "hht-i3", 1e-4, true},
      {WHEEL, "{type: radau5, bounds: step}", 1e-4, true},
      {WHEEL, "{type: erk, bounds: step}", 1e-4, true},
      {WHEEL, "{type: hht-i3, bounds: step}", 1e-4, false},
      {WHEEL, "newmark", 1e-4, false},
  };
  for (size_t i = 0; i < SN_COUNT(list); i++) {
    sn_context *context = sn_context_create();
    sn_model *model = parse(context, list[i].model);
    sn_trial reference, trial;
    double late = 0;
    sn_trial_run(model, &(sn_options){.integrator = "radau", .tolerance = 1e-11}, &reference);
    sn_options options = {.integrator = list[i].method, .tolerance = list[i].tolerance};
    sn_trial_watch(model, &options, keep_late, &late, &trial);
    const double error = sn_trial_relative(&trial, &reference, SN_POSITIONS) / list[i].tolerance;
    if (list[i].in_phase && !(fabs(late - error) <= error / 3))
      fail_msg("%s: error of %g tolerances, foretold %g", list[i].method, error, late);
    if (error > 10 && trial.trust == SN_GOOD) fail_msg("%s: off by %g tolerances, good", list[i].method, error);
    sn_trial_free(&trial);
    sn_trial_free(&reference);
    sn_model_free(model);
    sn_context_free(context);
  }
}

static void failure_is_bad(void **state) {
  (void)state;
  run r;
  open_run(&r, HEAD PENDULUM DYNAMICS("radau"), NULL);
  sn_verdict v = sn_judge(r.simulation, SN_NUMERICS);
  assert_int_equal(v.level, SN_BAD);
  assert_non_null(strstr(v.reasons, "did not reach its end"));
  assert_int_equal(sn_judge(r.simulation, SN_INTERRUPTED).level, SN_GOOD);
  close_run(&r);
}

/* Told once each, worst first, of too many only the first; and a checkpoint keeps them. */
static void doubts_are_kept(void **state) {
  (void)state;
  run r, other;
  char text[32];
  open_run(&r, HEAD PENDULUM DYNAMICS("radau"), NULL);
  sn_add_doubt(r.simulation, SN_DOUBTFUL, "one");
  sn_add_doubt(r.simulation, SN_DOUBTFUL, "one");
  sn_add_doubt(r.simulation, SN_BAD, "two");
  assert_int_equal(r.simulation->doubts.count, 2);
  assert_string_equal(sn_judge(r.simulation, SN_OK).reasons, "bad: two\ndoubtful: one\n");
  advance(&r, 0.1);
  sn_history history = {0};
  sn_checkpoint_save(r.simulation, &history);
  open_run(&other, HEAD PENDULUM DYNAMICS("radau"), NULL);
  assert_int_equal(sn_checkpoint_load(other.simulation, &history), SN_OK);
  assert_string_equal(sn_judge(other.simulation, SN_OK).reasons, "bad: two\ndoubtful: one\n");
  for (int i = 0; i < 100; i++) {
    snprintf(text, sizeof text, "number %d", i);
    sn_add_doubt(r.simulation, SN_DOUBTFUL, text);
  }
  assert_int_equal(r.simulation->doubts.count, SN_MOST_DOUBTS);
  assert_non_null(strstr(sn_judge(r.simulation, SN_OK).reasons, "and 86 more"));
  sn_history_free(&history);
  close_run(&r);
  close_run(&other);
}

/* The file has it, whole. */
static void the_file_has_it(void **state) {
  (void)state;
  char path[] = "/tmp/sinew-trust-XXXXXX";
  run r;
  sn_writer *writer;
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  close(descriptor);
  open_run(&r, HEAD PENDULUM DYNAMICS("{type: hht-i3, alpha: -0.3, step: 0.05}"), NULL);
  assert_int_equal(sn_writer_open(r.simulation, path, &writer), SN_OK);
  assert_int_equal(sn_record(r.simulation, writer, NULL, NULL), SN_OK);
  assert_int_equal(sn_writer_close(writer, SN_OK, ""), SN_OK);
  sn_result *result;
  assert_int_equal(sn_result_open(r.context, path, &result), SN_OK);
  assert_string_equal(sn_result_about(result)->trust, "doubtful");
  assert_string_equal(sn_result_about(result)->reasons, r.simulation->verdict.reasons);
  sn_result_free(result);
  close_run(&r);
  unlink(path);
}

/* Motions that make much of small errors: a body that turns about its middle axis tumbles, a tree falls from next to
 * upright, a double pendulum is chaotic. Energy, joints and local errors are as they should be, and positions are off
 * by hundreds of tolerances. References are tight runs of radau; gam at 1e-10 agrees with them. */
static void unstable_motion_is_told(void **state) {
  (void)state;
  static const char *const texts[] = {
      "sinew: 1\nbodies: {racket: {type: rigid, position: [0, 0, 0], mass: 0.3, inertia: [0.02, 0.05, 0.06],"
      " angular_velocity: [0.05, 12, 0.02]}}\noutputs: {tip: {point: 'racket.at(1, 0, 0)'}}\n"
      "analysis: {type: dynamics, duration: 6}\n",
      HEAD
      "bodies: {tree: {type: rigid, from: [0, 0, 0], to: [0.012, 12, 0], mass: 800, inertia: [20, 9600, 9600]}}\n"
      "joints: {foot: {type: revolute, between: [ground, tree.start]}}\noutputs: {top: {point: tree.end}}\n"
      "analysis: {type: dynamics, duration: 7.5}\n",
      HEAD
      "bodies:\n  a: {type: point-mass, mass: 1, position: [sin(2), -cos(2), 0]}\n"
      "  b: {type: point-mass, mass: 1, position: [sin(2) + sin(2.5), -cos(2) - cos(2.5), 0]}\n"
      "joints: {one: {type: distance, between: ['ground.at(0, 0, 0)', a]}, two: {type: distance, between: [a, "
      "b]}}\n"
      "outputs: {b: {point: b}}\nanalysis: {type: dynamics, duration: 8}\n"};
  static const char *const methods[] = {"auto", "radau", "gam", "erk", "adams", "{type: hht-i3, bounds: step}"};
  static const double tolerances[] = {1e-3, 1e-5, 1e-7};
  int told = 0, right = 0;
  for (size_t i = 0; i < SN_COUNT(texts); i++) {
    sn_context *context = sn_context_create();
    sn_model *model = parse(context, texts[i]);
    sn_trial reference, trial;
    sn_trial_run(model, &(sn_options){.integrator = "radau", .tolerance = 1e-12}, &reference);
    assert_int_equal(reference.status, SN_OK);
    for (size_t k = 0; k < SN_COUNT(methods) * SN_COUNT(tolerances); k++) {
      const char *method = methods[k / SN_COUNT(tolerances)];
      double tolerance = tolerances[k % SN_COUNT(tolerances)];
      sn_trial_run(model, &(sn_options){.integrator = method, .tolerance = tolerance}, &trial);
      if (trial.status) fail_msg("%d by %s: %s", (int)i, method, trial.message);
      double error = sn_trial_relative(&trial, &reference, SN_POSITIONS) / tolerance;
      if (trial.trust == SN_GOOD && error > 10)
        fail_msg("%d by %s at %g is off by %g tolerances and good", (int)i, method, tolerance, error);
      told += strstr(trial.reasons, "a more accurate companion run differs from this one") != NULL;
      right += trial.trust == SN_GOOD;
      sn_trial_free(&trial);
    }
    sn_trial_free(&reference);
    sn_model_free(model);
    sn_context_free(context);
  }
  assert_true(told > 20 && right > 5);
}

/* A mass on a spring, 200 rad/s, vibrates by 5e-6 m in a model of 1 m: far below what tolerances are relative to, and a
 * motion all the same. By the closed form x = v/w sin w t. */
static void small_vibrations_are_told(void **state) {
  (void)state;
  static const char text[] =
      "sinew: 1\nplanar: true\nbodies: {mass: {type: rigid, position: [0, 0, 0], mass: 100, inertia: [1, 1, 1], "
      "velocity: [1e-3, 0, 0]}}\njoints: {slide: {type: prismatic, between: [ground, mass.center], axis: [1, 0, 0]}}\n"
      "forces: {spring: {type: spring, between: ['ground.at(-1, 0, 0)', mass.center], stiffness: 4e6}}\n"
      "outputs: {mass: {point: mass.center}}\nanalysis: {type: dynamics, duration: 0.1}\n";
  static const char *const methods[] = {"auto", "hht-i3", "radau", "gam", "erk", "adams", "ida"};
  static const double absolute[] = {1e-5, 1e-7, 1e-9, 5e-11};
  sn_context *context = sn_context_create();
  sn_model *model = parse(context, text);
  sn_trial trial;
  int right = 0;
  for (size_t k = 0; k < SN_COUNT(methods) * SN_COUNT(absolute); k++) {
    const double tolerance = 1e-5;
    char method[100];
    double error = 0;
    snprintf(method, sizeof method, "{type: %s, relative: %g, absolute: %g}", methods[k / SN_COUNT(absolute)],
             tolerance, absolute[k % SN_COUNT(absolute)]);
    sn_trial_run(model, &(sn_options){.integrator = method}, &trial);
    if (trial.status) fail_msg("%s: %s", method, trial.message);
    for (int i = 0; i < trial.rows; i++) {
      const double x = trial.value[SN_POSITIONS][(size_t)i * (size_t)trial.columns[SN_POSITIONS]];
      error = fmax(error, fabs(x / 5e-6 - sin(200 * trial.t[i])) / tolerance);
    }
    if (trial.trust == SN_GOOD && error > 10) fail_msg("%s is off by %g tolerances and good", method, error);
    right += trial.trust == SN_GOOD;
    sn_trial_free(&trial);
  }
  sn_model_free(model);
  sn_context_free(context);
  assert_true(right > 0);
}

/* What a run is off by is asked of a finer one, not of signs: local errors that add up to much would make this run
 * doubtful, but it is off by less than ten tolerances. Without a companion signs are all there is. */
static void seen_is_better_than_signs(void **state) {
  (void)state;
  run r;
  open_run(&r, "models/spatial-slider-crank.yaml", NULL);
  verdict_of(&r, SN_OK);
  sn_statistics *count = &r.simulation->system->statistics;
  assert_true(count->estimated_error > 0 && count->estimated_error < 10);
  assert_true(count->estimated_until == r.simulation->state.t);
  count->local_error = 1;
  sn_verdict v = sn_judge(r.simulation, SN_OK);
  if (v.level != SN_GOOD) fail_msg("%s", v.reasons);
  r.simulation->evidence.not_compared = true;
  v = sn_judge(r.simulation, SN_OK);
  assert_int_equal(v.level, SN_DOUBTFUL);
  assert_non_null(strstr(v.reasons, "local errors"));
  close_run(&r);
}

/* Boxes at rest by complementarity exchange next to no energy: what the solver leaves is no error of the run. */
static void rest_is_good(void **state) {
  (void)state;
  run r;
  open_run(
      &r,
      "sinew: 1\ngravity: [4.905, -8.4957, 0]\n"
      "bodies: {box: {type: rigid, position: [0, 0.1, 0], density: 1000, shape: {type: box, size: [0.4, 0.2, 0.3]}}}\n"
      "surfaces: {box: {type: box, on: box}, floor: {type: plane, normal: [0, 1, 0]}}\n"
      "contacts: {all: {method: dvi, friction: 0.7}}\noutputs: {box: {point: box.center}}\n"
      "analysis: {type: dynamics, duration: 1, integrator: {type: symplectic-euler, step: 1e-3}}\n",
      NULL);
  sn_row row;
  sn_row_create(r.simulation, &row);
  sn_status status = SN_OK;
  while (status == SN_OK && !sn_all_finished(r.simulation)) {
    status = sn_step(r.simulation);
    sn_sample(r.simulation, sn_time(r.simulation), &row);
  }
  sn_verdict verdict = sn_judge(r.simulation, status);
  if (verdict.level != SN_GOOD) fail_msg("%s", verdict.reasons);
  close_run(&r);
}

/* A stack of prisms and disks at rest by complementarity creeps by what the solver leaves, 1e-6 m/s: that is no motion
 * with an error of its own. What slides is a motion, however short. */
static void creep_is_no_motion(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    char text[3000], bodies[1000] = "", surfaces[1200] = "";
    const bool slides = k == 2;
    int n = 0, m = 0;
    run r;
    for (int i = 0; i < 4; i++) {
      const double x = 0.02 * sin(2.0 * i), y = 0.02 * cos(3.0 * i), w = sin(PI / 3) * 0.1;
      n += snprintf(bodies + n, sizeof bodies - (size_t)n,
                    "b%d: {type: rigid, position: [%g, %g, %g], mass: %g, inertia: [3e-3, 3e-3, 5e-3]}, ", i, x, y,
                    0.04 + 0.08 * i, 1 + 0.5 * i);
      m += k == 1 && i % 2
               ? snprintf(surfaces + m, sizeof surfaces - (size_t)m,
                          "s%d: {type: cylinder, on: b%d, from: [0, 0, -0.04], to: [0, 0, 0.04], radius: 0.1}, ", i, i)
               : snprintf(surfaces + m, sizeof surfaces - (size_t)m,
                          "s%d: {type: convex, on: b%d, points: [[0.1, 0, -0.04], [-0.05, %g, -0.04], [-0.05, %g, "
                          "-0.04], [0.1, 0, 0.04], [-0.05, %g, 0.04], [-0.05, %g, 0.04]]}, ",
                          i, i, w, -w, w, -w);
    }
    snprintf(text, sizeof text,
             "sinew: 1\ngravity: [%g, 0, -9.81]\nbodies: {%s}\nsurfaces: {%sfloor: {type: plane, normal: [0, 0, "
             "1]}}\ncontacts: {all: {method: dvi, friction: 0.4}}\noutputs: {top: {point: b3.center}}\n"
             "analysis: {type: dynamics, duration: %g, output_step: 0.02, integrator: {type: symplectic-euler, step: "
             "1e-3}}\n",
             slides ? 4.2 : 0.0, bodies, surfaces, slides ? 0.06 : 4.0);
    open_run(&r, text, NULL);
    const sn_verdict v = verdict_of(&r, SN_OK);
    const double off = r.simulation->system->statistics.estimated_error;
    print_message("stack %d: way %.2g m, estimated error %.2g\n", k, r.simulation->evidence.displacement, off);
    if (slides)
      assert_true(off > 1);
    else
      assert_below(off, 10, "stack %d at rest, thousandths", k);
    if (!slides && v.level != SN_GOOD) fail_msg("stack %d at rest: %s", k, v.reasons);
    close_run(&r);
  }
}

/* Newton's cradle with five balls: the last one gets the swing of the first, 0.4 rad. Short steps have a companion to the
 * end, too: a smaller step is no worse. */
static void short_steps_are_compared(void **state) {
  (void)state;
  static const double steps[] = {5e-4, 1e-4};
  for (size_t k = 0; k < SN_COUNT(steps); k++) {
    char text[4000];
    int n = snprintf(text, sizeof text, "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n");
    for (int i = 0; i < 5; i++)
      n += snprintf(text + n, sizeof text - (size_t)n,
                    "  b%d: {type: rigid, position: ['%d/10 - %g*sin(0.4)', 0, '-1 + %g*(1 - cos(0.4))'], mass: 1, "
                    "inertia: [1e-3, 1e-3, 1e-3], rotation: {axis: [0, 1, 0], angle: %g}}\n",
                    i, i, i ? 0. : 1., i ? 0. : 1., i ? 0 : 0.4);
    n += snprintf(text + n, sizeof text - (size_t)n, "joints:\n");
    for (int i = 0; i < 5; i++)
      n +=
          snprintf(text + n, sizeof text - (size_t)n,
                   "  h%d: {type: revolute, between: ['ground.at(%d/10, 0, 0)', 'b%d.at(0, 0, 1)'], axis: [0, 1, 0]}\n",
                   i, i, i);
    n += snprintf(text + n, sizeof text - (size_t)n, "surfaces:\n");
    for (int i = 0; i < 5; i++)
      n += snprintf(text + n, sizeof text - (size_t)n, "  s%d: {type: sphere, on: b%d, radius: 0.05}\n", i, i);
    snprintf(text + n, sizeof text - (size_t)n,
             "contacts: {all: {method: dvi, restitution: 1}}\noutputs: {last: {joint: h4}}\n"
             "analysis: {type: dynamics, duration: 4, integrator: {type: symplectic-euler, step: %g, impact: "
             "sequential}}\n",
             steps[k]);
    run r;
    open_run(&r, text, NULL);
    const sn_verdict v = verdict_of(&r, SN_OK);
    if (v.level != SN_GOOD) fail_msg("step %g: %s", steps[k], v.reasons);
    assert_below(-r.simulation->system->statistics.estimated_until, -3.99, "step %g: end of the estimate", steps[k]);
    close_run(&r);
  }
}

/* A spline through uneven points goes far beyond them. */
static void splines_that_overshoot(void **state) {
  (void)state;
  run r;
  open_run(&r,
           "sinew: 1\ntables: {pl: {x: [0, 73.2, 73.205, 73.21, 100], y: [0, 0, 200, 0, 0]}}\n"
           "bodies: {m: {type: point-mass, mass: 1, position: [0, 0, 0]}}\n"
           "forces: {f: {type: force, at: m, force: [\"pl(t)\", 0, 0]}}\noutputs: {m: {point: m}}\n"
           "analysis: {type: dynamics, duration: 1}\n",
           NULL);
  assert_int_equal(r.simulation->doubts.level, SN_BAD);
  assert_non_null(strstr(r.simulation->doubts.doubt[0].text, "'pl'"));
  close_run(&r);
}

/* An undamped rope that is laid over a wheel with friction: the remedy that is named takes fewer steps. */
static void undamped_ropes(void **state) {
  (void)state;
  static const char rope[] =
      "sinew: 1\nplanar: true\ngravity: [0, -9.81, 0]\nparameters: {a: 0.10315}\n"
      "materials: {m: {density: 1000, young: 1e8, poisson: 0.4}}\nsections: {s: {type: circle, radius: 0.003}}\n"
      "bodies:\n  rope: {type: cable, through: [%s], elements: 20, material: m, section: s%s}\n"
      "  left: {type: point-mass, mass: 0.3, attach: rope.start}\n  right: {type: point-mass, mass: 0.4, attach: "
      "rope.end}\nsurfaces:\n  skin: {type: spheres, on: rope, count: 61}\n"
      "  wheel: {type: cylinder, on: ground, from: [0, 0, -0.02], to: [0, 0, 0.02], radius: 0.1}\n"
      "contacts: {touch: {friction: 0.2}}\noutputs: {right: {point: rope.end}}\n"
      "analysis: {type: dynamics, duration: 0.05}\n";
  static const char line[] =
      "[-a, -0.1, 0], [-a, -0.03, 0], [-a, 0, 0], [-a*cos(1*pi/12), a*sin(1*pi/12), 0], [-a*cos(2*pi/12), "
      "a*sin(2*pi/12), 0], [-a*cos(3*pi/12), a*sin(3*pi/12), 0], [-a*cos(4*pi/12), a*sin(4*pi/12), 0], "
      "[-a*cos(5*pi/12), a*sin(5*pi/12), 0], [-a*cos(6*pi/12), a*sin(6*pi/12), 0], [-a*cos(7*pi/12), "
      "a*sin(7*pi/12), 0], [-a*cos(8*pi/12), a*sin(8*pi/12), 0], [-a*cos(9*pi/12), a*sin(9*pi/12), 0], "
      "[-a*cos(10*pi/12), a*sin(10*pi/12), 0], [-a*cos(11*pi/12), a*sin(11*pi/12), 0], [a, 0, 0], [a, "
      "-0.03, 0], [a, -0.1, 0]";
  static const char *const damping[] = {"", ", stiffness_damping: 1e-4"};
  long steps[2];
  for (int k = 0; k < 2; k++) {
    char text[2000];
    run r;
    snprintf(text, sizeof text, rope, line, damping[k]);
    open_run(&r, text, NULL);
    advance(&r, 0.05);
    const bool named = strstr(sn_judge(r.simulation, SN_OK).reasons, "'stiffness_damping' on it") != NULL;
    assert_int_equal(named, k == 0);
    steps[k] = r.simulation->system->statistics.steps;
    close_run(&r);
  }
  assert_below(2.0 * (double)steps[1], (double)steps[0], "steps with the damping that is named, twice");
}

/* Steel boxes on each other: without damping of their contacts they vibrate for ever, by less than a hundredth of a
 * millimeter; the remedy that is named saves steps. */
static void settling_needs_damping(void **state) {
  (void)state;
  static const char boxes[] =
      "sinew: 1\ngravity: [0, 0, -9.81]\nmaterials: {steel: {density: 7850, young: 2.1e11, poisson: 0.3}}\nbodies:\n"
      "  a: {type: rigid, position: [0, 0, 0.05], density: 7850, shape: {type: box, size: [0.1, 0.1, 0.1]}}\n"
      "  b: {type: rigid, position: [0.01, 0, 0.15], density: 7850, shape: {type: box, size: [0.1, 0.1, 0.1]}}\n"
      "  c: {type: rigid, position: [-0.01, 0.01, 0.25], density: 7850, shape: {type: box, size: [0.1, 0.1, 0.1]}}\n"
      "surfaces: {floor: {type: plane, normal: [0, 0, 1], material: steel}, a: {type: box, on: a, material: steel}, b: "
      "{type: box, on: b, material: steel}, c: {type: box, on: c, material: steel}}\n"
      "contacts: {all: {friction: 0.3%s}}\noutputs: {c: {point: c.center}}\n"
      "analysis: {type: dynamics, duration: 0.3, output_step: 0.01}\n";
  static const char *const damping[] = {"", ", restitution: 0.5, impact_speed: 0.1"};
  long steps[2];
  for (int k = 0; k < 2; k++) {
    char text[1500];
    run r;
    snprintf(text, sizeof text, boxes, damping[k]);
    open_run(&r, text, NULL);
    const char *reasons = verdict_of(&r, SN_OK).reasons;
    if (k == 0) assert_non_null(strstr(reasons, "points move by"));
    assert_int_equal(strstr(reasons, "nothing comes to rest") != NULL, k == 0);
    steps[k] = r.simulation->system->statistics.steps;
    close_run(&r);
  }
  print_message("%ld and %ld steps\n", steps[0], steps[1]);
  assert_below((double)steps[1], 0.67 * (double)steps[0], "steps with the damping that is named");
}

/* A pendulum in space, of 1 m and of 10 um, by radau: whatever its size, its end is within a tolerance of that of
 * p'' = -3 g/(2 L) sin p, and directions of its hinge are off by angles, which are not compared with its length. Beyond
 * a limit directions are told as such. */
static void directions_are_no_lengths(void **state) {
  (void)state;
  static const char text[] =
      "sinew: 1\ngravity: [0, -9.81, 0]\nparameters: {L: %g}\nbodies: {rod: {type: rigid, from: [0, 0, 0], to: "
      "[L*sin(1), -L*cos(1), 0], mass: 1000*L^3, inertia: [L^5, 1000*L^5/12, 1000*L^5/12]}}\njoints: {pin: {type: "
      "revolute, between: [ground, rod.start], axis: [0, 0, 1]}}\noutputs: {tip: {point: rod.end}}\nanalysis: {type: "
      "dynamics, duration: 10*sqrt(L), integrator: {type: radau, tolerance: 1e-5}}\n";
  for (int k = 0; k < 2; k++) {
    const double L = k ? 1e-5 : 1;
    double tip[2], p = 1, w = 0, h = 10 * sqrt(L) / 20000;
    char model[1000];
    run r;
    snprintf(model, sizeof model, text, L);
    open_run(&r, model, NULL);
    const sn_verdict v = verdict_of(&r, SN_OK);
    read_output(&r, "tip", tip, 2);
    for (int i = 0; i < 20000; i++) { /* velocity Verlet, error 1e-7 */
      w -= h / 2 * 1.5 * 9.81 / L * sin(p);
      p += h * w;
      w -= h / 2 * 1.5 * 9.81 / L * sin(p);
    }
    assert_below(hypot(tip[0] - L * sin(p), tip[1] + L * cos(p)), 5e-5 * L, "tip of a pendulum of %g m", L);
    if (v.level != SN_GOOD) fail_msg("pendulum of %g m: %s", L, v.reasons);
    r.simulation->evidence.open[1] = 0.002;
    assert_non_null(strstr(sn_judge(r.simulation, SN_OK).reasons, "directions of joints are off by up to 0.002 rad"));
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(undamped_ropes),
                                     cmocka_unit_test(directions_are_no_lengths),
                                     cmocka_unit_test(rules_hold),
                                     cmocka_unit_test(exchange_is_not_only_kinetic),
                                     cmocka_unit_test(work_between_rows_counts),
                                     cmocka_unit_test(impacts_followed_are_not_told),
                                     cmocka_unit_test(impacts_left_are_told),
                                     cmocka_unit_test(turning_carries_more),
                                     cmocka_unit_test(shift_in_time_is_foretold),
                                     cmocka_unit_test(failure_is_bad),
                                     cmocka_unit_test(doubts_are_kept),
                                     cmocka_unit_test(the_file_has_it),
                                     cmocka_unit_test(unstable_motion_is_told),
                                     cmocka_unit_test(small_vibrations_are_told),
                                     cmocka_unit_test(seen_is_better_than_signs),
                                     cmocka_unit_test(rest_is_good),
                                     cmocka_unit_test(creep_is_no_motion),
                                     cmocka_unit_test(short_steps_are_compared),
                                     cmocka_unit_test(settling_needs_damping),
                                     cmocka_unit_test(splines_that_overshoot)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
