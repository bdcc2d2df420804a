/* test_orientation.c - orientations, angular velocities and accelerations of markers, and the motion of one marker seen
 * from another: against the free symmetric top, and against differences along any motion for all kinds of bodies.
 */
#include "math/quat.h"
#include "math/rotation.h"
#include "output/outputs.h"
#include "support.h"

/* ---- representations ---- */

typedef struct turned {
  double e[3][3];
} turned;

static void images(const double p[4], turned *y) {
  static const double axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < 3; k++) sn_quat_rotate(p, axis[k], y->e[k]);
}

/* Largest difference of the matrices. */
static double apart(const turned *a, const turned *b) {
  return distance(a->e[0], b->e[0], 9);
}

/* R_i(a0) R_j(a1) R_k(a2) as turns of a quaternion about its own axes */
static void compose(const int sequence[3], const double a[3], turned *y) {
  double p[4] = {1, 0, 0, 0}, next[4];
  for (int k = 0; k < 3; k++) {
    double w[3] = {0};
    w[sequence[k]] = 1;
    sn_quat_turn(p, w, a[k], next);
    memcpy(p, next, sizeof p);
  }
  images(p, y);
}

static void check_representations(const turned *R) {
  const turned *r = R;
  double p[4], v[3], q[4];
  turned back;
  sn_rotation_to_quat(r->e, p);
  assert_true(p[0] >= 0);
  images(p, &back);
  assert_below(apart(r, &back), 1e-14, "quaternion");
  sn_quat_to_vector(p, v);
  assert_below(sn_norm(v), PI + 1e-14, "rotation vector");
  sn_quat_of_turn(v, 1, q);
  images(q, &back);
  assert_below(apart(r, &back), 1e-13, "rotation vector");
}

/* The orientation is found again from each representation, for all twelve sequences; within the ranges that the
 * reference states. */
static void representations_agree(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int s = 0; s < 12; s++) {
    const char *word = sn_output_sequences + 4 * s;
    int axes[3] = {word[0] - 'x', word[1] - 'x', word[2] - 'x'};
    bool proper = axes[0] == axes[2];
    for (int k = 0; k < 200; k++) {
      double a[3] = {PI * noise(&seed), PI * noise(&seed), PI * noise(&seed)}, b[3];
      turned r, back;
      if (k % 4 == 1) a[1] = proper ? (k % 8 == 1 ? 0 : PI) : (k % 8 == 1 ? PI / 2 : -PI / 2); /* singular */
      if (k % 4 == 2) a[0] = PI, a[1] = 0, a[2] = 1e-9 * a[2];                                 /* half a turn */
      compose(axes, a, &r);
      check_representations(&r);
      sn_rotation_to_euler(((const turned *)&r)->e, axes, b);
      compose(axes, b, &back);
      assert_below(apart(&r, &back), 1e-9, "sequence %.3s", word);
      assert_true(proper ? b[1] >= 0 && b[1] <= PI : fabs(b[1]) <= PI / 2);
      if (k % 4 == 1) assert_true(b[2] == 0);
    }
  }
}

/* ---- the free symmetric top ---- */

/* Moments of inertia A, A, C, angular momentum L along z, axis inclined by theta (Euler): in the angles of zxz
 *   phi = L t/A,  theta,  psi = L cos(theta) (1/C - 1/A) t,   omega = phi' z + psi' e,  alpha = phi' psi' z x e */
static void free_top(void **state) {
  (void)state;
  double A = 2, C = 0.7, L = 9, theta = 0.6, phi = L / A, psi = L * cos(theta) * (1 / C - 1 / A), worst = 0, y[16];
  double w[3] = {0, -psi * sin(theta), phi + psi * cos(theta)};
  char text[700];
  run r;
  snprintf(
      text, sizeof text,
      "sinew: 1\ngravity: [0, 0, 0]\n"
      "bodies: {top: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [%g, %g, %g], rotation: {axis: [1, 0, 0], "
      "angle: %.17g}, angular_velocity: [%.17g, %.17g, %.17g]}}\n"
      "outputs: {top: {orientation: top.center, sequence: zxz}}\n"
      "analysis: {type: dynamics, duration: 2, integrator: {type: radau, tolerance: 1e-11}, output_step: 0.1}\n",
      A, A, C, theta, w[0], w[1], w[2]);
  open_run(&r, text, NULL);
  for (int k = 0; k <= 20; k++) {
    advance(&r, 0.1 * k);
    double t = sn_time(r.simulation), p[4], e[3] = {sin(theta) * sin(phi * t), -sin(theta) * cos(phi * t), cos(theta)};
    assert_int_equal(sn_read(r.simulation, "top", y, 16), 16);
    double exact[9] = {phi * t, theta, psi * t};
    for (int i = 0; i < 3; i++) exact[3 + i] = psi * e[i];
    exact[5] += phi;
    exact[6] = -phi * psi * e[1], exact[7] = phi * psi * e[0];
    for (int i = 0; i < 3; i += 2) exact[i] = remainder(exact[i] - y[7 + i], 2 * PI) + y[7 + i];
    worst = fmax(worst, distance(exact, y + 7, 9));
    turned a, b;
    compose((int[3]){2, 0, 2}, exact, &a);
    memcpy(p, y, sizeof p);
    images(p, &b);
    assert_below(apart(&a, &b), 1e-8, "quaternion at %g", t);
    sn_quat_of_turn(y + 4, 1, p);
    images(p, &b);
    assert_below(apart(&a, &b), 1e-8, "rotation vector at %g", t);
  }
  assert_below(worst, 1e-7, "angles, omega, alpha of the top");
  close_run(&r);
}

