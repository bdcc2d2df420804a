/* test_sections.c - joints, drivers, springs and moments on bodies that bend: one frame of the section for all of them.
 *
 * turned    every kind of body x every way to hold it x every kind of load, bent far, in equilibrium, and driven in
 *           motion: the same model turned by some rotation gives the same answer, turned
 * refined   however the end of a beam is held fast (a hinge that is driven, a slider, ...), it is held as `fixed` holds
 *           it, with few elements and with many; springs and moments give what the theory of beams gives
 *
 * Texts of models have vectors <x y z>, which are turned; <Q> is the rotation itself. $S, $E are the ends of the body.
 */
#include "math/quat.h"
#include "support.h"

/* ---- texts ---- */

typedef struct rotation {
  double p[4];
} rotation;

static rotation any_rotation(uint64_t seed, bool planar) {
  rotation r = {{1, 0}};
  double norm = 0;
  for (int k = 0; k < 4; k++) r.p[k] = planar && (k == 1 || k == 2) ? 0 : noise(&seed);
  for (int k = 0; k < 4; k++) norm += r.p[k] * r.p[k];
  for (int k = 0; k < 4; k++) r.p[k] /= sqrt(norm);
  return r;
}

typedef struct kind {
  const char *name, *fields; /* of the body; %d: elements */
  const char *start, *end;   /* markers */
  const char *holds;         /* names of holds it cannot have */
} kind;

/* Put the text of a model with its vectors turned and the markers of the kind. */
static void expand(const char *from, const kind *k, const rotation *r, char *to, size_t room) {
  char *end = to + room - 400;
  for (; *from && to < end; from++) {
    double v[3], y[3];
    int used = 0;
    if (from[0] == '$') {
      from++;
      to += sprintf(to, "%s", *from == 'S' ? k->start : k->end);
    } else if (strncmp(from, "<Q>", 3) == 0) {
      to += sprintf(to, "[%.17g, %.17g, %.17g, %.17g]", r->p[0], r->p[1], r->p[2], r->p[3]);
      from += 2;
    } else if (sscanf(from, "<%lf %lf %lf>%n", &v[0], &v[1], &v[2], &used) == 3 && used > 0) {
      sn_quat_rotate(r->p, v, y);
      to += sprintf(to, "[%.17g, %.17g, %.17g]", y[0], y[1], y[2]);
      from += used - 1;
    } else {
      *to++ = *from;
    }
  }
  assert_true(to < end);
  *to = 0;
}

typedef struct setup {
  bool planar;
  const kind *body;
  int elements;
  const char *hold, *force, *load; /* joints, forces that hold, forces */
  double poisson;
  bool moves;
} setup;

/* Equilibrium, or after a motion; y: position of the end and the angle of its section about the axis of the body at the
 * start, turned back. */
static void solve(const setup *s, const rotation *r, double y[4]) {
  char body[600], text[6000], model[9000];
  const sn_options options = {0};
  run it = {.context = sn_context_create()};
  sn_row row;
  snprintf(body, sizeof body, s->body->fields, s->elements);
  bool twists = !s->planar && !strstr(s->body->fields, "cable");
  snprintf(text, sizeof text,
           "sinew: 1\n%smaterials: {m: {density: 1000, young: 2e7, poisson: %g}}\n"
           "sections: {s: {type: rectangle, width: 0.04, height: 0.03}}\n"
           "bodies: {b: {%s, material: m}, wheel: {type: rigid, position: <0 -2 0>, mass: 1, inertia: [1, 1, 1]}}\n"
           "joints: {axle: {type: revolute, between: [ground, wheel.center], axis: <0 0 1>}, drive: {type: motion, "
           "joint: axle, rotation: 2*t^2}%s%s}\nforces: {%s%s}\noutputs: {tip: {point: $E}%s}\n"
           "analysis: {%s}\n",
           s->planar ? "planar: true\n" : "", s->poisson, body, s->hold,
           twists ? ", twist: {type: coordinate, between: [ground, $E], axis: <1 0 0>}" : "", s->force, s->load,
           twists ? ", twist: {joint: twist}" : "",
           s->moves ? "type: dynamics, duration: 0.3, integrator: {type: hht-i3, step: 1e-3, newton: full}"
                    : "type: statics");
  expand(text, s->body, r, model, sizeof model);
  it.model = parse(it.context, model);
  if (sn_simulation_create(it.model, &options, &it.simulation) || sn_run(it.simulation))
    fail_msg("%s\n%s", model, sn_message(it.context));
  sn_row_create(it.simulation, &row);
  sn_sample(it.simulation, sn_time(it.simulation), &row);
  double at[3] = {row.values[0], row.values[1], s->planar ? 0 : row.values[2]};
  sn_quat_unrotate(r->p, at, y);
  y[3] = twists ? row.values[it.model->output[0].columns] : 0;
  close_run(&it);
}

