/* test_invariance.c - nature does not know where it is: rigid motions, momentum and energy of free flight.
 *
 * For every model of cases.c that is tied to nothing: turning and moving it changes no energy, no power and no
 * constraint, and turns its forces and momentum; flying without gravity it keeps momentum and audited energy, also in
 * collisions.
 */
#include "math/quat.h"
#include "support.h"

/* ---- a rigid motion of all coordinates ---- */

typedef struct motion {
  double angle, axis[3];
  double p[4];     /* of that rotation */
  double shift[3]; /* behind it */
} motion;

static motion motion_for(const fixture *f, symmetry kept) {
  motion m = {.angle = 1.9, .axis = {0.36, -0.48, 0.8}, .shift = {0.7, -1.2, 0.4}};
  if (f->model->dim == 2 || kept == PLANAR) m.axis[0] = m.axis[1] = 0, m.axis[2] = 1;
  if (f->model->dim == 2) m.shift[2] = 0;
  m.p[0] = cos(m.angle / 2);
  for (int k = 0; k < 3; k++) m.p[1 + k] = sin(m.angle / 2) * m.axis[k];
  return m;
}

static void turn(const motion *m, int dim, const double *x, double *y) {
  double in[3] = {x[0], x[1], dim == 3 ? x[2] : 0}, out[3];
  sn_quat_rotate(m->p, in, out);
  memcpy(y, out, (size_t)dim * sizeof(double));
}

/* y = a o b, quaternions */
static void product(const double a[4], const double b[4], double y[4]) {
  double c[3];
  sn_cross(c, a + 1, b + 1);
  y[0] = a[0] * b[0] - sn_dot(a + 1, b + 1);
  for (int k = 0; k < 3; k++) y[1 + k] = a[0] * b[1 + k] + b[0] * a[1 + k] + c[k];
}

/* Numbers after which a layout repeats. */
static int period_of(const sn_body *body, int dim) {
  const sn_body_layout *layout = body->ops->layout;
  return layout->owner == SN_OF_BODY ? body->count : sn_layout_place(layout->column, SN_NO_COLUMN, dim);
}

/* y := x moved. Coordinates are shifted too; velocities, accelerations and forces are only turned. The layout of a
 * body says what its coordinates are; deformations stay as they are. */
static void move_body(const fixture *f, const sn_body *body, const motion *m, bool coordinates, const double *x,
                      double *y) {
  int dim = f->model->dim;
  double shift = coordinates ? 1 : 0;
  const sn_layout_column *column = body->ops->layout->column;
  memcpy(y + body->first, x + body->first, (size_t)body->count * sizeof(double));
  for (int i = 0; i < body->count; i += period_of(body, dim)) {
    for (int k = 0; column[k]; k++) {
      const int at = body->first + i + sn_layout_place(column, column[k], dim);
      if (sn_layout_columns[column[k]].size == 0) turn(m, dim, x + at, y + at); /* a vector */
      if (column[k] == SN_COLUMN_P) product(m->p, x + at, y + at);
      if (column[k] == SN_COLUMN_ANGLE) y[at] = x[at] + shift * m->angle;
      for (int j = 0; j < dim && column[k] == SN_COLUMN_R; j++) y[at + j] += shift * m->shift[j];
    }
  }
}

/* What belongs to no body (places along lines) stays as it is. */
static void move(const fixture *f, const motion *m, bool coordinates, const double *x, double *y) {
  memcpy(y, x, (size_t)f->model->n * sizeof(double));
  for (int i = 0; i < f->model->bodies; i++)
    if (f->model->body[i].count) move_body(f, &f->model->body[i], m, coordinates, x, y);
}

/* ---- statics of a moved model ---- */

typedef struct quantities {
  sn_energy energy;
  sn_power power;
  double momentum[6], *residual, *joints; /* joints: |Phi| of each */
} quantities;

static void measure(fixture *f, const sn_state *s, quantities *x) {
  int m = f->model->m;
  double *phi = calloc((size_t)m + 1, sizeof(double));
  x->residual = calloc((size_t)f->model->n, sizeof(double));
  x->joints = calloc((size_t)f->model->joints + 1, sizeof(double));
  sn_system_energy(f->system, s, &x->energy);
  sn_system_power(f->system, s, &x->power);
  sn_system_momentum(f->system, s, x->momentum);
  sn_system_residual(f->system, s, 1, x->residual);
  sn_system_position(f->system, s, phi);
  for (int i = 0; i < f->model->joints; i++) {
    const sn_joint *joint = &f->model->joint[i];
    x->joints[i] = sqrt(inner(phi + joint->first, phi + joint->first, joint->count));
  }
  free(phi);
}