/* ---- any motion, against differences ---- */

static const char flexible[] =
    "sinew: 1\ngravity: [0, 0, -9.81]\n"
    "materials: {m: {density: 1000, young: 1e7, poisson: 0.3}}\n"
    "sections: {s: {type: rectangle, width: 0.03, height: 0.02}}\n"
    "bodies:\n"
    "  rigid: {type: rigid, from: [0, 0, 1], to: [0.6, 0.1, 1.3], mass: 1.5, shape: {type: box, size: [0.6, 0.2, "
    "0.1]}}\n"
    "  volume: {type: beam, from: [0, 0, 0], to: [1, 1, 0.5], elements: 2, material: m, section: s}\n"
    "  line: {type: beam, elastic: elastic-line, from: [0, 0, 0], to: [1, 0.2, 0], elements: 2, material: m, section: "
    "s}\n"
    "  shear: {type: beam, elastic: timoshenko, from: [0, 0, 0], to: [0, 1, 0.2], elements: 2, material: m, section: "
    "s}\n"
    "  frame: {type: floating, from: [1, 0, 0], to: [1, 0.5, 0.5], elements: 2, material: m, section: s}\n"
    "  plate: {type: plate, along: [1, 0.3, 0], across: [-0.3, 1, 0], elements: [2, 2], thickness: "
    "0.01, material: m}\n"
    "  rope: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 2, material: m, section: s}\n"
    "outputs:\n"
    "  rigid: {orientation: rigid.end}\n"
    "  volume: {orientation: volume.at(0.3)}\n"
    "  line: {orientation: line.end}\n"
    "  shear: {orientation: shear.at(0.7)}\n"
    "  frame: {orientation: frame.at(0.6)}\n"
    "  plate: {orientation: 'plate.at(0.2, 0.7)'}\n"
    "  relative: {orientation: volume.at(0.3), relative_to: frame.end}\n"
    "  seen: {relative: rope.end, relative_to: frame.at(0.6)}\n"
    "  plain: {relative: rope.end, relative_to: rope.start}\n";

static void fill(fixture *f, const sn_output *o, double y[SN_OUTPUT_COLUMNS]) {
  sn_eval ev = {.t = f->state.t, .q = f->state.q, .v = f->state.v, .a = f->state.a, .load = 1};
  sn_output_memory memory = {0};
  sn_output_fill(f->model, o, &ev, NULL, &memory, y);
}

/* At s = -2h .. 2h along the path: differences of fourth order of column `from`, compared with `rate` columns further. */
static void check_rate(fixture *f, const sn_output *o, int from, int rate, double limit) {
  double h = 1e-3, y[5][SN_OUTPUT_COLUMNS];
  for (int k = -2; k <= 2; k++) {
    f->s = k * h;
    move_along(f);
    fill(f, o, y[2 + k]);
  }
  for (int i = from; i < from + 3; i++) {
    double slope = (8 * (y[3][i] - y[1][i]) - (y[4][i] - y[0][i])) / (12 * h);
    assert_below(fabs(slope - y[2][i + rate]), limit, "%s.%s", o->name, o->column[i + rate]);
  }
}

/* omega = 2 E(p) p', E(p) x = -e x0 + e0 xv + e x xv */
static void check_omega(fixture *f, const sn_output *o) {
  double h = 1e-3, y[5][SN_OUTPUT_COLUMNS], d[4], c[3];
  for (int k = -2; k <= 2; k++) {
    f->s = k * h;
    move_along(f);
    fill(f, o, y[2 + k]);
    if (inner(y[2 + k], y[0], 4) < 0)
      for (int i = 0; i < 4; i++) y[2 + k][i] *= -1;
  }
  for (int i = 0; i < 4; i++) d[i] = (8 * (y[3][i] - y[1][i]) - (y[4][i] - y[0][i])) / (12 * h);
  const double *p = y[2];
  sn_cross(c, p + 1, d + 1);
  for (int i = 0; i < 3; i++) {
    double w = 2 * (-p[1 + i] * d[0] + p[0] * d[1 + i] + c[i]);
    assert_below(fabs(w - y[2][10 + i]), 1e-8, "%s.%s", o->name, o->column[10 + i]);
  }
}

/* omega is the derivative of the orientation, alpha that of omega; relative velocities and accelerations those of relative
 * positions. The coordinates are disturbed: sections are strained, frames bent. */
