/* cases.c - one small model for every kind and variant of bodies, joints and forces.
 *
 * The stiffness is low and the section thick, so that axial and bending terms are of one size and neither hides
 * an error in the other. The sizes are chosen without symmetry for the same reason.
 */
#include "support.h"

/* A text that begins with FLAT is a planar model. */
#define FLAT "planar: true\n"

static const char head[] =
    "sinew: 1\n"
    "gravity: [1.3, -9.7, %s]\n"
    "materials: {soft: {density: 1200, young: 4e4}}\n"
    "sections: {thick: {type: rectangle, width: 0.12, height: 0.15}, "
    "thin: {type: rectangle, width: 0.08, height: 0.07}}\n";

#define BOX                                                                                               \
  "box: {type: rigid, position: [0.2, -0.1, 0.4], rotation: {axis: [1, 2, 3], angle: 0.7}, density: 60, " \
  "shape: {type: box, size: [0.4, 0.3, 0.2]}, velocity: [0.3, -0.2, 0.1], angular_velocity: [0.5, 0.9, -0.4]}"
#define TENSOR                                                                                              \
  "tensor: {type: rigid, position: [1, 0.3, -0.2], rotation: {axis: [-1, 0.5, 2], angle: 1.1}, mass: 2.5, " \
  "inertia: [0.3, 0.4, 0.5, 0.05, -0.04, 0.03], velocity: [-0.1, 0.4, 0.2], angular_velocity: [1.5, -0.3, 0.8]}"
#define MASS "mass: {type: point-mass, mass: 1.7, position: [0.4, 0.9, -0.3], velocity: [0.2, 0.1, -0.4]}"
#define SPIN "angular_velocity: [0.4, -0.7, 0.9], velocity: [0.1, 0.2, -0.3]"
#define CABLE(name, line, rest) name ": {type: cable, " line ", material: soft, section: thick" rest "}"
#define LINE "from: [0.1, 0.2, 0.3], to: [0.9, 0.5, 0.1], " SPIN
#define NEXT "from: [0.9, 0.5, 0.1], to: [1.7, 0.8, -0.1]"                       /* goes on where LINE ends */
#define SPIN_ON "angular_velocity: [0.4, -0.7, 0.9], velocity: [-0.03, 1, 0.38]" /* NEXT, moving with LINE */
#define ARC "from: [0, 0, 0], via: [0.5, 0.3, 0], to: [0.9, 0.1, 0], " SPIN
#define BOW "from: [0, 0, 0], via: [0.5, 0.15, 0], to: [0.9, 0.15, 0], " SPIN
#define SPLINE "through: [[0, 0, 0], [0.3, 0.2, 0.1], [0.6, 0.1, 0.3], [0.9, 0.4, 0.2]], " SPIN
#define REST "rest_through: [[0, 0, 0], [0.4, 0.2, 0], [0.8, 0.1, 0.2]]"
#define BEAM CABLE("beam", LINE, ", elements: 3")
#define TAIL CABLE("tail", NEXT, ", elements: 2")
#define BENT \
  CABLE("bent", "from: [0.9, 0.5, 0.1], to: [1.3, 0.65, -0.5]", ", elements: 2") /* normal to [0.3, -0.8, 0] */
#define DAMPED ", elements: 3, stiffness_damping: 0.02, mass_damping: 0.3"

#define PLATE(name, rest) name ": {type: plate, thickness: 0.15, material: soft, " rest "}"
#define SHEET "at: [0.1, 0.2, 0.3], along: [0.6, 0.3, 0.2], across: [-0.2, 0.4, 0], " SPIN
#define WING "at: [0.7, 0.5, 0.5], along: [0.4, 0.2, -0.8], across: [-0.2, 0.4, 0]" /* on the east edge of SHEET */
#define PANEL PLATE("panel", SHEET ", elements: [2, 1]")
#define DAMPED_PLATE ", stiffness_damping: 0.02, mass_damping: 0.3"
#define SOLID(name, line, rest) name ": {type: beam, " line ", material: soft, section: thick" rest "}"
#define ROD SOLID("rod", LINE, ", elements: 2")
#define SECTIONS SOLID("rod", LINE, ", elements: 2, elastic: selective")
#define AXIS SOLID("rod", LINE, ", elements: 2, elastic: elastic-line")
#define STRIP(line, rest) "strip: {type: beam2d, " line ", material: soft, section: thick" rest "}"
#define BOX2                                                                                            \
  "box: {type: rigid, position: [0.2, -0.1, 0], rotation: {axis: [0, 0, 1], angle: 0.7}, density: 60, " \
  "shape: {type: box, size: [0.4, 0.3, 0.2]}, velocity: [0.3, -0.2, 0], angular_velocity: [0, 0, -0.4]}"
#define ROD2                                                                             \
  "rod: {type: rigid, from: [0.7, 0.3, 0], to: [1.4, 0.9, 0], mass: 1.5, shape: {type: " \
  "cylinder, radius: 0.05}, angular_velocity: [0, 0, 0.8]}"
#define MASS2 "mass: {type: point-mass, mass: 1.7, position: [0.4, 0.9, 0], velocity: [0.2, 0.1, 0]}"
#define SPIN2 "angular_velocity: [0, 0, 0.9], velocity: [0.1, 0.2, 0]"
#define LINE2 "from: [0.1, 0.2, 0], to: [0.9, 0.5, 0], " SPIN2
#define ARC2 "from: [0, 0, 0], via: [0.5, 0.3, 0], to: [0.9, 0.1, 0], " SPIN2
#define BEAM2 CABLE("beam", LINE2, ", elements: 3")
#define BAR                                                                                      \
  "bar: {type: rigid, from: [0.1, 0.2, 0], to: [0.7, 0.5, 0], mass: 1.3, inertia: [1, 1, 0.2], " \
  "velocity: [0.3, -0.2, 0], angular_velocity: [0, 0, 0.9]}"
#define DISK                                                                                           \
  "disk: {type: rigid, position: [0.8, -0.3, 0], rotation: {axis: [0, 0, 1], angle: 0.6}, mass: 0.9, " \
  "inertia: [1, 1, 0.3], velocity: [-0.1, 0.4, 0], angular_velocity: [0, 0, -0.7]}"
#define HINGES                                                                              \
  "a: {type: revolute, between: [ground, 'box.at(0.1, 0.2, -0.1)'], axis: [0.2, 0.5, 1]}, " \
  "b: {type: cylindrical, between: [ground, tensor.center], axis: [1, -1, 0.3]}, "          \
  "s: {type: coordinate, between: [box.center, 'tensor.at(0.3, 0, 0.1)'], axis: [0.3, 1, 0.5]}"
#define FLAT_HINGES                                                   \
  "a: {type: revolute, between: [ground, bar.start]}, "               \
  "b: {type: revolute, between: [bar.end, disk], axis: [0, 0, -1]}, " \
  "s: {type: coordinate, between: [bar.end, 'disk.at(0.1, 0, 0)'], axis: [1, 2, 0]}"
#define JOINTS(list) "joints: {" list "}\n"
#define FLOATING(name, line, rest) name ": {type: floating, " line ", material: soft, section: thick" rest "}"
#define FLOAT FLOATING("float", LINE, ", elements: 2, up: [0.2, -0.1, 1]")
#define NEXT2 "from: [0.9, 0.5, 0], to: [1.7, 0.8, 0]"
#define FLOAT2 FLOATING("float", LINE2, ", elements: 2")

#define PLANAR_BEAM(name, line, rest) \
  name ": {type: planar-beam, " line ", material: soft, section: thick, elements: 2, " rest "}"
#define IRF PLANAR_BEAM("beam", LINE2, "formulation: irf")
#define FRF PLANAR_BEAM("beam", LINE2, "formulation: frf")
#define THEORIES(formulation)                                                                    \
  {"planar-bar, " formulation, PLANAR,                                                           \
   FLAT BODIES("bar: {type: planar-bar, " LINE2                                                  \
               ", material: soft, section: thick, elements: 2, formulation: " formulation "}")}, \
      {"planar-beam, euler-bernoulli, " formulation, PLANAR,                                     \
       FLAT BODIES(PLANAR_BEAM("beam", LINE2, "formulation: " formulation))},                    \
  {                                                                                              \
    "planar-beam, timoshenko, " formulation, PLANAR,                                             \
        FLAT BODIES(PLANAR_BEAM("beam", LINE2, "theory: timoshenko, formulation: " formulation)) \
  }

#define BODIES(list) "bodies: {" list "}\n"
#define JOINT(text) "joints: {joint: {" text "}}\n"
#define FORCE(text) "forces: {force: {" text "}}\n"