/* b is what a should have become */
static void compare(fixture *f, const motion *m, const quantities *a, const quantities *b) {
  int n = f->model->n;
  double *expected = calloc((size_t)n, sizeof(double)), p[3], L[3], orbit[3];
  double scale = fmax(1, fabs(a->energy.kinetic) + fabs(a->energy.strain));
  assert_below(fabs(a->energy.kinetic - b->energy.kinetic), 1e-13 * scale, "change of kinetic energy");
  assert_below(fabs(a->energy.strain - b->energy.strain), 1e-13 * scale, "change of strain energy");
  assert_below(fabs(a->energy.spring - b->energy.spring), 1e-13 * scale, "change of spring energy");
  assert_below(fabs(a->power.damping - b->power.damping), 1e-13 * fmax(1, fabs(a->power.damping)), "damping power");
  assert_below(fabs(a->power.applied - b->power.applied), 1e-13 * fmax(1, fabs(a->power.applied)), "applied power");
  assert_below(distance(a->joints, b->joints, f->model->joints), 1e-13, "constraints");
  move(f, m, false, a->residual, expected);
  assert_below(distance(b->residual, expected, n) / fmax(1, largest(expected, n)), 1e-12, "forces turned");
  turn(m, 3, a->momentum, p);
  turn(m, 3, a->momentum + 3, L);
  sn_cross(orbit, m->shift, p);
  sn_axpy(L, 1, orbit);
  assert_below(distance(b->momentum, p, 3) / fmax(1, largest(p, 3)), 1e-13, "momentum turned");
  assert_below(distance(b->momentum + 3, L, 3) / fmax(1, largest(L, 3)), 1e-13, "angular momentum turned");
  free(expected);
}

static void check_motion(const sn_case *it, const char *text) {
  fixture f;
  quantities before, after;
  uint64_t seed = 3;
  open_fixture(&f, text, "klu");
  motion m = motion_for(&f, it->symmetry);
  add_noise(&seed, 0.04, f.state.q, f.model->n);
  add_noise(&seed, 1, f.state.v, f.model->n);
  add_noise(&seed, 5, f.state.a, f.model->n);
  f.state.t = f.base.t = 0.37;
  measure(&f, &f.state, &before);
  move(&f, &m, true, f.state.q, f.base.q);
  move(&f, &m, false, f.state.v, f.base.v);
  move(&f, &m, false, f.state.a, f.base.a);
  turn(&m, 3, f.model->gravity, f.model->gravity);
  sn_system_set_load(f.system, 1); /* it keeps a copy of gravity */
  measure(&f, &f.base, &after);
  compare(&f, &m, &before, &after);
  free(before.residual), free(before.joints), free(after.residual), free(after.joints);
  close_fixture(&f);
}

/* ---- free flight ---- */

typedef struct drift {
  double linear, angular, energy;
} drift;

/* Largest departures over 0.4 s with step h, relative to what is there. */
static drift fly(symmetry kept, const char *text, double h) {
  sn_context *context = sn_context_create();
  sn_model *model = parse(context, text);
  sn_simulation *simulation;
  sn_options options = {.integrator = "hht-i3", .step = h, .until = 0.4};
  double zero[3] = {0, 0, 0}, start[6];
  drift d = {0};
  sn_row row;
  sn_copy(model->gravity, zero);
  if (sn_simulation_create(model, &options, &simulation)) fail_msg("%s", sn_message(context));
  sn_row_create(simulation, &row);
  sn_system_momentum(simulation->system, &simulation->state, start);
  for (int k = 1; k <= 20; k++) { /* often, as an error may pass through zero; always at the end of a step */
    if (sn_advance(simulation, 0.02 * k)) fail_msg("%s", sn_message(context));
    sn_sample(simulation, 0.02 * k, &row);
    bool plane = kept == PLANAR; /* only turns about z: only that component is kept */
    d.linear = fmax(d.linear, distance(row.momentum, start, 3) / fmax(1, largest(start, 3)));
    d.angular = fmax(d.angular, distance(row.momentum + (plane ? 5 : 3), start + (plane ? 5 : 3), plane ? 1 : 3));
    d.energy = fmax(d.energy, fabs(row.energy[SN_E_ERROR]) / fmax(1, row.energy[SN_E_KINETIC]));
  }
  d.angular /= fmax(1, largest(start + 3, 3));
  sn_simulation_free(simulation);
  sn_model_free(model);
  sn_context_free(context);
  return d;
}