/* ---- bodies ---- */

#define LINE "from: <0 0 0>, to: <1 0 0>, section: s, elements: %d"
#define UP ", up: <0 1 0>"

static const kind space[] = {
    {"beam", "type: beam, " LINE UP, "b.start", "b.end", ""},
    {"beam, selective", "type: beam, elastic: selective, " LINE UP, "b.start", "b.end", ""},
    {"beam, continuum", "type: beam, elastic: continuum, " LINE UP, "b.start", "b.end", ""},
    {"beam, elastic-line", "type: beam, elastic: elastic-line, " LINE UP, "b.start", "b.end", ""},
    {"floating", "type: floating, " LINE UP, "b.start", "b.end", ""},
    {"floating, simply supported", "type: floating, reference: simply-supported, " LINE UP, "b.start", "b.end", ""},
    {"floating, reduced", "type: floating, modes: 2, " LINE UP, "b.start", "b.end", ""},
    {"plate", "type: plate, at: <0 -0.1 0>, along: <1 0 0>, across: <0 0.2 0>, thickness: 0.03, elements: [%d, 2]",
     "'b.at(0, 0.5)'", "'b.at(1, 0.5)'", ""},
    /* a cable has a tangent only: it turns about any axis along it, so that it hangs on joints that hold it sideways */
    {"cable", "type: cable, " LINE, "b.start", "b.end", "slanting parallel universal bushing"},
};

static const kind plane[] = {
    {"beam2d", "type: beam2d, " LINE, "b.start", "b.end", ""},
    {"irf", "type: planar-beam, formulation: irf, " LINE, "b.start", "b.end", ""},
    {"irf, shear", "type: planar-beam, formulation: irf, theory: timoshenko, " LINE, "b.start", "b.end", ""},
    {"ancf-s", "type: planar-beam, formulation: ancf-s, " LINE, "b.start", "b.end", "bushing"},
    {"frf", "type: planar-beam, formulation: frf, " LINE, "b.start", "b.end", ""},
    {"floating", "type: floating, " LINE, "b.start", "b.end", ""},
    {"floating, simply supported", "type: floating, reference: simply-supported, " LINE, "b.start", "b.end", ""},
    {"cable", "type: cable, " LINE, "b.start", "b.end", "bushing"},
};

/* ---- holds: joints that leave no freedom, driven by %s; and soft ones ---- */

typedef struct hold {
  const char *name, *joints, *forces;
} hold;

enum { RIGID_HOLDS = 10 }; /* those of the first table; the rest is soft or turns */

#define BETWEEN "between: [ground, $S]"
#define DRIVE(what) ", j2: {type: motion, joint: j, " what ": %s}"