const sn_case sn_model_cases[] = {
    /* bodies */
    {"rigid, box", FREE, BODIES(BOX)},
    {"rigid, full inertia tensor", FREE, BODIES(TENSOR)},
    {"point-mass", FREE, BODIES(MASS)},
    {"point-mass at the end of a cable", FREE, BODIES(BEAM ", tip: {type: point-mass, mass: 3, attach: beam.end}")},
    {"point-mass within an element", FREE, BODIES(BEAM ", tip: {type: point-mass, mass: 3, attach: beam.at(0.4)}")},
    {"cable, straight, more than eight elements", FREE, BODIES(CABLE("beam", LINE, ", elements: 9"))},
    {"cable, straight, material", FREE, BODIES(CABLE("beam", LINE, ", elements: 3, curvature: material"))},
    {"cable, straight, damped", FREE, BODIES(CABLE("beam", LINE, DAMPED))},
    {"cable, straight, material, damped", FREE, BODIES(CABLE("beam", LINE, DAMPED ", curvature: material"))},
    {"cable, arc, scalar", FREE, BODIES(CABLE("beam", ARC, ", elements: 3, bending: scalar"))},
    {"cable, arc, scalar, material", FREE,
     BODIES(CABLE("beam", ARC, ", elements: 3, bending: scalar, curvature: material"))},
    {"cable, arc, scalar, damped", FREE, BODIES(CABLE("beam", ARC, DAMPED ", bending: scalar"))},
    {"cable, arc, auto", FREE, BODIES(CABLE("beam", ARC, ", elements: 3"))},
    {"cable, arc, straight at rest, damped", FREE, BODIES(CABLE("beam", ARC, DAMPED ", rest: straight"))},
    {"cable, spline, stretched from straight", FREE,
     BODIES(CABLE("beam", SPLINE, ", elements: 3, rest: straight, rest_length: 1.05"))},
    {"cable, straight, curved at rest", FREE, BODIES(CABLE("beam", LINE, ", elements: 3, " REST))},
    {"cable, arc, planar", PLANAR, BODIES(CABLE("beam", ARC, ", elements: 3, bending: planar"))},
    {"cable, arc, planar, material, damped", PLANAR,
     BODIES(CABLE("beam", ARC, DAMPED ", bending: planar, curvature: material"))},
    {"cable, straight, tapered, damped", FREE,
     BODIES(CABLE("beam", LINE, DAMPED ", section_end: thin, taper: s^2") ", " CABLE("c", NEXT, ", elements: 10"))},
    {"cable, arc, tapered", FREE, BODIES(CABLE("beam", ARC, ", elements: 3, section_end: thin"))},
    {"cable, spline, scalar", FREE, BODIES(CABLE("beam", SPLINE, ", elements: 4"))},
    {"cable, spline, scalar, material, damped", FREE, BODIES(CABLE("beam", SPLINE, DAMPED ", curvature: material"))},
    {"several kinds of cables", FREE,
     BODIES(CABLE("a", LINE, DAMPED) ", " CABLE("b", ARC, ", elements: 2") ", " CABLE("c", NEXT, ", elements: 10"))},
    {"plate, more than eight elements", FREE, BODIES(PLATE("panel", SHEET ", elements: [3, 3]"))},
    {"plate, damped", FREE, BODIES(PLATE("panel", SHEET ", elements: [1, 2]" DAMPED_PLATE))},
    {"plate, curved", FREE, BODIES(PLATE("panel", SHEET ", elements: [2, 2], radius: 0.5"))},
    {"plate, curved the other way, damped", FREE,
     BODIES(PLATE("panel", SHEET ", elements: [2, 1], radius: -0.7" DAMPED_PLATE))},
    {"plates, flat and curved", FREE,
     BODIES(PANEL ", " PLATE("wing", WING ", elements: [1, 1], radius: 0.6" DAMPED_PLATE))},
    {"point-mass on a plate", FREE, BODIES(PANEL ", tip: {type: point-mass, mass: 3, attach: 'panel.at(0.3, 0.4)'}")},
    {"floating, one element", FREE, BODIES(FLOATING("float", LINE, ", elements: 1"))},
    {"floating, turned section", FREE, BODIES(FLOATING("float", LINE, ", elements: 2, up: [0.2, -0.1, 1]"))},
    {"floating, simply supported, shear, damped", FREE,
     BODIES(FLOATING("float", LINE,
                     ", elements: 3, reference: simply-supported, theory: timoshenko, stiffness_damping: 0.02, "
                     "mass_damping: 0.3"))},
    {"floating, reduced", FREE, BODIES(FLOATING("float", LINE, ", elements: 3, modes: 4"))},
    {"floating, reduced, simply supported, damped", FREE,
     BODIES(
         FLOATING("float", LINE,
                  ", elements: 3, modes: 2, reference: simply-supported, stiffness_damping: 0.02, mass_damping: 0.3"))},
    {"floating, planar", PLANAR, FLAT BODIES(FLOATING("float", LINE2, ", elements: 2"))},
    {"floating, planar, simply supported, shear, damped", PLANAR,
     FLAT BODIES(FLOATING("float", LINE2,
                          ", elements: 3, reference: simply-supported, theory: timoshenko, stiffness_damping: 0.02, "
                          "mass_damping: 0.3"))},
    {"floating, planar, reduced", PLANAR, FLAT BODIES(FLOATING("float", LINE2, ", elements: 4, modes: 3"))},
    THEORIES("irf"),
    THEORIES("ancf-s"),
    THEORIES("frf"),
    {"planar-beam, irf, constant mass", PLANAR,
     FLAT BODIES(PLANAR_BEAM("beam", LINE2, "theory: timoshenko, mass: constant"))},
    {"beam, selective, more than eight elements", FREE,
     BODIES(SOLID("rod", LINE, ", elements: 9, elastic: selective"))},
    {"beam, selective, damped", FREE, BODIES(SOLID("rod", LINE, DAMPED ", elastic: selective"))},
    {"beam, continuum", FREE, BODIES(SOLID("rod", LINE, ", elements: 3, elastic: continuum, up: [0.1, 0.3, 1]"))},
    {"beam, timoshenko, more than eight elements", FREE,
     BODIES(SOLID("rod", LINE, ", elements: 9, elastic: timoshenko, k2: 0.8, k3: 0.9"))},
    {"beam, timoshenko, damped", FREE, BODIES(SOLID("rod", LINE, DAMPED ", elastic: timoshenko"))},
    {"beam, timoshenko, spline, damped", FREE, BODIES(SOLID("rod", SPLINE, DAMPED ", elastic: timoshenko"))},
    {"beam, elastic-line", FREE, BODIES(SOLID("rod", LINE, ", elements: 3, elastic: elastic-line, k2: 0.8, k3: 0.9"))},
    {"beam, elastic-line, damped", FREE, BODIES(SOLID("rod", LINE, DAMPED ", elastic: elastic-line"))},
    {"beam, selective, arc, damped", FREE, BODIES(SOLID("rod", ARC, DAMPED ", elastic: selective"))},
    {"beam, continuum, spline", FREE, BODIES(SOLID("rod", SPLINE, ", elements: 4, elastic: continuum"))},
    {"beam, elastic-line, spline, damped", FREE, BODIES(SOLID("rod", SPLINE, DAMPED ", elastic: elastic-line"))},
    {"beam, selective, tapered, damped", FREE,
     BODIES(SOLID("rod", LINE, DAMPED ", elastic: selective, section_end: thin, taper: s^2") ", " SOLID(
         "c", NEXT, ", elements: 2"))},
    {"beam, continuum, arc, tapered", FREE,
     BODIES(SOLID("rod", ARC, ", elements: 3, elastic: continuum, section_end: thin"))},
    {"beam, elastic-line, tapered, damped", FREE,
     BODIES(SOLID("rod", LINE, DAMPED ", elastic: elastic-line, section_end: thin"))},
    {"beam, twisted", FREE, BODIES(SOLID("rod", LINE, ", elements: 3, twist: 1.2*s^2"))},
    {"beam, selective, twisted spline, damped", FREE,
     BODIES(SOLID("rod", SPLINE, DAMPED ", elastic: selective, twist: 1.2*s"))},
    {"beam, elastic-line, twisted from straight", FREE,
     BODIES(
         SOLID("rod", LINE, ", elements: 2, elastic: elastic-line, twist: 0.6*s, rest: straight, rest_twist: -0.2*s"))},
    {"beam, several kinds", FREE,
     BODIES(SOLID("a", LINE, DAMPED ", elastic: selective") ", " SOLID(
         "b", ARC, ", elements: 2, elastic: continuum") ", " SOLID("c", NEXT, ", elements: 10, elastic: continuum"))},
    {"point-mass within a beam", FREE, BODIES(ROD ", tip: {type: point-mass, mass: 3, attach: rod.at(0.4)}")},
    {"beam, selective, arc, straight at rest", FREE,
     BODIES(SOLID("rod", BOW, ", elements: 2, elastic: selective, rest: straight"))},
    {"beam, selective, straight, curved at rest", FREE,
     BODIES(SOLID("rod", LINE, ", elements: 2, elastic: selective, rest_up: [0.1, 0.2, 1], " REST))},
    {"beam, elastic-line, spline, of another shape at rest, damped", FREE,
     BODIES(SOLID("rod", SPLINE, DAMPED ", elastic: elastic-line, " REST))},
    {"beam2d, arc, stretched from straight", FREE,
     FLAT BODIES(STRIP(ARC2, ", elements: 3, rest: straight, rest_length: 1"))},
    {"beam2d, plane stress", FREE, FLAT BODIES(STRIP(LINE2, ", elements: 9"))},
    {"beam2d, plane strain, damped", FREE, FLAT BODIES(STRIP(LINE2, DAMPED ", plane: strain"))},
    {"beam2d, continuum, tapered", FREE,
     FLAT BODIES(STRIP(LINE2, ", elements: 3, elastic: continuum, section_end: thin"))},
    {"beam2d, arc, damped", FREE, FLAT BODIES(STRIP(ARC2, DAMPED ", elastic: continuum"))},
    /* joints */
    {"fixed, planar, irf beam and ground", GROUNDED,
     FLAT BODIES(IRF) JOINT("type: fixed, between: [beam.end, ground]")},
    {"revolute, planar, two cables", PLANAR,
     FLAT BODIES(BEAM2 ", " CABLE("tail", NEXT2, ", elements: 2"))
         JOINT("type: revolute, between: [beam.end, tail.start]")},
    {"motion, planar, revolute of two cables", PLANAR,
     FLAT BODIES(BEAM2 ", " CABLE("tail", NEXT2, ", elements: 2"))
         JOINTS("hinge: {type: revolute, between: [beam.end, tail.start]}, "
                "drive: {type: motion, joint: hinge, rotation: 0.8*sin(2*t) + t^2}")},
    {"motion, planar, revolute of two bars", PLANAR,
     FLAT BODIES("bar: {type: planar-bar, " LINE2 ", material: soft, section: thick}, "
                 "next: {type: planar-bar, " NEXT2 ", material: soft, section: thick}")
         JOINTS("hinge: {type: revolute, between: [bar.end, next.start]}, "
                "drive: {type: motion, joint: hinge, rotation: 0.8*sin(2*t) + t^2}")},
    {"prismatic, planar, two cables", PLANAR,
     FLAT BODIES(BEAM2 ", " CABLE("tail", NEXT2, ", elements: 2"))
         JOINT("type: prismatic, between: [beam.end, tail.start], axis: [1, 2, 0]")},
    {"revolute, two cables, axis carried by the ground", GROUNDED,
     BODIES(BEAM ", " TAIL) JOINT("type: revolute, between: [beam.end, tail.start], axis: [0.3, -0.8, 0]")},
    {"revolute, two cables, axis carried by a rigid body", FREE,
     BODIES(BEAM ", " BENT ", " BOX)
         JOINT("type: revolute, between: [beam.end, bent.start], axis: [0.3, -0.8, 0], carrier: box")},
    {"motion, revolute of two cables", FREE,
     BODIES(BEAM ", " BENT ", " BOX)
         JOINTS("hinge: {type: revolute, between: [beam.end, bent.start], axis: [0.3, -0.8, 0], carrier: box}, "
                "drive: {type: motion, joint: hinge, rotation: 0.8*sin(2*t) + t^2}")},
    {"universal, two cables", FREE,
     BODIES(BEAM ", " BENT ", " BOX) JOINT(
         "type: universal, between: [beam.end, bent.start], axis: [0.3, 0.1, 0.5], axis2: [-0.1, 0.3, 0], carrier: "
         "box")},
    {"cylindrical, two cables", FREE,
     BODIES(BEAM ", " BENT ", " BOX)
         JOINT("type: cylindrical, between: [beam.end, bent.start], axis: [0.3, -0.8, 0], carrier: box")},
    {"prismatic, two cables", FREE,
     BODIES(BEAM ", " BENT ", " BOX)
         JOINT("type: prismatic, between: [beam.end, bent.start], axis: [0.2, -0.8, 0.3], carrier: box")},
    {"torsion-spring on a revolute of two cables, damped", FREE,
     BODIES(BEAM ", " BENT ", " BOX)
         JOINT("type: revolute, between: [beam.end, bent.start], axis: [0.3, -0.8, 0], carrier: box")
             FORCE("type: torsion-spring, joint: joint, stiffness: 4, damping: 0.3, angle: 0.4")},
    {"sliding, point-mass on a cable", FREE,
     BODIES(BEAM ", bead: {type: point-mass, mass: 1.7, position: [0.46, 0.335, 0.21], velocity: [0.4, 0.1, 0]}")
         JOINT("type: sliding, between: [beam.at(0.45), bead]")},
    {"sliding, rigid on a cable, damped", FREE,
     BODIES(BEAM ", " BOX) JOINT("type: sliding, between: [beam.at(0.6), box], damping: 0.4")},
    {"sliding, rigid on a beam, with a stop", FREE,
     BODIES(ROD ", " BOX) JOINT("type: sliding, between: [rod.at(0.01), box], stop_stiffness: 50")},
    {"sliding, cable on a beam", FREE,
     BODIES(ROD ", " CABLE("tail", "from: [0.66, 0.41, 0.16], to: [1.3, 0.6, 0.5]", ", elements: 2"))
         JOINT("type: sliding, between: [rod.at(0.7), tail.start]")},
    {"sliding, planar, rigid on a cable", PLANAR,
     FLAT BODIES(BEAM2 ", " BOX2) JOINT("type: sliding, between: [beam.at(0.6), box]")},
    {"sliding, planar, ground and beam2d", GROUNDED,
     FLAT BODIES(STRIP(LINE2, ", elements: 2")) JOINT("type: sliding, between: [strip.at(0.3), ground]")},
    {"sliding, friction damping", FREE,
     BODIES(BEAM ", " BOX)
         JOINT("type: sliding, between: [beam.at(0.6), box], friction: 0.3, creep_speed: 2, damping: 0.1")},
    {"motion, sliding on a cable", FREE,
     BODIES(BEAM ", bead: {type: point-mass, mass: 1.7, position: [0.46, 0.335, 0.21]}")
         JOINTS("s: {type: sliding, between: [beam.at(0.45), bead]}, "
                "drive: {type: motion, joint: s, translation: 0.2*sin(3*t)}")},
    {"fixed, planar, irf and frf beams", PLANAR,
     FLAT BODIES(IRF ", " PLANAR_BEAM("next", NEXT2, "formulation: frf"))
         JOINT("type: fixed, between: [beam.end, next.start]")},
    {"motion, planar, within an irf beam", GROUNDED,
     FLAT BODIES(IRF) JOINT("type: motion, between: [ground, beam.at(0.3)], rotation: 0.8*sin(2*t) + t^2")},
    {"motion, planar, within a bar", GROUNDED,
     FLAT BODIES("bar: {type: planar-bar, " LINE2 ", material: soft, section: thick}")
         JOINT("type: motion, between: [ground, bar.at(0.3)], rotation: 0.8*sin(2*t) + t^2")},
    {"spherical, within a floating body and rigid", FREE,
     BODIES(FLOAT ", " BOX) JOINT("type: spherical, between: [float.at(0.3), box]")},
    {"revolute, floating and rigid", FREE,
     BODIES(FLOAT ", " BOX) JOINT("type: revolute, between: [float.end, box], axis: [0.2, 0.5, 1]")},
    {"fixed, floating and cable", FREE, BODIES(FLOAT ", " TAIL) JOINT("type: fixed, between: [float.end, tail.start]")},
    {"fixed, ground and reduced floating", GROUNDED,
     BODIES(FLOATING("float", LINE, ", elements: 3, modes: 2")) JOINT("type: fixed, between: [float.at(0.6), ground]")},
    {"fixed, planar, floating and floating", PLANAR,
     FLAT BODIES(FLOAT2 ", " FLOATING("next", NEXT2, ", elements: 2, reference: simply-supported"))
         JOINT("type: fixed, between: [float.end, next.start]")},
    {"motion, planar, rotation, ground and within a floating body", GROUNDED,
     FLAT BODIES(FLOAT2) JOINT("type: motion, between: [ground, float.at(0.3)], rotation: 0.8*sin(2*t) + t^2")},
    {"motion, translation along a direction of a floating body", FREE,
     BODIES(FLOAT ", " BOX)
         JOINT("type: motion, between: [float.at(0.6), box.center], axis: [1, 0, 0.4], translation: 0.3*sin(3*t)")},
    {"spherical, ground and rigid", GROUNDED,
     BODIES(BOX) JOINT("type: spherical, between: [ground, 'box.at(0.1, 0.2, -0.1)']")},
    {"spherical, rigid and rigid", FREE,
     BODIES(BOX ", " TENSOR) JOINT("type: spherical, between: ['box.at(0.1, 0.2, -0.1)', tensor]")},
    {"spherical, within a cable and rigid", FREE,
     BODIES(BEAM ", " BOX) JOINT("type: spherical, between: [beam.at(0.45), box]")},
    {"spherical, point-mass and cable", FREE,
     BODIES(BEAM ", mass: {type: point-mass, mass: 1.7, position: [0.66, 0.41, 0.16]}")
         JOINT("type: spherical, between: [mass, beam.at(0.7)]")},
    {"revolute, ground and rigid", GROUNDED,
     BODIES(BOX) JOINT("type: revolute, between: [ground, 'box.at(0.1, 0.2, -0.1)'], axis: [0.2, 0.5, 1]")},
    {"revolute, rigid and rigid", FREE,
     BODIES(BOX ", " TENSOR) JOINT("type: revolute, between: ['box.at(0.1, 0.2, -0.1)', tensor], axis: [1, -1, 0.3]")},
    {"revolute, rigid and cable", FREE,
     BODIES(BOX ", " BEAM) JOINT("type: revolute, between: [box, beam.end], axis: [0.3, -0.8, 0]")},
    {"revolute, cable and ground", GROUNDED,
     BODIES(BEAM) JOINT("type: revolute, between: [beam.start, ground], axis: [0.3, -0.8, 0]")},
    {"fixed, rigid and rigid", FREE, BODIES(BOX ", " TENSOR) JOINT("type: fixed, between: [box.center, tensor]")},
    {"fixed, rigid and cable", FREE, BODIES(BOX ", " BEAM) JOINT("type: fixed, between: [box, beam.end]")},
    {"fixed, cable and ground, direction", GROUNDED, BODIES(BEAM) JOINT("type: fixed, between: [beam.start, ground]")},
    {"fixed, ground and cable, full", GROUNDED,
     BODIES(BEAM) JOINT("type: fixed, between: [ground, beam.start], slope: full")},
    {"fixed, cable and cable", FREE, BODIES(BEAM ", " TAIL) JOINT("type: fixed, between: [beam.end, tail.start]")},
    {"rope, rigid bodies", FREE,
     BODIES(BOX ", " TENSOR) JOINT("type: rope, through: ['box.at(0.1, 0.2, -0.1)', 'tensor.at(0.3, 0, 0.1)', "
                                   "box.center, 'tensor.at(-0.1, 0.2, 0.4)']")},
    {"rope, ground, point-mass and cable, fed", GROUNDED,
     BODIES(MASS ", " BEAM)
         JOINT("type: rope, through: ['ground.at(0.1, 1.2, 0.3)', mass, beam.end], feed: 0.1*sin(t)")},
    {"distance, rigid and rigid", FREE,
     BODIES(BOX ", " TENSOR) JOINT("type: distance, between: ['box.at(0.1, 0.2, -0.1)', 'tensor.at(0.3, 0, 0.1)']")},
    {"distance, ground and point-mass, length given", GROUNDED,
     BODIES(MASS) JOINT("type: distance, between: ['ground.at(0.1, 0.2, 0.3)', mass], length: 1")},
    {"distance, within one element of a cable", FREE,
     BODIES(BEAM) JOINT("type: distance, between: [beam.at(0.1), beam.at(0.3)]")},
    {"motion, rotation, ground and rigid", GROUNDED,
     BODIES(BOX)
         JOINT("type: motion, between: [ground, box.center], axis: [0.2, 0.5, 1], rotation: 0.8*sin(2*t) + t^2")},
    {"motion, rotation, rigid and rigid", FREE,
     BODIES(BOX ", " TENSOR)
         JOINT("type: motion, between: [box.center, tensor], axis: [1, 0, 0.4], rotation: exp(t) - 1")},
    {"motion, rotation, ground and cable", GROUNDED,
     BODIES(BEAM) JOINT("type: motion, between: [ground, beam.start], axis: [0.3, -0.8, 0], rotation: 0.8*sin(2*t)")},
    {"motion, translation, rigid and rigid", FREE,
     BODIES(BOX ", " TENSOR)
         JOINT("type: motion, between: [box.center, tensor.center], axis: [1, 0, 0.4], translation: 0.3*sin(3*t)")},
    {"motion, translation, ground and point-mass", GROUNDED,
     BODIES(MASS) JOINT("type: motion, between: ['ground.at(0, 0, 0)', mass], axis: [0.3, 1, 0.1], translation: t^3")},
    {"spherical, ground and corner of a plate", GROUNDED,
     BODIES(PANEL) JOINT("type: spherical, between: [ground, panel.se]")},
    {"spherical, edge of a plate and rigid", FREE,
     BODIES(PANEL ", " BOX) JOINT("type: spherical, between: [panel.west, box]")},
    {"spherical, edges of two plates", FREE,
     BODIES(PLATE("panel", SHEET ", elements: [1, 2]") ", " PLATE("wing", WING ", elements: [1, 2]"))
         JOINT("type: spherical, between: [panel.east, wing.west]")},
    {"revolute, within a plate and rigid", FREE,
     BODIES(BOX ", " PANEL) JOINT("type: revolute, between: [box, 'panel.at(0.3, 0.4)'], axis: [0.3, -0.8, 0.2]")},
    {"revolute, plate carries the axis", FREE,
     BODIES(BEAM ", " PANEL) JOINT("type: revolute, between: [beam.start, panel.sw], axis: [0.3, -0.8, 0]")},
    {"fixed, ground and corner of a plate", GROUNDED, BODIES(PANEL) JOINT("type: fixed, between: [ground, panel.ne]")},
    {"fixed, within a plate and rigid, full", FREE,
     BODIES(PANEL ", " BOX) JOINT("type: fixed, between: ['panel.at(0.3, 0.4)', box], slope: full")},
    {"fixed, edge of a plate and ground", GROUNDED, BODIES(PANEL) JOINT("type: fixed, between: [panel.south, ground]")},
    {"fixed, edges of two plates", FREE,
     BODIES(PLATE("panel", SHEET ", elements: [1, 2]") ", " PLATE("wing", WING ", elements: [1, 2]"))
         JOINT("type: fixed, between: [panel.east, wing.west]")},
    {"motion, rotation, ground and plate", GROUNDED,
     BODIES(PANEL)
         JOINT("type: motion, between: [ground, panel.center], axis: [0.3, -0.8, 0], rotation: 0.8*sin(2*t)")},
    {"motion, translation, plate and rigid", FREE,
     BODIES(PANEL ", " BOX)
         JOINT("type: motion, between: [panel.nw, box.center], axis: [1, 0, 0.4], translation: 0.3*sin(3*t)")},
    {"revolute, beam and rigid", FREE,
     BODIES(BOX ", " ROD) JOINT("type: revolute, between: [rod.end, box], axis: [0.3, -0.8, 0.2]")},
    {"fixed, ground and beam", GROUNDED, BODIES(ROD) JOINT("type: fixed, between: [ground, rod.start]")},
    {"fixed, beam and rigid, full", FREE,
     BODIES(BOX ", " ROD) JOINT("type: fixed, between: [rod.end, box], slope: full")},
    {"fixed, beam and cable", FREE, BODIES(ROD ", " TAIL) JOINT("type: fixed, between: [rod.end, tail.start]")},
    {"fixed, beam2d and ground", GROUNDED,
     FLAT BODIES(STRIP(LINE2, ", elements: 2")) JOINT("type: fixed, between: [strip.end, ground]")},
    {"fixed, beam2d and ground, full", GROUNDED,
     FLAT BODIES(STRIP(LINE2, ", elements: 2")) JOINT("type: fixed, between: [strip.end, ground], slope: full")},
    {"motion, rotation, ground and beam", GROUNDED,
     BODIES(ROD) JOINT("type: motion, between: [ground, rod.start], axis: [0.3, -0.8, 0], rotation: 0.8*sin(2*t)")},
    /* directions of sections that strain: every kind of joint on one body or another */
    {"revolute, within an elastic-line beam and rigid", FREE,
     BODIES(BOX ", " AXIS) JOINT("type: revolute, between: [rod.at(0.3), box], axis: [0.3, -0.8, 0.2]")},
    {"fixed, two beams at an angle", FREE,
     BODIES(SECTIONS
            ", " SOLID("wing", "from: [0.9, 0.5, 0.1], to: [1.2, 1.1, 0.4]", ", elements: 1, elastic: continuum"))
         JOINT("type: fixed, between: [rod.end, wing.start]")},
    {"fixed, two beams at an angle, full", FREE,
     BODIES(ROD ", " SOLID("wing", "from: [0.9, 0.5, 0.1], to: [1.2, 1.1, 0.4]", ", elements: 1"))
         JOINT("type: fixed, between: [rod.end, wing.start], slope: full")},
    {"fixed and revolute on one section", FREE,
     BODIES(BOX ", " ROD ", " TENSOR)
         JOINTS("hinge: {type: revolute, between: [rod.end, box], axis: [0.3, -0.8, 0.2]}, "
                "weld: {type: fixed, between: [tensor, rod.end]}")},
    {"cylindrical, elastic-line beam and floating", FREE,
     BODIES(AXIS ", " FLOATING("float", NEXT ", " SPIN_ON, ", elements: 2"))
         JOINT("type: cylindrical, between: [rod.end, float.at(0.4)], axis: [0.8, 0.3, -0.2]")},
    {"prismatic, beam and rigid", FREE,
     BODIES(BOX ", " ROD) JOINT("type: prismatic, between: [rod.at(0.6), box], axis: [0.3, -0.8, 0.2]")},
    {"universal, plate and floating", FREE,
     BODIES(FLOATING("float", "from: [0.5, 0.9, 0.5], to: [1.1, 1.1, 0.2]",
                     ", elements: 2, reference: simply-supported") ", " PANEL)
         JOINT("type: universal, between: [panel.ne, float.start], axis: [1, 0, 0], axis2: [0, 0.6, 0.8]")},
    {"planar, beam and plate", FREE,
     BODIES(ROD ", " PANEL) JOINT("type: planar, between: [rod.end, 'panel.at(0.3, 0.4)'], axis: [0.26, 0, 0.7]")},
    {"parallel, elastic-line beam and rigid", FREE,
     BODIES(BOX ", " AXIS) JOINT("type: parallel, between: [box.center, rod.end], axis: [0.3, 1, -0.2]")},
    {"point-on-line, of a beam, and rigid", FREE,
     BODIES(BOX ", " ROD) JOINT("type: point-on-line, between: [rod.end, box.center], axis: [-0.7, -0.6, 0.3]")},
    {"motion, rotation, beam and elastic-line beam", FREE,
     BODIES(SECTIONS ", " SOLID("wing", NEXT, ", elements: 1, elastic: elastic-line"))
         JOINT("type: motion, between: [rod.at(0.4), wing.end], axis: [0.3, -0.8, 0.2], rotation: exp(t) - 1")},
    {"motion, rotation, beam2d and ground", GROUNDED,
     FLAT BODIES(STRIP(LINE2, ", elements: 2"))
         JOINT("type: motion, between: [ground, strip.at(0.3)], rotation: 0.8*sin(2*t)")},
    {"gear, beam and plate on the ground", GROUNDED,
     BODIES(ROD ", " PANEL) JOINTS("a: {type: revolute, between: [ground, rod.start], axis: [0.3, -0.8, 0.2]}, "
                                   "b: {type: revolute, between: [ground, panel.ne], axis: [0.1, 0.8, 0.2]}, "
                                   "gear: {type: gear, joints: [a, b], ratio: -2}")},
    {"torsion-spring, beam and floating, damped", FREE,
     BODIES(ROD ", " FLOATING("float", NEXT, ", elements: 2"))
         FORCE("type: torsion-spring, between: [rod.at(0.4), float.end], axis: [0.3, -0.8, 0.2], stiffness: 4, "
               "damping: 0.3, angle: 0.4")},
    {"torsion-spring, elastic-line beam and plate", FREE,
     BODIES(AXIS ", " PANEL)
         FORCE("type: torsion-spring, between: [rod.end, panel.center], axis: [0.3, -0.8, 0.2], stiffness: 4")},
    {"torsion-spring, beam2d and ground, damped", GROUNDED,
     FLAT BODIES(STRIP(LINE2, ", elements: 2"))
         FORCE("type: torsion-spring, between: [ground, strip.end], stiffness: 4, damping: 0.3, angle: 0.4")},
    {"bushing, beam and plate, damped", FREE,
     BODIES(ROD ", " PANEL) FORCE(
         "type: bushing, between: [rod.start, 'panel.at(0.3, 0.4)'], stiffness: [40, 30, 20], damping: [1, 2, 3], "
         "turn_stiffness: [3, 4, 5], turn_damping: [0.1, 0.2, 0.3]")},
    {"bushing, elastic-line beam and floating", FREE,
     BODIES(AXIS ", " FLOATING("float", NEXT, ", elements: 2, reference: simply-supported"))
         FORCE("type: bushing, between: [rod.end, float.start], stiffness: [40, 30, 20], turn_stiffness: [3, 4, 5]")},
    /* forces */
    {"moment, follower, within an elastic-line beam", FREE,
     BODIES(AXIS) FORCE("type: moment, at: rod.at(0.4), moment: [1.5, -0.7*t, 2], follower: true")},
    {"moment, follower, plate", FREE,
     BODIES(PANEL) FORCE("type: moment, at: 'panel.at(0.3, 0.4)', moment: [1.5, -0.7*t, 2], follower: true")},
    {"moment, follower, floating", FREE,
     BODIES(FLOATING("float", LINE, ", elements: 2, reference: simply-supported"))
         FORCE("type: moment, at: float.at(0.4), moment: [1.5, -0.7*t, 2], follower: true")},
    {"force, dead, plate", GROUNDED,
     BODIES(PANEL) FORCE("type: force, at: 'panel.at(0.3, 0.4)', force: [3*cos(t), 2, -4*t]")},
    {"force, follower, plate", FREE,
     BODIES(PANEL) FORCE("type: force, at: 'panel.at(0.3, 0.4)', force: [3*cos(t), 2, -4], follower: true")},
    {"moment, dead, corner of a plate", GROUNDED,
     BODIES(PANEL) FORCE("type: moment, at: panel.nw, moment: [1.5, -0.7*t, 2]")},
    {"moment, planar, within an irf beam", GROUNDED,
     FLAT BODIES(IRF) FORCE("type: moment, at: beam.at(0.3), moment: [0, 0, 2 + t]")},
    {"force, follower, planar, within an frf beam", PLANAR,
     FLAT BODIES(FRF) FORCE("type: force, at: beam.at(0.3), force: [1, 2*t, 0], follower: true")},
    {"force, follower, within a floating body", FREE,
     BODIES(FLOAT) FORCE("type: force, at: float.at(0.7), force: [3*cos(t), 2, -4*t], follower: true")},
    {"moment, dead, end of a floating body", GROUNDED,
     BODIES(FLOAT) FORCE("type: moment, at: float.end, moment: [1.5, -0.7*t, 2]")},
    {"moment, follower, planar, within a floating body", PLANAR,
     FLAT BODIES(FLOAT2) FORCE("type: moment, at: float.at(0.3), moment: [0, 0, 2 + t], follower: true")},
    {"spring, floating and rigid, damped", FREE,
     BODIES(FLOAT ", " BOX) FORCE("type: spring, between: [float.at(0.7), 'box.at(0.1, 0.2, -0.1)'], "
                                  "stiffness: 40, damping: 3, length: 0.3")},
    {"pressure, follower", FREE, BODIES(PANEL) FORCE("type: pressure, on: panel, pressure: 30 + 20*sin(3*t)")},
    {"pressure, dead, curved plate", GROUNDED,
     BODIES(PLATE("panel", SHEET ", elements: [2, 2], radius: 0.5"))
         FORCE("type: pressure, on: panel, pressure: 30*x + 20*y*t, follower: false")},
    {"pressure, follower, of the place", GROUNDED,
     BODIES(PANEL) FORCE("type: pressure, on: panel, pressure: 30*exp(-x*z) + 20*y^2 - 10*t")},
    {"drag, flow of the place", GROUNDED,
     BODIES(BEAM) FORCE("type: drag, on: beam, diameter: 0.2, density: 300, tangential_coefficient: 0.4, "
                        "wind: [2 + y*z, x*x - t*z, sin(x + 2*t)]")},
    {"drag, added mass, buoyancy in a flow", GROUNDED,
     BODIES(BEAM)
         FORCE("type: drag, on: beam, diameter: 0.2, density: 300, added_mass_coefficient: 0.9, buoyancy: true, "
               "wind: [2 + y*z, x*x - t*z, sin(x + 2*t)]")},
    {"drag, half in the water", GROUNDED,
     BODIES(BEAM)
         FORCE("type: drag, on: beam, diameter: 0.9, density: 300, added_mass_coefficient: 0.9, buoyancy: true, "
               "wind: [0.2, 0, z], level: 0.3 + 0.05*sin(3*x + t)")},
    {"drag, beam", GROUNDED,
     BODIES(ROD) FORCE("type: drag, on: rod, diameter: 0.2, density: 300, added_mass_coefficient: 1, wind: [0, z, 1]")},
    {"drag, plate, added mass and buoyancy", GROUNDED,
     BODIES(PLATE("panel", SHEET ", elements: [1, 1]")) FORCE(
         "type: drag, on: panel, diameter: 0.4, density: 300, normal_coefficient: 1.5, tangential_coefficient: 0.1, "
         "normal: 3, added_mass_coefficient: 0.8, buoyancy: true, wind: [y, 0.2*t, 1]")},
    {"force, dead, rigid", GROUNDED,
     BODIES(BOX) FORCE("type: force, at: 'box.at(0.1, 0.2, -0.1)', force: [3*cos(t), 2, -4*t]")},
    {"force, dead, cable", GROUNDED, BODIES(BEAM) FORCE("type: force, at: beam.at(0.4), force: [3*cos(t), 2, -4*t]")},
    {"force, follower, rigid", FREE,
     BODIES(TENSOR) FORCE("type: force, at: 'tensor.at(0.1, 0.2, -0.1)', force: [3*cos(t), 2, -4], follower: true")},
    {"moment, dead, rigid", GROUNDED, BODIES(BOX) FORCE("type: moment, at: box.center, moment: [1.5, -0.7*t, 2]")},
    {"moment, follower, rigid", FREE,
     BODIES(TENSOR) FORCE("type: moment, at: tensor.center, moment: [1.5, -0.7*t, 2], follower: true")},
    {"moment, dead, end of a cable", GROUNDED,
     BODIES(BEAM) FORCE("type: moment, at: beam.end, moment: [1.5, -0.7, 2]")},
    {"moment, dead, within a cable", GROUNDED,
     BODIES(BEAM) FORCE("type: moment, at: beam.at(0.4), moment: [1.5, -0.7, 2]")},
    {"force, follower, within a beam", FREE,
     BODIES(ROD) FORCE("type: force, at: rod.at(0.4), force: [3*cos(t), 2, -4], follower: true")},
    {"moment, dead, beam", GROUNDED, BODIES(ROD) FORCE("type: moment, at: rod.end, moment: [1.5, -0.7*t, 2]")},
    {"moment, follower, beam", FREE,
     BODIES(ROD) FORCE("type: moment, at: rod.at(0.4), moment: [1.5, -0.7*t, 2], follower: true")},
    {"moment, beam2d", GROUNDED,
     FLAT BODIES(STRIP(LINE2, ", elements: 2")) FORCE("type: moment, at: strip.at(0.4), moment: [0, 0, 2 - t]")},
    {"moment, follower, beam2d", GROUNDED,
     FLAT BODIES(STRIP(LINE2, ", elements: 2"))
         FORCE("type: moment, at: strip.end, moment: [0, 0, 2], follower: true")},
    {"spring, rigid and rigid, damped", FREE,
     BODIES(BOX ", " TENSOR) FORCE("type: spring, between: ['box.at(0.1, 0.2, -0.1)', 'tensor.at(0.3, 0, 0.1)'], "
                                   "stiffness: 40, damping: 3, length: 0.8")},
    {"spring, rigid and cable, damped", FREE,
     BODIES(BOX ", " BEAM) FORCE("type: spring, between: ['box.at(0.1, 0.2, -0.1)', beam.at(0.8)], "
                                 "stiffness: 40, damping: 3, length: 0.3")},
    {"spring, ground and cable", GROUNDED,
     BODIES(BEAM) FORCE("type: spring, between: ['ground.at(1, 1, 1)', beam.end], stiffness: 40, length: 0.5")},
    {"spring, within one element of a cable, damped", FREE,
     BODIES(BEAM)
         FORCE("type: spring, between: [beam.at(0.05), beam.at(0.3)], stiffness: 40, damping: 3, length: 0.1")},
    {"reeving, planar, smooth and damped, pulleys on two bodies", GROUNDED,
     FLAT BODIES(BOX2 ", " DISK ", " MASS2)
         FORCE("type: reeving, from: 'ground.at(-0.5, 0.9, 0)', pulleys: ['box.at(0.1, 0, 0)', disk.center], "
               "radius: [0.1, 0.2], turn: [1, -1], to: mass, stiffness: 50, stiffness_damping: 0.05, length: 1.9")},
    {"reeving, planar, frame that moves, no slip and a drum", PLANAR,
     FLAT BODIES(BOX2 ", " DISK ", " ROD2) FORCE(
         "type: reeving, pulleys: [disk.center, rod.start], no_slip: [disk, rod], radius: [0.2, 0.1], "
         "turn: [1, 1], to: 'rod.at(0.5, 0.6, 0)', frame: box, stiffness: 50, stiffness_damping: 0.05, tension: 4")},
    {"reeving, planar, friction", GROUNDED,
     FLAT BODIES(BOX2 ", " DISK ", " MASS2)
         FORCE("type: reeving, from: 'ground.at(-0.5, 0.9, 0)', pulleys: ['box.at(0.1, 0, 0)', disk.center], "
               "radius: [0.1, 0.2], turn: [1, 1], to: mass, stiffness: 50, stiffness_damping: 0.05, length: 2, "
               "friction: [0.3, 0.2], slip: 0.7, mass_per_length: 0.4")},
    {"reeving, planar, belt with friction", GROUNDED,
     FLAT BODIES(BOX2 ", " DISK ", " ROD2)
         FORCE("type: reeving, closed: true, pulleys: [box.center, disk.center, rod.start], radius: [0.1, 0.2, 0.1], "
               "stiffness: 50, stiffness_damping: 0.05, tension: 4, friction: [0.3, 0.2, 0], slip: 0.7, "
               "mass_per_length: 0.4")},
    {"reeving, planar, with mass, smooth, of one drum to the other", PLANAR,
     FLAT BODIES(BOX2 ", " DISK ", " ROD2)
         FORCE("type: reeving, pulleys: [rod.start, 'box.at(0.1, 0, 0)', disk.center], radius: [0.1, 0.05, 0.2], "
               "turn: [1, -1, 1], stiffness: 50, tension: 4, mass_per_length: 0.4, wound: [2, 3]")},
    {"reeving, in space, with mass, smooth", FREE,
     BODIES(BOX ", " TENSOR ", " MASS)
         FORCE("type: reeving, from: tensor.center, pulleys: ['box.at(0.1, 0, 0)'], radius: [0.1], to: mass, "
               "axis: [0.2, 0.1, 1], frame: box, stiffness: 50, tension: 5, mass_per_length: 0.4")},
    {"reeving, in space, fed in", GROUNDED,
     BODIES(BOX ", " TENSOR ", " MASS) FORCE(
         "type: reeving, from: 'ground.at(-0.5, 0.9, 0)', pulleys: ['box.at(0.1, 0, 0)', tensor.center], "
         "radius: [0.1, 0.2], turn: [1, 1], to: mass, axis: [0.2, 0.1, 1], stiffness: 50, length: 1.5, feed: 0.1*t^2")},
    {"reeving, in space, frame that moves, friction", GROUNDED,
     BODIES(BOX ", " TENSOR ", " MASS)
         FORCE("type: reeving, from: 'ground.at(-0.5, 0.9, 0)', pulleys: ['box.at(0.1, 0, 0)', tensor.center], "
               "radius: [0.1, 0.2], to: mass, axis: [0.2, 0.1, 1], frame: box, stiffness: 50, stiffness_damping: 0.05, "
               "length: 1.5, friction: [0, 0.4], slip: 0.7, mass_per_length: 0.4")},
    {"reeving, in space, no slip", GROUNDED,
     BODIES(BOX ", " TENSOR ", " MASS)
         FORCE("type: reeving, pulleys: ['box.at(0.1, 0, 0)', tensor.center], radius: [0.1, 0.2], to: mass, "
               "no_slip: [tensor], axis: [0.2, 0.1, 1], stiffness: 50, stiffness_damping: 0.05, tension: 3, "
               "mass_per_length: 0.4")},
    {"reeving, cable and plate", FREE,
     BODIES(BEAM ", " PANEL ", " BOX)
         FORCE("type: reeving, from: beam.end, pulleys: [box.center], radius: [0.05], to: 'panel.at(0.3, 0.4)', "
               "frame: box, stiffness: 50, stiffness_damping: 0.05, length: 0.9")},
    {"spring, point-mass and point-mass", FREE,
     BODIES(MASS ", other: {type: point-mass, mass: 0.8, position: [1, 0.2, 0.1]}")
         FORCE("type: spring, between: [mass, other], stiffness: 40, length: 0.5")},
    /* planar models */
    {"planar: rigid", FREE, FLAT BODIES(BOX2)},
    {"planar: point-mass", FREE, FLAT BODIES(MASS2)},
    {"planar: cable, straight, damped", FREE, FLAT BODIES(CABLE("beam", LINE2, DAMPED))},
    {"planar: cable, arc, scalar, material", FREE,
     FLAT BODIES(CABLE("beam", ARC2, ", elements: 9, bending: scalar, curvature: material"))},
    {"planar: cable, arc, auto, of another shape at rest", FREE,
     FLAT BODIES(CABLE("beam", ARC2, ", elements: 3, rest_through: [[0, 0, 0], [0.5, -0.2, 0], [0.9, 0.2, 0]]"))},
    {"planar: cable, arc, planar, damped", FREE, FLAT BODIES(CABLE("beam", ARC2, DAMPED ", bending: planar"))},
    {"planar: point-mass within an element", FREE,
     FLAT BODIES(BEAM2 ", tip: {type: point-mass, mass: 3, attach: beam.at(0.4)}")},
    {"planar: spherical, within a cable and rigid", FREE,
     FLAT BODIES(BEAM2 ", " BOX2) JOINT("type: spherical, between: [beam.at(0.45), box]")},
    {"planar: revolute, rigid and rigid", FREE,
     FLAT BODIES(BOX2 ", " ROD2) JOINT("type: revolute, between: ['box.at(0.1, 0.2, 0)', rod]")},
    {"planar: fixed, rigid and rigid", FREE,
     FLAT BODIES(BOX2 ", " ROD2) JOINT("type: fixed, between: ['box.at(0.1, 0.2, 0)', rod]")},
    {"planar: fixed, rigid and cable, full", FREE,
     FLAT BODIES(BOX2 ", " BEAM2) JOINT("type: fixed, between: [box, beam.end], slope: full")},
    {"planar: fixed, cable and ground", GROUNDED,
     FLAT BODIES(BEAM2) JOINT("type: fixed, between: [beam.start, ground]")},
    {"planar: distance, rigid and point-mass", FREE,
     FLAT BODIES(BOX2 ", " MASS2) JOINT("type: distance, between: ['box.at(0.1, 0.2, 0)', mass]")},
    {"planar: motion, rotation, rigid and rigid", FREE,
     FLAT BODIES(BOX2 ", " ROD2) JOINT("type: motion, between: [box.center, rod], rotation: 0.8*sin(2*t) + t^2")},
    {"planar: motion, rotation, ground and cable", GROUNDED,
     FLAT BODIES(BEAM2) JOINT("type: motion, between: [ground, beam.start], rotation: 0.8*sin(2*t)")},
    {"planar: motion, translation, rigid and rigid", FREE,
     FLAT BODIES(BOX2 ", " ROD2)
         JOINT("type: motion, between: [box.center, rod.end], axis: [1, 0.4, 0], translation: 0.3*sin(3*t)")},
    {"planar: force, dead, cable", GROUNDED,
     FLAT BODIES(BEAM2) FORCE("type: force, at: beam.at(0.4), force: [3*cos(t), 2, 0]")},
    {"planar: force, follower, rigid", FREE,
     FLAT BODIES(BOX2) FORCE("type: force, at: 'box.at(0.1, 0.2, 0)', force: [3*cos(t), 2, 0], follower: true")},
    {"planar: moment, rigid", FREE, FLAT BODIES(ROD2) FORCE("type: moment, at: rod.end, moment: [0, 0, 2*t]")},
    {"planar: moment, within a cable", FREE,
     FLAT BODIES(BEAM2) FORCE("type: moment, at: beam.at(0.4), moment: [0, 0, 2]")},
    {"planar: spring, rigid and cable, damped", FREE,
     FLAT BODIES(BOX2 ", " BEAM2) FORCE("type: spring, between: ['box.at(0.1, 0.2, 0)', beam.at(0.8)], "
                                        "stiffness: 40, damping: 3, length: 0.3")},
    {"planar: cable, tapered", PLANAR, FLAT BODIES(CABLE("beam", LINE2, DAMPED ", section_end: thin"))},
    /* joints, drivers and forces of all sorts */
    {"universal, rigid and rigid", FREE,
     BODIES(BOX ", " TENSOR)
         JOINT("type: universal, between: ['box.at(0.1, 0.2, -0.1)', tensor], axis: [1, -1, 0.3], axis2: [1, 1, 0]")},
    {"universal, ground and rigid", GROUNDED,
     BODIES(BOX)
         JOINT("type: universal, between: [ground, 'box.at(0.1, 0.2, -0.1)'], axis: [1, -1, 0.3], axis2: [1, 1, 0]")},
    {"cylindrical, rigid and rigid", FREE,
     BODIES(BOX ", " TENSOR)
         JOINT("type: cylindrical, between: ['box.at(0.1, 0.2, -0.1)', tensor.center], axis: [1, -1, 0.3]")},
    {"cylindrical, ground and cable along it", GROUNDED,
     BODIES(BEAM) JOINT("type: cylindrical, between: [ground, beam.at(0.4)], axis: [0.8, 0.3, -0.2]")},
    {"cylindrical, cable and rigid, normal", FREE,
     BODIES(BEAM ", " BOX) JOINT("type: cylindrical, between: [beam.end, box], axis: [0.3, -0.8, 0]")},
    {"prismatic, rigid and rigid", FREE,
     BODIES(BOX ", " TENSOR)
         JOINT("type: prismatic, between: ['box.at(0.1, 0.2, -0.1)', tensor.center], axis: [1, -1, 0.3]")},
    {"prismatic, cable and rigid", FREE,
     BODIES(BEAM ", " BOX) JOINT("type: prismatic, between: [beam.at(0.3), box.center], axis: [0.14, 0.39, -0.16]")},
    {"planar, rigid and rigid", FREE,
     BODIES(BOX ", " TENSOR)
         JOINT("type: planar, between: ['box.at(0.1, 0.2, -0.1)', tensor.center], axis: [1, -1, 0.3]")},
    {"planar, ground and cable", GROUNDED,
     BODIES(BEAM) JOINT("type: planar, between: [ground, beam.end], axis: [0.3, -0.8, 0]")},
    {"point-on-line, rigid and point-mass", FREE,
     BODIES(BOX ", " MASS) JOINT("type: point-on-line, between: ['box.at(0.1, 0.2, -0.1)', mass], axis: [1, -1, 0.3]")},
    {"point-on-line, cable and rigid", FREE,
     BODIES(BEAM ", " BOX)
         JOINT("type: point-on-line, between: [beam.at(0.6), box.center], axis: [0.38, 0.48, -0.22]")},
    {"point-on-plane, rigid and rigid", FREE,
     BODIES(BOX ", " TENSOR)
         JOINT("type: point-on-plane, between: ['box.at(0.1, 0.2, -0.1)', tensor.center], axis: [1, -1, 0.3]")},
    {"point-on-plane, ground and cable", GROUNDED,
     BODIES(BEAM) JOINT("type: point-on-plane, between: [ground, beam.at(0.6)], axis: [1, -1, 0.3]")},
    {"point-on-curve, ground and point-mass, formulas", GROUNDED,
     BODIES(MASS) JOINT("type: point-on-curve, between: [ground, mass], curve: [0.4 + 0.3*sin(2*pi*s), 0.6 + "
                        "0.3*cos(2*pi*s), -0.3 + 0.1*sin(4*pi*s)], closed: true")},
    {"point-on-curve, rigid and rigid", FREE,
     BODIES(BOX ", " TENSOR) JOINT("type: point-on-curve, between: ['box.at(0.1, 0.2, -0.1)', tensor.center], points: "
                                   "[[0.6, 0.1, 0.3], [0.9, 0.2, -0.1], [1.2, 0.5, -0.4], [1.1, 0.8, -0.2]]")},
    {"point-on-curve, floating and cable", FREE,
     BODIES(FLOAT ", " CABLE("tail", NEXT, ", elements: 2"))
         JOINT("type: point-on-curve, between: [float.at(0.6), tail.at(0.3)], points: "
               "[[0.9, 0.4, 0.1], [1.1, 0.6, 0], [1.3, 0.7, -0.1], [1.6, 0.9, -0.1]]")},
    {"rolling, sphere, rigid and rigid", FREE,
     BODIES(BOX ", " TENSOR) JOINT(
         "type: rolling, between: ['box.at(0.1, 0.2, -0.1)', tensor.center], normal: [1, 0.2, -0.3], radius: 0.8")},
    {"rolling, disk on the ground", GROUNDED,
     BODIES(TENSOR) JOINT("type: rolling, between: ['ground.at(0, 0, -0.7)', tensor.center], normal: [0.1, 0.2, 1], "
                          "axis: [1, 0.4, 0.5], radius: 0.6")},
    {"rolling, disk on a rigid body", FREE,
     BODIES(BOX ", " TENSOR) JOINT("type: rolling, between: [box.center, tensor.center], normal: [1, 0.2, -0.3], "
                                   "axis: [0.2, 1, 0.3], radius: 0.8")},
    {"knife-edge, rigid and rigid", FREE,
     BODIES(BOX ", " TENSOR)
         JOINT("type: knife-edge, between: [box.center, 'tensor.at(0.1, 0.2, 0)'], axis: [0.3, 1, 0.5]")},
    {"cam, roller, rigid and rigid", FREE,
     BODIES(BOX ", " TENSOR) JOINT("type: cam, between: [box.center, tensor.center], radius: 0.15, axis: [0, 0, 1], "
                                   "curve: [0.2 + 0.6*cos(2*pi*s), -0.1 + 0.4*sin(2*pi*s), 0.3]")},
    {"cam, flat, rigid and rigid", FREE,
     BODIES(BOX ", " TENSOR)
         JOINT("type: cam, between: [box.center, tensor.center], follower: flat, face: [1, 0.5, 0], "
               "curve: [0.2 + 0.6*cos(2*pi*s), -0.1 + 0.4*sin(2*pi*s), 0]")},
    {"parallel, rigid and rigid", FREE,
     BODIES(BOX ", " TENSOR) JOINT("type: parallel, between: [box.center, tensor.center], axis: [1, -1, 0.3]")},
    {"parallel, rigid and cable", FREE,
     BODIES(BOX ", " BEAM) JOINT("type: parallel, between: [box.center, beam.end], axis: [0.8, 0.3, -0.2]")},
    {"gear", GROUNDED,
     BODIES(BOX ", " TENSOR) JOINTS(HINGES ", joint: {type: gear, joints: [a, b.rotation], teeth: [20, 30]}")},
    {"gear, inside, of any coordinate", GROUNDED,
     BODIES(BOX ", " TENSOR)
         JOINTS(HINGES ", joint: {type: gear, joints: [a, s.rotation], teeth: [20, 30], inside: true}")},
    {"rack", GROUNDED, BODIES(BOX ", " TENSOR) JOINTS(HINGES ", joint: {type: rack, joints: [a, b], radius: 0.3}")},
    {"tie, driven", GROUNDED,
     BODIES(BOX ", " TENSOR) JOINTS(HINGES ", joint: {type: tie, joints: [a, b.rotation, s.rotation, s.translation], "
                                           "factors: [1, 0.5, -1.5, 2], value: 0.3*sin(2*t)}")},
    {"tie, coordinates of free bodies", FREE,
     BODIES(BOX ", " TENSOR) JOINTS("c: {type: coordinate, between: [box.center, tensor.center], axis: [1, -1, 0.3]}, "
                                    "joint: {type: tie, joints: [c.rotation, c.translation], factors: [1, 3]}")},
    {"constraint, driven", GROUNDED,
     BODIES(BOX ", " TENSOR)
         JOINTS(HINGES ", joint: {type: constraint, joints: [a, b.rotation, s.rotation, s.translation], "
                       "equation: 'x1 + 0.5*sin(x2)*cos(x4) - 1.5*x3*x1 + 2*x4 - 0.3*sin(2*t + x2)'}")},
    {"constraint, coordinates of free bodies", FREE,
     BODIES(BOX ", " TENSOR) JOINTS("c: {type: coordinate, between: [box.center, tensor.center], axis: [1, -1, 0.3]}, "
                                    "joint: {type: constraint, joints: [c.rotation, c.translation], "
                                    "equation: 'sin(x1) + 3*x2 + x1*x2'}")},
    {"motion, rotation of a joint", GROUNDED,
     BODIES(BOX ", " TENSOR) JOINTS(HINGES ", joint: {type: motion, joint: b, rotation: 0.8*sin(2*t)}")},
    {"motion, translation of a joint", GROUNDED,
     BODIES(BOX ", " TENSOR) JOINTS(HINGES ", joint: {type: motion, joint: b, translation: 0.8*sin(2*t)}")},
    {"motion, rotation of a hinge of a cable", GROUNDED,
     BODIES(BEAM) JOINTS("a: {type: revolute, between: [beam.start, ground], axis: [0.3, -0.8, 0]}, "
                         "joint: {type: motion, joint: a, rotation: 0.8*sin(2*t)}")},
    /* joints in the plane */
    {"planar: prismatic, rigid and rigid", PLANAR,
     FLAT BODIES(BAR ", " DISK) JOINT("type: prismatic, between: [bar.end, disk.center], axis: [1, 2, 0]")},
    {"planar: prismatic, cable and ground", GROUNDED,
     FLAT BODIES(BEAM2) JOINT("type: prismatic, between: [beam.end, ground], axis: [1, 2, 0]")},
    {"planar: point-on-line", PLANAR,
     FLAT BODIES(BAR ", " MASS2) JOINT("type: point-on-line, between: [bar.end, mass], axis: [-3, 4, 0]")},
    {"planar: point-on-plane", PLANAR,
     FLAT BODIES(BAR ", " BEAM2)
         JOINT("type: point-on-plane, between: [bar.end, beam.at(0.4)], axis: [0.18, -0.28, 0]")},
    {"planar: point-on-curve", PLANAR,
     FLAT BODIES(BAR ", " MASS2)
         JOINT("type: point-on-curve, between: [bar.end, mass], closed: true, points: "
               "[[0.1, 0.9, 0], [0.5, 0.8, 0], [0.9, 0.9, 0], [1, 1.4, 0], [0.5, 1.8, 0], [0, 1.5, 0]]")},
    {"planar: rolling", PLANAR,
     FLAT BODIES(BAR ", " DISK)
         JOINT("type: rolling, between: [bar.end, disk.center], normal: [0.1, -1, 0], radius: 0.8")},
    {"planar: knife-edge", GROUNDED,
     FLAT BODIES(BAR) JOINT("type: knife-edge, between: [ground, bar.end], axis: [-0.3, 0.6, 0]")},
    {"planar: cam, roller and a cable", PLANAR,
     FLAT BODIES(BAR ", " BEAM2) JOINT("type: cam, between: [bar.end, beam.at(0.4)], radius: 0.1, curve: [0.5 + "
                                       "0.8*cos(2*pi*s), 1.1 + 0.7*sin(2*pi*s), 0]")},
    {"planar: cam, flat", PLANAR,
     FLAT BODIES(BAR ", " DISK) JOINT("type: cam, between: [bar.end, disk.center], follower: flat, face: [0, -1, 0], "
                                      "curve: [0.8 + 0.3*cos(2*pi*s), 0.1 + 0.4*sin(2*pi*s), 0]")},
    {"planar: parallel", PLANAR,
     FLAT BODIES(BAR ", " DISK) JOINT("type: parallel, between: [bar.end, disk.center], axis: [1, 2, 0]")},
    {"planar: gear", GROUNDED,
     FLAT BODIES(BAR ", " DISK) JOINTS(FLAT_HINGES ", joint: {type: gear, joints: [a, b], ratio: -0.37}")},
    {"planar: tie, driven", GROUNDED,
     FLAT BODIES(BAR ", " DISK)
         JOINTS(FLAT_HINGES ", joint: {type: tie, joints: [a, b, s], factors: [1, 0.37, 2], value: t^2}")},
    {"planar: motion of a joint", GROUNDED,
     FLAT BODIES(BAR ", " DISK) JOINTS(FLAT_HINGES ", joint: {type: motion, joint: b, rotation: 9*t}")},
    {"planar: motion, rotation of a hinge of a cable", GROUNDED,
     FLAT BODIES(BEAM2) JOINTS("a: {type: revolute, between: [beam.start, ground]}, "
                               "joint: {type: motion, joint: a, rotation: 0.8*sin(2*t)}")},
    {"force, follower, cable", GROUNDED,
     BODIES(BEAM) FORCE("type: force, at: beam.at(0.4), force: [3*cos(t), 2, -4], follower: true")},
    {"moment, follower, cable", GROUNDED,
     BODIES(BEAM) FORCE("type: moment, at: beam.end, moment: [1.5, -0.7*t, 2], follower: true")},
    {"torsion-spring, planar, within a floating body and frf beam, damped", PLANAR,
     FLAT BODIES(FLOAT2 ", " PLANAR_BEAM("beam", NEXT2, "formulation: frf"))
         FORCE("type: torsion-spring, between: [float.at(0.7), beam.at(0.3)], stiffness: 4, damping: 0.3")},
    {"torsion-spring, rigid and rigid, damped", FREE,
     BODIES(BOX ", " TENSOR) FORCE("type: torsion-spring, between: [box.center, tensor.center], axis: [1, -1, 0.3], "
                                   "stiffness: 4, damping: 3, angle: 0.4")},
    {"torsion-spring, cable and rigid, damped", FREE,
     BODIES(BEAM ", " BOX) FORCE("type: torsion-spring, between: [beam.end, box.center], axis: [0.3, -0.8, 0], "
                                 "stiffness: 4, damping: 3")},
    {"stop, rigid and rigid, damped", FREE,
     BODIES(BOX ", " TENSOR) JOINTS("c: {type: coordinate, between: [box.center, tensor.center], axis: [1, -1, 0.3]}")
         FORCE("type: stop, joints: [c.rotation], max: -0.7, stiffness: 4, exponent: 1.5, damping: 0.1")},
    {"stop, sum of two coordinates", FREE,
     BODIES(BOX ", " TENSOR) JOINTS("c: {type: coordinate, between: [box.center, tensor.center], axis: [1, -1, 0.3]}")
         FORCE("type: stop, joints: [c.translation, c.rotation], factors: [2, -0.5], min: 0.6, max: 0.7, stiffness: 9, "
               "exponent: 2, damping: 0.05")},
    {"friction, revolute, two supports, sliding", FREE,
     BODIES(BOX ", " TENSOR) JOINT("type: revolute, between: ['box.at(0.1, 0.2, -0.1)', tensor], axis: [1, -1, 0.3]")
         FORCE("type: friction, joint: joint, coefficient: 0.3, radius: 0.7, length: 0.4, constant: 0.2, breakaway: 2, "
               "stribeck_speed: 0.8, viscous: 0.1")},
    {"friction, revolute, creeping", FREE,
     BODIES(BOX ", " TENSOR) JOINT("type: revolute, between: ['box.at(0.1, 0.2, -0.1)', tensor], axis: [1, -1, 0.3]")
         FORCE("type: friction, joint: joint, coefficient: 0.3, radius: 0.7, creep_speed: 20")},
    {"friction, prismatic, two supports", FREE,
     BODIES(BOX ", " TENSOR) JOINT("type: prismatic, between: ['box.at(0.1, 0.2, -0.1)', tensor], axis: [1, -1, 0.3]")
         FORCE("type: friction, joint: joint, coefficient: 0.3, length: 0.4, creep_speed: 20")},
    {"friction, cylindrical, translation", FREE,
     BODIES(BOX ", " TENSOR) JOINT("type: cylindrical, between: ['box.at(0.1, 0.2, -0.1)', tensor], axis: [1, -1, 0.3]")
         FORCE("type: friction, joint: joint, coordinate: translation, coefficient: 0.3, breakaway: 2, stribeck_speed: "
               "1")},
    {"friction, point-on-line, cable on ground", GROUNDED,
     BODIES(BEAM) JOINT("type: point-on-line, between: [ground, beam.end], axis: [1, -1, 0.3]")
         FORCE("type: friction, joint: joint, coefficient: 0.3, creep_speed: 10")},
    {"friction, revolute, cable and rigid", FREE,
     BODIES(BEAM ", " BOX) JOINT("type: revolute, between: [beam.end, box], axis: [0.3, -0.8, 0]")
         FORCE("type: friction, joint: joint, coefficient: 0.3, radius: 0.2, creep_speed: 10")},
    {"friction, spherical, creeping", FREE,
     BODIES(BOX ", " TENSOR) JOINT("type: spherical, between: ['box.at(0.1, 0.2, -0.1)', tensor]") FORCE(
         "type: friction, joint: joint, coefficient: 0.3, radius: 0.7, constant: 0.2, viscous: 0.1, creep_speed: 20")},
    {"friction, spherical, beam and rigid, sliding", FREE,
     BODIES(ROD ", " BOX) JOINT("type: spherical, between: [rod.end, box]")
         FORCE("type: friction, joint: joint, coefficient: 0.3, radius: 0.07, breakaway: 2, stribeck_speed: 1")},
    {"friction, coordinate", FREE,
     BODIES(BOX ", " TENSOR) JOINTS("c: {type: coordinate, between: [box.center, tensor.center], axis: [1, -1, 0.3]}")
         FORCE("type: friction, joint: c, coordinate: rotation, constant: 0.6, breakaway: 1.5, stribeck_speed: 3")},
    {"bushing, rigid and rigid", FREE,
     BODIES(BOX ", " TENSOR)
         FORCE("type: bushing, between: ['box.at(0.1, 0.2, -0.1)', tensor.center], "
               "rotation: {axis: [1, 1, 0], angle: 0.4}, stiffness: [4, 5, 6], damping: [0.3, 0.2, 0.4], "
               "turn_stiffness: [3, 1, 2], turn_damping: [0.3, 0.5, 0.4]")},
    {"distributed, beam", GROUNDED,
     BODIES(ROD) FORCE("type: distributed, on: rod, force: [3*cos(t), 2, -4*t], from: 0.2, to: 0.9")},
    {"distributed, part of a cable", GROUNDED,
     BODIES(BEAM)
         FORCE("type: distributed, on: beam, force: [3*cos(t), 2, -4*t], profile: 1 - s^2, from: 0.2, to: 0.9")},
    {"drag, viscous", FREE, BODIES(BEAM) FORCE("type: drag, on: beam, normal: 30, tangential: 8")},
    {"drag, quadratic", FREE,
     BODIES(BEAM) FORCE("type: drag, on: beam, density: 900, diameter: 0.05, tangential_coefficient: 0.3")},
    /* expressions of the state: every force with every sort of quantity */
    {"force, expression of points and rates", GROUNDED,
     BODIES(BOX ", " MASS) FORCE("type: force, at: box.center, force: ['3*mass.x*mass.vy - 2*box.center.z', "
                                 "'-4*sin(mass.z) + cos(t)*mass.vx', 'box.at(0.1, 0.2, 0.3).vz^2 - mass.y^3']")},
    {"force, follower, expression of a cable and a beam", GROUNDED,
     BODIES(BEAM ", " ROD)
         FORCE("type: force, at: beam.at(0.4), follower: true, force: ['2*rod.at(0.6).x + beam.end.vz', "
               "'t*rod.end.vy', '3 - beam.start.y*rod.start.z']")},
    {"moment, expression of an angle and its rate", GROUNDED,
     BODIES(
         BOX
         ", " TENSOR) "joints: {hinge: {type: revolute, between: ['box.at(0.1, 0.1, 0.1)', tensor.center], axis: [1, "
                      "0.4, -0.3]}}\n" FORCE("type: moment, at: box.center, moment: ['-4*hinge.angle - "
                                             "0.3*hinge.rate', 'hinge.angle*hinge.rate', 'tanh(hinge.rate + t)']")},
    {"moment, follower, cable, expression of a travel", GROUNDED,
     BODIES(BEAM ", " BOX) "joints: {slide: {type: prismatic, between: [ground, box.center], axis: [1, 0.2, "
                           "0.4]}}\n" FORCE("type: moment, at: beam.end, follower: true, moment: ['2*slide.position', "
                                            "'1 + slide.velocity^2', "
                                            "'slide.position*slide.rate']")},
    {"force, expression of distances and relative places", GROUNDED,
     BODIES(BOX ", " BEAM ", " MASS)
         FORCE("type: force, at: mass, force: ['-5*(distance(box.center, beam.end) - 0.3)', "
               "'-2*distance(mass, ground.at(0.1, 0.2, 0.3)).rate', 'relative(box.center, mass).x*relative(box, "
               "beam.end).vy + relative(box.center, beam.at(0.3)).z']")},
    {"distributed, expression", GROUNDED,
     BODIES(BEAM ", " MASS)
         FORCE("type: distributed, on: beam, force: [3*mass.x, -2*mass.vy, '-beam.end.z*t'], from: 0.2")},
    {"spring, law", FREE,
     BODIES(BOX ", " BEAM)
         FORCE("type: spring, between: ['box.at(0.1, 0.2, -0.1)', beam.at(0.7)], length: 0.3, damping: 0.4, "
               "force: '20*stretch + 7*stretch^3 + 2*rate*abs(rate)'")},
    {"spring, law of other bodies", GROUNDED,
     BODIES(BOX ", " BEAM ", " MASS) FORCE("type: spring, between: [box.center, mass], force: '4*stretch + "
                                           "3*beam.end.x*rate - distance(box.center, beam.start)'")},
    {"torsion-spring, law", FREE,
     BODIES(BOX ", " TENSOR) FORCE("type: torsion-spring, between: [box.center, tensor.center], axis: [1, -1, 0.3], "
                                   "angle: 0.4, moment: '3*sin(angle) + angle^3 + 0.5*tanh(2*rate)'")},
    {"bushing, laws", GROUNDED,
     BODIES(BOX ", " TENSOR ", " MASS) FORCE(
         "type: bushing, between: ['box.at(0.1, 0.2, -0.1)', tensor.center], rotation: {axis: [1, 1, 0], angle: "
         "0.4}, force: [4*stretch + stretch^3, '5*stretch*(1 + rate)', mass.x], moment: [3*angle, 'sin(angle)*rate', "
         "'t*angle + mass.vy']")},
    {"planar: spring and torsion-spring, laws", GROUNDED,
     FLAT BODIES(
         BAR ", " DISK) "forces: {a: {type: spring, between: [bar.end, disk.center], force: '9*stretch + stretch^2 + "
                        "0.3*rate'}, b: {type: torsion-spring, between: [bar.end, disk], moment: "
                        "'4*angle*bar.end.x'}}\n"},
    {"force, expression of variables and inputs", GROUNDED,
     BODIES(MASS
            ", " BOX) "variables: {u: {value: 'w*mass.x - 0.4*box.center.vy + z^2'}, w: {value: 2 + sin(t) + load}, "
                      "z: {rate: '-3*z + mass.vx*u + box.center.y', start: 0.7}, y: {rate: 'z*mass.z - 0.3*y^3', "
                      "start: -0.4}}\ninputs: {load: {default: 0.3*cos(t)}}\n" FORCE(
                          "type: force, at: mass, force: ['3*u - y', '-w*u*z', '2*z + load']")},
    {"force, controllers", GROUNDED,
     BODIES(MASS
            ", " BEAM) "controllers: {c: {type: pid, measure: mass.x - beam.end.y, setpoint: sin(t) + d.y2, kp: 3, "
                       "ki: 2, kd: 0.4, filter_time: 1, limits: [-50, 50], tracking_time: 0.5}, d: {type: "
                       "state-space, inputs: [mass.vy, 'mass.z^2'], A: [[-1, 2], [0.5, -3]], B: [[1, 0], [-1, 2]], C: "
                       "[[1, 1], [2, -1]], D: [[0, 0.3], [0, 0]], start: [0.3, -0.2]}, g: {type: transfer-function, "
                       "input: beam.end.vz + c, numerator: [2, 1], denominator: [1, 3, 4]}, h: {type: pid, measure: "
                       "mass.x, rate: mass.vx, kp: 2, kd: 1, period: 0.1}}\n" FORCE(
                           "type: force, at: mass, force: ['3*c', '-g*d.y1', '2*d.y2 + h']")},
    {"actuators in space", GROUNDED,
     BODIES(
         BOX) "joints: {hinge: {type: revolute, between: [ground, box.center], axis: [1, 2, 3]}, wheel: {type: rotor, "
              "joint: hinge, inertia: 0.3, ratio: -2}}\ntables: {curve: {x: [0, 90], y: [50, 40]}}\nforces: {m: "
              "{type: "
              "dc-motor, joint: hinge, voltage: 3*cos(t), resistance: 1.2, inductance: 0.4, torque_constant: 0.3, "
              "friction: 0.1, ratio: 2}, n: {type: dc-motor, joint: hinge, voltage: 2, resistance: 0.7, "
              "torque_constant: "
              "0.2, back_emf_constant: 0.1}, a: {type: actuator, joint: hinge, command: '2*m.current - hinge.angle', "
              "limit: "
              "curve(abs(hinge.rate))}}\n"},
    {"rotors on bodies that turn", FREE,
     BODIES(BOX
            ", " TENSOR
            ", " ROD) "joints: {hinge: {type: revolute, between: ['box.at(0.1, 0.2, 0.1)', tensor], axis: "
                      "[1, 2, 3]}, wheel: {type: rotor, joint: hinge, inertia: 0.3, ratio: -2}, next: "
                      "{type: revolute, between: [rod.at(0.7), 'tensor.at(-0.25471, 0.23238, 0.37205)'], axis: [3, 1, "
                      "-1]}, motor: {type: rotor, joint: next, inertia: 0.2, axis: [1, -1, 2]}}\n"},
    {"locks in space", GROUNDED,
     BODIES(BOX
            ", " MASS) "joints: {hinge: {type: revolute, between: [ground, box.center], axis: [1, 2, 3]}, slide: "
                       "{type: coordinate, between: [box.center, mass], axis: [3, 1, 2]}}\nevents: {a: {when: t - 9, "
                       "release: hinge}, b: {when: t - 9, lock: slide.translation}}\n"},
    {"servo in space", GROUNDED,
     BODIES(BOX ", " MASS) "joints: {hinge: {type: revolute, between: [ground, box.center], axis: [1, 2, 3]}, drive: "
                           "{type: servo, "
                           "joint: hinge, setpoint: 0.5, speed: 2, acceleration: 5, period: 0.1}}\n"},
    {"planar: hydraulic cylinder", GROUNDED,
     FLAT BODIES(
         BOX2) "joints: {slide: {type: prismatic, between: [ground, box.center], axis: [1, 2, 0]}}\nforces: {c: "
               "{type: hydraulic-cylinder, joint: slide, area: 0.3, rod_area: 0.2, volume_a: 4, volume_b: 5, "
               "bulk_modulus: 7, supply: 3, valve: 0.3 + 0.1*sin(t), flow_coefficient: 0.4, leakage: 0.2, "
               "laminar_pressure: 2, pressure_a: 1.1, pressure_b: 0.7}}\n"},
    {"force, expression of resultants of a cable", GROUNDED,
     BODIES(BEAM ", " MASS) "outputs: {m: {resultant: beam.at(0.4), about: [0.3, -0.2, 1]}}\n" FORCE(
         "type: force, at: mass, force: ['beam.at(0.5).N + mass.x*beam.at(0.2).strain', '0.1*m.M*beam.end.vx', "
         "'m.Q + beam.start.N*sin(mass.vy)']")},
    {"force, expression of resultants of a beam", GROUNDED,
     BODIES(ROD ", " MASS) FORCE("type: force, at: mass, force: ['rod.at(0.5).N', '0.3*rod.at(0.25).Mz*mass.vx', "
                                 "'rod.at(0.7).Qz + rod.end.Mx']")},
    {"force, expression of resultants of an elastic line", GROUNDED,
     BODIES(AXIS ", " MASS) FORCE("type: force, at: mass, force: ['rod.at(0.4).N', '0.3*rod.at(0.25).My*mass.vx', "
                                  "'rod.at(0.7).Mx']")},
    {"force, expression of resultants of a plate", GROUNDED,
     BODIES(PANEL ", " MASS) FORCE("type: force, at: mass, force: ['panel.at(0.3, 0.6).Nxx', "
                                   "'mass.vx*panel.at(0.5, 0.5).Mxy', 'panel.at(0.2, 0.1).Nxy']")},
    {"force, expression of resultants of a floating body", GROUNDED,
     BODIES(FLOAT ", " MASS) FORCE("type: force, at: mass, force: ['float.at(0.3).N', 'mass.vx*float.at(0.5).Mz', "
                                   "'float.at(0.5).Qy']")},
    {"planar: force, expression of resultants", GROUNDED,
     FLAT BODIES(IRF ", " DISK) FORCE("type: force, at: disk.center, force: ['0.1*beam.at(0.5).N', "
                                      "'0.1*beam.at(0.25).M*disk.center.vx', 0]")},
    {"force, expression of reactions", GROUNDED,
     BODIES(BOX ", " TENSOR) JOINTS(HINGES)
         FORCE("type: force, at: box.center, force: ['0.3*a.reaction.fx + 0.1*b.reaction.mz', "
               "'-0.2*a.reaction.force*box.center.vy', '0.1*sin(s.reaction.y)*a.reaction.moment']")},
    {"planar: variables and laws, expression of reactions", GROUNDED,
     FLAT BODIES(BAR ", " DISK)
         JOINTS(FLAT_HINGES) "variables: {z: {rate: '0.2*b.reaction.fx - z', start: 0.3}, u: "
                             "{value: 0.1*a.reaction.force}}\nforces: {g: {type: spring, "
                             "between: ['ground.at(0.2, 0.1, 0)', disk.center], force: 'stretch*u + "
                             "0.3*rate + z'}}\n"},
    {"drag, coefficients of the state", GROUNDED,
     BODIES(BEAM ", " MASS) "variables: {z: {rate: 'mass.x - z', start: 0.3}}\n" FORCE(
         "type: drag, on: beam, normal: '0.4 + 0.2*mass.x^2', tangential: 0.3 + z^2, diameter: 0.1, density: 3, "
         "normal_coefficient: '1 + 0.3*sin(beam.end.vx)', tangential_coefficient: 0.2")},
    {"drag on a plate, coefficients of the state", GROUNDED,
     BODIES(PANEL ", " MASS)
         FORCE("type: drag, on: panel, normal: '0.4 + 0.2*mass.x^2', density: 3, normal_coefficient: "
               "'1 + 0.3*sin(mass.vx)', tangential_coefficient: '0.2*mass.y^2', wind: [1, 0.3, 0]")},
    {"force, expression of energies", GROUNDED,
     BODIES(BOX ", " MASS ", " BEAM)
         FORCE("type: force, at: mass, force: ['0.1*box.energy', '0.1*model.potential_energy*mass.x', "
               "'-0.1*beam.kinetic_energy*mass.vz']")},
    {"force, expression of springs", GROUNDED,
     BODIES(BOX
            ", " MASS) "forces: {s: {type: spring, between: [box.center, mass], stiffness: 3, damping: 0.4, length: "
                       "0.2, force: 'stretch^3*box.center.x'}, f: {type: force, at: mass, force: [0.2*s.force, "
                       "s.length*s.rate, 0.3*mass.x]}}\n"},
    {"planar: force, expression of a planar joint", GROUNDED,
     FLAT BODIES(BAR ", " DISK) "joints: {hinge: {type: revolute, between: [bar.end, disk]}}\n" FORCE(
         "type: force, at: bar.end, follower: true, force: ['hinge.angle*hinge.rate', '3*disk.center.x - bar.end.vy', "
         "0]")},
    {"planar: moment, expression of a cable", GROUNDED,
     FLAT BODIES(BEAM2 ", " DISK) FORCE("type: moment, at: disk.center, moment: [0, 0, '4*beam.end.x*beam.end.vy - "
                                        "distance(beam.start, disk.center)^2']")},
    /* forces in the plane */
    {"planar: force, follower, cable", PLANAR,
     FLAT BODIES(BEAM2) FORCE("type: force, at: beam.at(0.4), force: [3*cos(t), 2, 0], follower: true")},
    {"planar: moment, follower, cable", PLANAR,
     FLAT BODIES(BEAM2) FORCE("type: moment, at: beam.end, moment: [0, 0, 2], follower: true")},
    {"planar: torsion-spring", PLANAR,
     FLAT BODIES(BAR ", " DISK)
         FORCE("type: torsion-spring, between: [bar.end, disk], axis: [0, 0, -1], stiffness: 4, damping: 3, angle: 9")},
    {"planar: torsion-spring, cable", PLANAR,
     FLAT BODIES(BEAM2 ", " DISK)
         FORCE("type: torsion-spring, between: [beam.end, disk], stiffness: 1, damping: 0.5, angle: 0.3")},
    {"planar: stop, backlash", GROUNDED,
     FLAT BODIES(BAR ", " DISK) JOINTS(FLAT_HINGES)
         FORCE("type: stop, joints: [a, b], factors: [1, 1.7], min: 0.9, max: 1, stiffness: 30, damping: 0.1")},
    {"planar: friction, revolute", PLANAR,
     FLAT BODIES(BAR ", " DISK) JOINT("type: revolute, between: [bar.end, disk]")
         FORCE("type: friction, joint: joint, coefficient: 0.3, radius: 0.5, breakaway: 2, stribeck_speed: 1")},
    {"planar: friction, prismatic, two supports", PLANAR,
     FLAT BODIES(BOX2 ", " DISK) JOINT("type: prismatic, between: [box, disk.center], axis: [1, 0.4, 0]")
         FORCE("type: friction, joint: joint, coefficient: 0.3, length: 0.5, creep_speed: 10")},
    {"planar: friction, spherical, cable and rigid", PLANAR,
     FLAT BODIES(BEAM2 ", " DISK) JOINT("type: spherical, between: [beam.end, disk]")
         FORCE("type: friction, joint: joint, coefficient: 0.3, radius: 0.05, creep_speed: 10")},
    {"planar: bushing", PLANAR,
     FLAT BODIES(BAR ", " DISK)
         FORCE("type: bushing, between: [bar.end, disk.center], rotation: {axis: [0, 0, 1], angle: 0.4}, "
               "stiffness: [4, 5, 0], damping: [0.3, 0.2, 0], turn_stiffness: [0, 0, 2], turn_damping: [0, 0, 0.4]")},
    {"planar: distributed", GROUNDED,
     FLAT BODIES(BEAM2) FORCE("type: distributed, on: beam, force: [3*cos(t), 2, 0], profile: s")},
    {"planar: drag", PLANAR,
     FLAT BODIES(BEAM2) FORCE("type: drag, on: beam, normal: 30, tangential: 8, diameter: 0.02, density: 1000")},
    /* contact by penalty; rigid bodies, whose quaternions are off unit length here: test_contact.c */
    {"contact, cable and ground", GROUNDED,
     BODIES(BEAM) "surfaces: {a: {type: spheres, on: beam, count: 4, radius: 0.3}, "
                  "b: {type: sphere, at: [0.2, 0.6, 0.2], radius: 0.5}, c: {type: plane, at: [0, -0.1, 0], normal: [1, "
                  "3, 1]}}\n"
                  "contacts: {all: {points: all, friction: 0.4, damping: 0.2, slip: 0.5}}\n"},
    {"contact, cable and ellipsoid", GROUNDED,
     BODIES(BEAM) "surfaces: {a: {type: spheres, on: beam, count: 4, radius: 0.3}, "
                  "b: {type: ellipsoid, at: [0.2, 0.6, 0.2], radii: [0.6, 0.5, 0.3], rotation: {axis: [1, 2, 3], "
                  "angle: 1}}}\ncontacts: {all: {points: all, friction: 0.4, damping: 0.2, slip: 0.5}}\n"},
    {"contact, cable and convex hull", GROUNDED,
     BODIES(
         BEAM) "surfaces: {a: {type: spheres, on: beam, count: 4, radius: 0.3}, "
               "b: {type: convex, points: [[-0.5, 0.3, 0], [0.9, 0.4, 0.1], [0.2, 0.9, 0.3], [0.1, 0.5, -0.8], [0.3, "
               "1.4, -0.1]]}}\ncontacts: {all: {points: all, friction: 0.4, damping: 0.2, slip: 0.5}}\n"},
    {"contact, force by a formula", GROUNDED,
     BODIES(BEAM) "surfaces: {a: {type: spheres, on: beam, count: 4, radius: 0.3}, "
                  "b: {type: sphere, at: [0.2, 0.6, 0.2], radius: 0.5}, c: {type: plane, at: [0, -0.1, 0], normal: [1, "
                  "3, 1]}}\ncontacts: {all: {points: all, method: formula, force: '300*depth^1.7*exp(0.05*rate)', "
                  "friction: 0.4, slip: 0.5}}\n"},
    {"contact, stiff law with damping by Flores", GROUNDED,
     BODIES(BEAM) "surfaces: {a: {type: spheres, on: beam, count: 4, radius: 0.3}, "
                  "b: {type: sphere, at: [0.2, 0.6, 0.2], radius: 0.5}, c: {type: plane, at: [0, -0.1, 0], normal: [1, "
                  "3, 1]}}\n"
                  "contacts: {all: {points: all, stiffness: 300, exponent: 2.7, friction: 0.4, slip: 0.5, restitution: "
                  "0.3, impact_speed: 8, damping_law: flores}}\n"},
    {"contact, two cables and a mass", FREE,
     BODIES(BEAM ", " MASS
                 ", other: {type: cable, from: [0.4, -0.2, 0.5], to: [0.6, 0.7, -0.2], elements: 1, material: soft, "
                 "section: thin}") "surfaces: {a: {type: spheres, on: beam, count: 4, radius: 0.2}, b: {type: spheres, "
                                   "on: other, count: 2, radius: 0.4}, "
                                   "m: {type: sphere, on: mass, radius: 0.6}}\n"
                                   "contacts: {all: {points: all, friction: 0.4, slip: 5, young: 1e3}}\n"},
    {"contact, plate and masses", FREE,
     BODIES(PANEL ", " MASS) "surfaces: {a: {type: grid, on: panel, count: [3, 2], radius: 0.2}, "
                             "m: {type: sphere, on: mass, radius: 0.7}}\n"
                             "contacts: {all: {points: all, friction: 0.4, slip: 0.5, damping: 0.1}}\n"},
    {"contact, two plates, exact", FREE,
     BODIES(PANEL ", " PLATE("wing",
                             "at: [0.046, 0.203, 0.63], along: [0.54, 0.27, 0.18], across: [-0.18, 0.36, 0], elements: "
                             "[1, 1]")) "surfaces: {a: {type: "
                                        "grid, on: panel, "
                                        "count: [3, 2], "
                                        "radius: 0.2}, b: "
                                        "{type: grid, on: "
                                        "wing, count: [2, 3], "
                                        "radius: 0.2}}\n"
                                        "contacts: {all: "
                                        "{points: all, exact: "
                                        "true, friction: 0.4, "
                                        "slip: 0.5, damping: "
                                        "0.1}}\n"},
    {"contact, floating beam", GROUNDED,
     BODIES(FLOAT) "surfaces: {a: {type: spheres, on: float, count: 3, radius: 0.3}, "
                   "c: {type: plane, at: [0, 0, 0], normal: [1, 3, 1]}}\n"
                   "contacts: {all: {points: all, friction: 0.4, slip: 0.5, damping: 0.1, young: 1e3}}\n"},
    {"contact in the plane", PLANAR,
     FLAT BODIES(BEAM2 ", " DISK) "surfaces: {a: {type: spheres, on: beam, count: 4, radius: 0.3}, "
                                  "b: {type: sphere, on: disk, radius: 0.5}}\n"
                                  "contacts: {all: {points: all, friction: 0.4, slip: 0.5, damping: 0.1}}\n"},
};

const int sn_case_count = (int)SN_COUNT(sn_model_cases);

char *case_text(const sn_case *it) {
  size_t size = sizeof head + strlen(it->text) + 8;
  char *text = malloc(size);
  int length = snprintf(text, size, head, strncmp(it->text, FLAT, strlen(FLAT)) == 0 ? "0" : "2.1");
  snprintf(text + length, size - (size_t)length, "%s", it->text);
  return text;
}