/* Of second order, or as small as what Newton leaves: the methods keep momentum far better than their order asks. */
static void check_order(double coarse, double fine, const char *what) {
  assert_below(fine, 2e-5, "%s", what);
  if (fine > 1e-6) assert_below(fine / coarse, 1.0 / 9, "%s with a quarter of the step", what);
}

/* Not for forces from nowhere; nor for surfaces, which overlap in these cases: their flights begin apart, see below. */
static void check_flight(const sn_case *it, const char *text) {
  static const char *const outside[] = {"mass_damping", "follower",       "type: moment",
                                        "type: drag",   "type: pressure", "surfaces:"};
  for (size_t i = 0; i < SN_COUNT(outside); i++)
    if (strstr(text, outside[i])) return;
  drift coarse = fly(it->symmetry, text, 8e-4), fine = fly(it->symmetry, text, 2e-4);
  check_order(coarse.linear, fine.linear, "drift of linear momentum");
  check_order(coarse.angular, fine.angular, "drift of angular momentum");
  check_order(coarse.energy, fine.energy, "error of energy");
}

/* ---- free flight with collisions ----
 * Linear momentum is always kept, and the audit closes. Angular momentum is kept without friction, and with friction
 * between rigid bodies, whose points of contact are where they touch. Friction on flexible bodies acts at the center
 * line or middle surface (theory.md): its moment about the point of contact is missing, whatever the step. */

typedef struct collision {
  const char *name;
  symmetry symmetry;
  bool flexible;          /* one of the bodies is */
  const char *text, *law; /* law: more of the contact */
} collision;

#define FREE_SPACE                                   \
  "sinew: 1\ngravity: [0, 0, 0]\n"                   \
  "materials: {soft: {density: 1200, young: 4e4}}\n" \
  "sections: {thick: {type: rectangle, width: 0.12, height: 0.15}}\n"
#define SPIN "angular_velocity: [0.4, -0.7, 0.9], velocity: [0.1, 0.2, -0.3]"

static const collision collisions[] = {
    {"cable and mass", FREE, true,
     FREE_SPACE "bodies:\n"
                "  beam: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 3, material: soft, section: thick}\n"
                "  mass: {type: point-mass, mass: 1.7, position: [0.3, 0.33, 0.02], velocity: [1.2, -0.7, 0.5]}\n"
                "surfaces: {a: {type: spheres, on: beam, count: 5, radius: 0.1}, m: {type: sphere, on: mass, radius: "
                "0.2}}\n",
     ""},
    {"plate and mass", FREE, true,
     FREE_SPACE "bodies:\n"
                "  panel: {type: plate, thickness: 0.15, material: soft, at: [0, 0, 0], along: [0.6, 0, 0], across: "
                "[0, 0, -0.4], elements: [2, 1], " SPIN "}\n"
                "  mass: {type: point-mass, mass: 1.7, position: [0.25, 0.35, -0.2], velocity: [1.2, -0.9, 0.5]}\n"
                "surfaces: {a: {type: grid, on: panel, count: [3, 2], radius: 0.1}, m: {type: sphere, on: mass, "
                "radius: 0.2}}\n",
     ""},
    {"cable and disk in the plane", PLANAR, true,
     "planar: true\n" FREE_SPACE "bodies:\n"
     "  beam: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 3, material: soft, section: thick}\n"
     "  disk: {type: rigid, position: [0.3, 0.33, 0], mass: 0.9, inertia: [1, 1, 0.3], velocity: [1.2, -0.7, 0], "
     "angular_velocity: [0, 0, -2]}\n"
     "surfaces: {a: {type: spheres, on: beam, count: 5, radius: 0.1}, b: {type: sphere, on: disk, radius: 0.2}}\n",
     ""},
    {"two rigid bodies", FREE, false,
     FREE_SPACE "bodies:\n"
                "  one: {type: rigid, position: [0, 0, 0], mass: 1.3, inertia: [0.02, 0.03, 0.04], " SPIN "}\n"
                "  two: {type: rigid, position: [0.1, 0.33, 0.02], mass: 1.7, inertia: [0.05, 0.03, 0.04], velocity: "
                "[1.2, -0.7, 0.5], angular_velocity: [3, 1, -2]}\n"
                "surfaces: {a: {type: sphere, on: one, radius: 0.1}, b: {type: sphere, on: two, radius: 0.2}}\n",
     ""},
    {"two plates, exact", FREE, true,
     FREE_SPACE "bodies:\n"
                "  panel: {type: plate, thickness: 0.15, material: soft, at: [0, 0, 0], along: [0.6, 0, 0], across: "
                "[0, 0, -0.4], elements: [2, 1], " SPIN "}\n"
                "  other: {type: plate, thickness: 0.15, material: soft, at: [0.05, 0.22, 0.04], along: [0.5, 0, 0.1], "
                "across: [0.09, 0, -0.45], elements: [1, 2], velocity: [1.2, -0.9, 0.5]}\n"
                "surfaces: {a: {type: grid, on: panel, count: [3, 2], radius: 0.1}, b: {type: grid, on: other, count: "
                "[3, 4], radius: 0.1}}\n",
     ", exact: true"},
    {"two cylinders", FREE, false,
     FREE_SPACE "bodies:\n"
                "  one: {type: rigid, position: [0, 0, 0], mass: 1.3, inertia: [0.02, 0.03, 0.04], " SPIN "}\n"
                "  two: {type: rigid, position: [0.1, 0.33, 0.02], mass: 1.7, inertia: [0.05, 0.03, 0.04], velocity: "
                "[1.2, -0.7, 0.5], angular_velocity: [3, 1, -2]}\n"
                "surfaces: {a: {type: cylinder, on: one, from: [-0.3, 0, 0], to: [0.3, 0, 0], radius: 0.1}, "
                "b: {type: cylinder, on: two, from: [0, 0, -0.3], to: [0, 0, 0.3], radius: 0.2}}\n",
     ""},
    {"cylinder and box", FREE, false,
     FREE_SPACE "bodies:\n"
                "  one: {type: rigid, position: [0, 0, 0], mass: 1.3, inertia: [0.02, 0.03, 0.04], " SPIN "}\n"
                "  two: {type: rigid, position: [0.1, 0.4, 0.02], mass: 1.7, inertia: [0.05, 0.03, 0.04], velocity: "
                "[1.2, -0.7, 0.5], angular_velocity: [1, 0.3, -2]}\n"
                "surfaces: {a: {type: cylinder, on: one, from: [-0.3, 0, 0], to: [0.3, 0, 0], radius: 0.1}, "
                "b: {type: box, on: two, size: [0.8, 0.4, 0.6]}}\n",
     ""},
};