static void rates_are_derivatives(void **state) {
  (void)state;
  fixture f;
  uint64_t seed = 11;
  open_fixture(&f, flexible, NULL);
  for (int trial = 0; trial < 3; trial++) {
    add_noise(&seed, 0.05, f.state.q, f.model->n);
    for (int i = 0; i < f.model->n; i++) f.state.v[i] = noise(&seed), f.state.a[i] = noise(&seed);
    take_base(&f);
    for (int i = 0; i < f.model->outputs; i++) {
      const sn_output *o = &f.model->output[i];
      if (o->type == SN_OUTPUT_ORIENTATION) {
        check_omega(&f, o);
        check_rate(&f, o, 10, 3, 1e-7);
      } else {
        check_rate(&f, o, 0, 3, 1e-8);
        check_rate(&f, o, 3, 3, 1e-8);
      }
    }
    f.s = 0;
    move_along(&f);
  }
  close_fixture(&f);
}

/* At the start the axes are those of the body: x along from-to of a rigid body and a beam, z normal to a plate. */
static void axes_at_start(void **state) {
  (void)state;
  static const struct {
    const char *name;
    int axis;
    double along[3];
  } cases[] = {{"rigid", 0, {0.6, 0.1, 0.3}}, {"volume", 0, {1, 1, 0.5}},  {"line", 0, {1, 0.2, 0}},
               {"shear", 0, {0, 1, 0.2}},     {"frame", 0, {0, 0.5, 0.5}}, {"plate", 2, {0, 0, 1}}};
  fixture f;
  open_fixture(&f, flexible, NULL);
  for (size_t i = 0; i < SN_COUNT(cases); i++) {
    double y[SN_OUTPUT_COLUMNS], d[3];
    turned r;
    int k = 0;
    while (strcmp(f.model->output[k].name, cases[i].name) != 0) k++;
    fill(&f, &f.model->output[k], y);
    images(y, &r);
    sn_copy(d, cases[i].along);
    sn_normalize(d);
    assert_below(distance(d, r.e[cases[i].axis], 3), 1e-12, "axis of %s", cases[i].name);
  }
  close_fixture(&f);
}

/* ---- planar models ---- */

/* Two driven arms: angles count turns, and the relative one is that of the joint between them. A cable turns with its
 * tangent. */
static void planar_angles(void **state) {
  (void)state;
  run r;
  double a[3], b[3], c[3], joint[2], rope[3], x[6];
  open_run(&r,
           "sinew: 1\nplanar: true\ngravity: [0, 0, 0]\n"
           "materials: {m: {density: 1000, young: 1e9, poisson: 0.3}}\n"
           "sections: {s: {type: rectangle, width: 0.01, height: 0.01}}\n"
           "bodies:\n"
           "  a: {type: rigid, from: [0, 0, 0], to: [0, 1, 0], mass: 1, inertia: [1, 1, 1]}\n"
           "  b: {type: rigid, from: [0, 1, 0], to: [1, 1, 0], mass: 1, inertia: [1, 1, 1]}\n"
           "  rope: {type: cable, from: [5, 0, 0], to: [6, 0, 0], elements: 1, material: m, section: s, "
           "angular_velocity: [0, 0, 2]}\n"
           "joints:\n"
           "  pin: {type: revolute, between: ['ground.at(0, 0, 0)', a.start]}\n"
           "  hinge: {type: revolute, between: [a.end, b.start]}\n"
           "  turn: {type: motion, joint: pin, rotation: 3*t^2}\n"
           "  bend: {type: motion, joint: hinge, rotation: -5*t}\n"
           "outputs: {a: {orientation: a.end}, b: {orientation: b.end}, c: {orientation: b.end, relative_to: a.start}, "
           "hinge: {joint: hinge}, rope: {orientation: rope.end}, seen: {relative: b.start, relative_to: a.start}}\n"
           "analysis: {type: dynamics, duration: 4, integrator: {type: radau, tolerance: 1e-8}, output_step: 4}\n",
           NULL);
  advance(&r, 4);
  assert_int_equal(sn_read(r.simulation, "a", a, 3), 3);
  sn_read(r.simulation, "b", b, 3);
  sn_read(r.simulation, "c", c, 3);
  sn_read(r.simulation, "hinge", joint, 2);
  sn_read(r.simulation, "rope", rope, 3);
  sn_read(r.simulation, "seen", x, 6);
  assert_below(distance(a, (double[3]){PI / 2 + 48, 24, 6}, 3), 1e-6, "first arm");
  assert_below(distance(b, (double[3]){28, 19, 6}, 3), 1e-6, "second arm");
  assert_below(distance(c, (double[3]){-PI / 2 - 20, -5, 0}, 3), 1e-6, "relative");
  assert_below(fabs(c[0] + PI / 2 - joint[0]), 1e-9, "angle of the joint");
  assert_below(fabs(rope[1] - 2), 1e-2, "rope turns at %g", rope[1]);
  assert_below(fabs(rope[0] - 8), 5e-2, "rope has turned by %g", rope[0]);
  assert_below(distance(x, (double[6]){1, 0, 0, 0, 0, 0}, 6), 1e-6, "a point of the arm rests in the axes of the arm");
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(representations_agree), cmocka_unit_test(free_top),
                                     cmocka_unit_test(axes_at_start), cmocka_unit_test(rates_are_derivatives),
                                     cmocka_unit_test(planar_angles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