static const hold space_holds[] = {
    {"fixed", ", j: {type: fixed, " BETWEEN "}", ""},
    {"revolute across, markers driven",
     ", j: {type: revolute, " BETWEEN ", axis: <0 0 1>}, j2: {type: motion, " BETWEEN ", axis: <0 0 1>, rotation: %s}",
     ""},
    {"revolute slanting, joint driven",
     ", j: {type: revolute, between: [$S, ground], axis: <1 2 -1>}" DRIVE("rotation"), ""},
    {"revolute, tied",
     ", j: {type: revolute, " BETWEEN ", axis: <0 1 0>}, j2: {type: tie, joints: [j], factors: [2], value: 2*(%s)}",
     ""},
    {"prismatic across", ", j: {type: prismatic, " BETWEEN ", axis: <0 1 0>}" DRIVE("translation"), ""},
    {"prismatic slanting", ", j: {type: prismatic, between: [$S, ground], axis: <1 2 -1>}" DRIVE("translation"), ""},
    {"cylindrical across",
     ", j: {type: cylindrical, " BETWEEN
     ", axis: <0 0 1>}, j2: {type: motion, joint: j, rotation: %s}, j3: {type: motion, "
     "joint: j, translation: 0}",
     ""},
    {"planar",
     ", j: {type: planar, " BETWEEN
     ", axis: <0 0 1>}, j2: {type: motion, joint: j, rotation: %s}, j3: {type: motion, " BETWEEN
     ", axis: <1 0 0>, translation: 0}, j4: {type: motion, " BETWEEN ", axis: <0 1 0>, translation: 0}",
     ""},
    {"parallel, slanting",
     ", j: {type: parallel, " BETWEEN ", axis: <1 2 -1>}, j2: {type: spherical, " BETWEEN
     "}, j3: {type: motion, " BETWEEN ", axis: <1 2 -1>, rotation: %s}",
     ""},
    {"universal",
     ", j: {type: universal, " BETWEEN ", axis: <0 0 1>, axis2: <0 1 0>}, j2: {type: motion, " BETWEEN
     ", axis: <0 0 1>, rotation: 0}, j3: {type: motion, " BETWEEN ", axis: <0 1 0>, rotation: 0}",
     ""},
    /* soft */
    {"revolute, torsion spring", ", j: {type: revolute, " BETWEEN ", axis: <0 0 1>}",
     "s: {type: torsion-spring, joint: j, stiffness: 20}, "},
    {"spherical, bushing", ", j: {type: spherical, " BETWEEN "}",
     "s: {type: bushing, between: ['ground.at(0, 0, 0)', $S], rotation: <Q>, turn_stiffness: [30, 20, 25]}, "},
    {"bushing", "",
     "s: {type: bushing, between: ['ground.at(0, 0, 0)', $S], rotation: <Q>, stiffness: [900, 1000, 1200], "
     "turn_stiffness: "
     "[30, 20, 25]}, "},
    {"revolute, gear",
     ", j: {type: revolute, " BETWEEN ", axis: <0 0 1>}, j2: {type: gear, joints: [axle, j], ratio: -2}", ""},
};

static const hold plane_holds[] = {
    {"fixed", ", j: {type: fixed, " BETWEEN "}", ""},
    {"revolute, markers driven", ", j: {type: revolute, " BETWEEN "}, j2: {type: motion, " BETWEEN ", rotation: %s}",
     ""},
    {"revolute, joint driven", ", j: {type: revolute, between: [$S, ground]}" DRIVE("rotation"), ""},
    {"prismatic across", ", j: {type: prismatic, " BETWEEN ", axis: <0 1 0>}" DRIVE("translation"), ""},
    {"prismatic slanting", ", j: {type: prismatic, " BETWEEN ", axis: <1 2 0>}" DRIVE("translation"), ""},
    {"revolute, torsion spring", ", j: {type: revolute, " BETWEEN "}",
     "s: {type: torsion-spring, joint: j, stiffness: 20}, "},
    {"bushing", "",
     "s: {type: bushing, between: ['ground.at(0, 0, 0)', $S], rotation: <Q>, stiffness: [900, 1000, 0], "
     "turn_stiffness: "
     "[0, 0, 25]}, "},
};

static bool can(const kind *body, const hold *h) {
  char name[64];
  for (const char *at = body->holds; *at; at += strlen(name) + (at[strlen(name)] == ' ')) {
    sscanf(at, "%63s", name);
    if (strstr(h->name, name)) return false;
  }
  return true;
}

/* ---- turned ---- */

static const char *const space_loads[] = {
    "f: {type: force, at: $E, force: <-1 2 1.5>}",
    "f: {type: force, at: $E, force: <0.5 1.5 -1>, follower: true}",
    "f: {type: moment, at: $E, moment: <0.3 0.4 0.9>}",
    "f: {type: moment, at: $E, moment: <0.3 0.4 0.9>, follower: true}",
    "f: {type: torsion-spring, between: [$E, ground], axis: <0 1 1>, stiffness: 3, angle: 0.4}",
};
static const char *const plane_loads[] = {
    "f: {type: force, at: $E, force: <-1 2 0>}",
    "f: {type: force, at: $E, force: <0.5 1.5 0>, follower: true}",
    "f: {type: moment, at: $E, moment: [0, 0, 0.9]}",
    "f: {type: torsion-spring, between: [$E, ground], stiffness: 3, angle: 0.4}",
};