static void test_collision(void **state) {
  const collision *it = *state;
  char text[2000];
  drift with[2]; /* [friction] */
  for (int friction = 0; friction < 2; friction++) {
    snprintf(text, sizeof text, "%scontacts: {all: {points: all, friction: %g, slip: 0.5, young: 2e4%s}}\n", it->text,
             0.4 * friction, it->law);
    with[friction] = fly(it->symmetry, text, 2e-4);
    assert_below(with[friction].linear, 2e-5, "%s: drift of linear momentum, friction %d", it->name, friction);
    assert_below(with[friction].energy, 2e-5, "%s: error of energy, friction %d", it->name, friction);
  }
  assert_below(with[0].angular, 2e-5, "%s: drift of angular momentum without friction", it->name);
  if (!it->flexible) assert_below(with[1].angular, 2e-5, "%s: drift of angular momentum with friction", it->name);
  if (it->flexible) assert_true(with[1].angular > 1e-3); /* friction, and nothing else, is what is missing */
}

static void test_case(void **state) {
  const sn_case *it = *state;
  char *text = case_text(it);
  check_motion(it, text);
  check_flight(it, text);
  free(text);
}

int main(void) {
  struct CMUnitTest *tests = calloc((size_t)sn_case_count + SN_COUNT(collisions), sizeof *tests);
  size_t count = 0;
  for (int i = 0; i < sn_case_count; i++) {
    void *it = (void *)(uintptr_t)&sn_model_cases[i]; /* cmocka's states may be written to; these are only read */
    if (sn_model_cases[i].symmetry == GROUNDED) continue;
    tests[count++] = (struct CMUnitTest){.name = sn_model_cases[i].name, .test_func = test_case, .initial_state = it};
  }
  for (size_t i = 0; i < SN_COUNT(collisions); i++) {
    void *it = (void *)(uintptr_t)&collisions[i];
    tests[count++] = (struct CMUnitTest){.name = collisions[i].name, .test_func = test_collision, .initial_state = it};
  }
  int failed = _cmocka_run_group_tests("invariance", tests, count, NULL, NULL);
  free(tests);
  return failed;
}