static void check_turned(setup s, const hold *h, uint64_t seed) {
  char joints[1000];
  double a[4], b[4];
  rotation as_is = {{1, 0}}, turned = any_rotation(seed, s.planar);
  snprintf(joints, sizeof joints, h->joints, s.moves ? "1.5*t^2" : "0");
  s.hold = joints;
  s.force = h->forces;
  solve(&s, &as_is, a);
  solve(&s, &turned, b);
  assert_true(fabs(a[0] - 1) + fabs(a[1]) + fabs(a[2]) > 0.01); /* it is bent */
  /* in motion: what Newton leaves */
  assert_below(distance(a, b, 4), s.moves ? 1e-5 : 1e-9, "%s, %s, %s", s.body->name, h->name, s.load);
}

/* All loads in equilibrium, one after the other in motion. */
static void check_all(bool planar, const kind *body, size_t bodies, const hold *holds, size_t hold_count,
                      const char *const *loads, size_t load_count) {
  uint64_t seed = 0;
  for (size_t k = 0; k < bodies; k++)
    for (size_t h = 0; h < hold_count; h++) {
      if (!can(&body[k], &holds[h])) continue;
      setup s = {.planar = planar, .body = &body[k], .elements = 3, .poisson = 0.3};
      for (size_t l = 0; l < load_count; l++) {
        s.load = loads[l];
        check_turned(s, &holds[h], ++seed);
      }
      s.moves = true;
      s.load = loads[seed % load_count];
      check_turned(s, &holds[h], ++seed);
    }
}

static void test_turned_in_space(void **state) {
  (void)state;
  check_all(false, space, SN_COUNT(space), space_holds, SN_COUNT(space_holds), space_loads, SN_COUNT(space_loads));
}

static void test_turned_in_the_plane(void **state) {
  (void)state;
  check_all(true, plane, SN_COUNT(plane), plane_holds, SN_COUNT(plane_holds), plane_loads, SN_COUNT(plane_loads));
}

/* ---- refined ---- */

static const int meshes[] = {4, 16, 64};
static const rotation as_it_is = {{1, 0, 0, 0}};

static void solve_held(setup s, const hold *h, double y[4]) {
  char joints[1000];
  snprintf(joints, sizeof joints, h->joints, "0");
  s.hold = joints;
  s.force = h->forces;
  solve(&s, &as_it_is, y);
}

/* Drivers at 0 and joints that leave no freedom are `fixed`, to what equilibrium is solved to, with any mesh. */
static void check_fast(bool planar, const kind *body, const hold *holds, size_t count, const char *load) {
  for (size_t m = 0; m < SN_COUNT(meshes); m++) {
    setup s = {.planar = planar, .body = body, .elements = meshes[m], .load = load, .poisson = 0.3};
    double fixed[4], y[4];
    solve_held(s, &holds[0], fixed);
    for (size_t h = 1; h < count; h++) {
      if (!can(body, &holds[h])) continue;
      solve_held(s, &holds[h], y);
      assert_below(distance(fixed, y, 4), 1e-8, "%s, %s, %d elements", body->name, holds[h].name, meshes[m]);
    }
  }
}

static void test_held_fast(void **state) {
  (void)state;
  const char *in_space = "f: {type: force, at: $E, force: <-1 2 1.5>}, g: {type: moment, at: $E, moment: <0.3 0 0>}";
  for (size_t k = 0; k < 6; k++) check_fast(false, &space[k], space_holds, RIGID_HOLDS, in_space);
  for (size_t k = 0; k < SN_COUNT(plane); k++) check_fast(true, &plane[k], plane_holds, 5, plane_loads[0]);
}

/* A force across that is small: a torsion spring k at the root adds F L^2/k to the deflection. */
static void test_springs(void **state) {
  (void)state;
  static const struct {
    bool planar;
    int hold;
    double stiffness;
  } cases[] = {{false, RIGID_HOLDS, 20}, {false, RIGID_HOLDS + 1, 25}, {true, 5, 20}};
  for (size_t i = 0; i < SN_COUNT(cases); i++)
    for (size_t k = 0; k < (cases[i].planar ? SN_COUNT(plane) : 6); k++)
      for (size_t m = 0; m < SN_COUNT(meshes); m++) {
        const hold *holds = cases[i].planar ? plane_holds : space_holds;
        setup s = {.planar = cases[i].planar,
                   .body = cases[i].planar ? &plane[k] : &space[k],
                   .elements = meshes[m],
                   .load = "f: {type: force, at: $E, force: <0 1e-3 0>}",
                   .poisson = 0.3};
        double fixed[4], y[4];
        solve_held(s, &holds[0], fixed);
        solve_held(s, &holds[cases[i].hold], y);
        assert_below(fabs((y[1] - fixed[1]) / (1e-3 / cases[i].stiffness) - 1), 1e-3, "%s, %s, %d elements",
                     s.body->name, holds[cases[i].hold].name, meshes[m]);
      }
}

/* A moment at the end of a beam without Poisson's effect bends it by M L^2/(2 EI) (Euler and Bernoulli), approached
 * from the stiff side; follower or not is of second order here. */
static void check_bending(setup s, const hold *h, int axis, double EI) {
  double last = -1;
  for (size_t m = 0; m < SN_COUNT(meshes); m++) {
    double y[4];
    s.elements = meshes[m];
    solve_held(s, h, y);
    double error = (axis == 2 ? y[1] : -y[2]) / (1e-3 / (2 * EI)) - 1;
    assert_below(error, 1e-4, "%s, %s, %d elements: too soft", s.body->name, s.load, s.elements);
    assert_below(-error, m == 2 ? 1e-3 : 0.1, "%s, %s, %d elements: too stiff", s.body->name, s.load, s.elements);
    if (last >= 0)
      assert_below(fabs(error), last + 1e-5, "%s, %s, %d elements: finer", s.body->name, s.load, s.elements);
    last = fabs(error);
  }
}

static void test_end_moments(void **state) {
  (void)state;
  const double EIz = 2e7 * 0.04 * 0.03 * 0.03 * 0.03 / 12, EIy = 2e7 * 0.03 * 0.04 * 0.04 * 0.04 / 12;
  for (size_t k = 0; k < 6; k++) {
    setup s = {.body = &space[k]};
    s.load = "f: {type: moment, at: $E, moment: <0 0 1e-3>}";
    check_bending(s, &space_holds[1], 2, EIz);
    s.load = "f: {type: moment, at: $E, moment: <0 1e-3 0>, follower: true}";
    check_bending(s, &space_holds[4], 1, EIy);
  }
  for (size_t k = 0; k < SN_COUNT(plane); k++) {
    setup s = {.planar = true, .body = &plane[k], .load = "f: {type: moment, at: $E, moment: [0, 0, 1e-3]}"};
    check_bending(s, &plane_holds[1], 2, EIz);
  }
}

/* A torque at the end, through a hinge that is held: the twist converges. With `elastic-line` and floating bodies it is
 * T L/(G J). */
static void test_end_torque(void **state) {
  (void)state;
  for (size_t k = 0; k < 6; k++) {
    double twist[3], y[4];
    setup s = {.body = &space[k], .load = "f: {type: moment, at: $E, moment: <1e-3 0 0>}", .poisson = 0};
    for (size_t m = 0; m < SN_COUNT(meshes); m++) {
      s.elements = meshes[m];
      solve_held(s, &space_holds[2], y);
      twist[m] = y[3];
    }
    assert_below(fabs(twist[2] / twist[1] - 1), 2e-3, "%s: twist with 64 and 16 elements", s.body->name);
    assert_below(fabs(twist[1] / twist[0] - 1), 1e-2, "%s: twist with 16 and 4 elements", s.body->name);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_turned_in_space), cmocka_unit_test(test_turned_in_the_plane),
      cmocka_unit_test(test_held_fast),       cmocka_unit_test(test_springs),
      cmocka_unit_test(test_end_moments),     cmocka_unit_test(test_end_torque),
  };
  return cmocka_run_group_tests_name("sections", tests, NULL, NULL);
}
