/* test_start.c - a consistent start: projections, accelerations, redundant and contradictory constraints. */
#include "support.h"

#define HEAD "sinew: 1\ngravity: [0, -9.81, 0]\n"

typedef struct started {
  fixture f;
  sn_start start;
  sn_status status;
} started;

static void start(started *s, const char *text) {
  open_fixture(&s->f, text, "ldl");
  s->status = sn_make_consistent(s->f.system, &s->f.state, &s->start);
}

static void start_well(started *s, const char *text) {
  start(s, text);
  if (s->status) fail_msg("%s", sn_message(s->f.context));
}

/* Largest violation of the equations of motion and of the three levels of the constraints. */
static double violation(fixture *f) {
  int n = f->model->n, m = f->model->m;
  double *y = calloc((size_t)(n + m), sizeof(double)), worst;
  sn_system_residual(f->system, &f->state, 1, y);
  worst = largest(y, n);
  sn_system_position(f->system, &f->state, y);
  worst = fmax(worst, largest(y, m));
  sn_system_velocity(f->system, &f->state, y);
  worst = fmax(worst, largest(y, m));
  sn_system_acceleration(f->system, &f->state, y);
  worst = fmax(worst, largest(y, m));
  free(y);
  return worst;
}

/* ---- projections ---- */

/* Two masses on a rod that is too short: both move along it, in the inverse ratio of their masses. */
static void test_positions(void **state) {
  (void)state;
  started s;
  start_well(&s, HEAD
             "bodies: {a: {type: point-mass, mass: 1, position: [0, 0, 0]},\n"
             "  b: {type: point-mass, mass: 3, position: [0, 1, 0]}}\n"
             "joints: {rod: {type: distance, between: [a, b], length: 1.2}}\n");
  const double expected[6] = {0, -0.15, 0, 0, 1.05, 0};
  assert_below(distance(s.f.state.q, expected, 6), 1e-12, "places of the masses");
  assert_below(fabs(s.start.position_change - 0.15), 1e-12, "reported change");
  assert_below(violation(&s.f), 1e-11, "equations");
  close_fixture(&s.f);
}

/* Far apart and turned: the parts come together all the same. */
static void test_misplaced_parts(void **state) {
  (void)state;
  started s;
  start_well(
      &s, HEAD
      "bodies:\n"
      "  a: {type: rigid, from: [0.1, 0.2, 0], to: [1, 0.3, 0.1], mass: 1, shape: {type: cylinder, radius: 0.05}}\n"
      "  b: {type: rigid, from: [1.3, 0.1, 0], to: [2, -0.5, 0.4], mass: 2, shape: {type: cylinder, radius: 0.05}}\n"
      "joints:\n"
      "  pin: {type: spherical, between: ['ground.at(0, 0, 0)', a.start]}\n"
      "  hinge: {type: revolute, between: [a.end, b.start], axis: [0, 0, 1]}\n"
      "  end: {type: spherical, between: ['ground.at(1.5, 0.5, 0)', b.end]}\n");
  assert_int_equal(s.start.redundant, 0);
  assert_true(s.start.position_change > 0.1);
  assert_below(violation(&s.f), 1e-10, "equations");
  close_fixture(&s.f);
}

/* The velocity along the rod goes, the one across it stays; |v|^2/L is then the acceleration along the rod. */
static void test_velocities(void **state) {
  (void)state;
  started s;
  start_well(&s, HEAD
             "bodies: {bob: {type: point-mass, mass: 2, position: [3, 0, 0], velocity: [5, 2, 1]}}\n"
             "joints: {rod: {type: distance, between: ['ground.at(0, 0, 0)', bob]}}\n");
  const double v[3] = {0, 2, 1}, a[3] = {-5.0 / 3, -9.81, 0};
  assert_below(distance(s.f.state.v, v, 3), 1e-14, "velocity");
  assert_below(distance(s.f.state.a, a, 3), 1e-13, "acceleration");
  assert_below(fabs(s.start.velocity_change - 5), 1e-14, "reported change");
  assert_below(fabs(s.f.state.l[0] - 10.0 / 3), 1e-13, "tension m v^2/L"); /* G is the unit vector along the rod */
  close_fixture(&s.f);
}

/* A driver moves from the first moment: the start has its velocity and acceleration. */
static void test_driven_start(void **state) {
  (void)state;
  started s;
  start_well(
      &s, HEAD
      "bodies: {rod: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 1, shape: {type: cylinder, radius: 0.01}}}\n"
      "joints: {hinge: {type: revolute, between: [ground, rod.start]},\n"
      "  motor: {type: motion, between: [ground, rod.start], rotation: 3*t + 2*t^2}}\n");
  const double v[3] = {0, 1.5, 0}, a[3] = {-4.5, 2, 0}; /* of the center: w = 3, w' = 4 at 0.5 m */
  assert_below(distance(s.f.state.v, v, 3), 1e-12, "velocity");
  assert_below(distance(s.f.state.a, a, 3), 1e-12, "acceleration");
  assert_below(violation(&s.f), 1e-10, "equations");
  close_fixture(&s.f);
}

/* ---- accelerations ---- */

/* A3: 0.40 x 0.04 x 0.02 m, hinged at the middle of one end, horizontal: w' = m g (L/2)/(m (L^2 + b^2)/12 + m L^2/4).
 */
static void test_physical_pendulum(void **state) {
  (void)state;
  started s;
  double L = 0.4, b = 0.04, w = 9.81 * L / 2 / ((L * L + b * b) / 12 + L * L / 4), support[6];
  run r;
  static const char text[] = HEAD
      "bodies: {bar: {type: rigid, from: [0, 0, 0], to: [0.4, 0, 0], density: 7801, shape: {type: box, size: [0.4, "
      "0.04, "
      "0.02]}}}\n"
      "joints: {hinge: {type: revolute, between: [ground, bar.start], axis: [0, 0, 1]}}\n"
      "outputs: {hinge: {reaction: hinge}}\n";
  start_well(&s, text);
  const double a[3] = {0, -w * L / 2, 0};
  assert_below(distance(s.f.state.a, a, 3), 1e-12, "acceleration of the center");
  assert_below(violation(&s.f), 1e-10, "equations");
  close_fixture(&s.f);
  open_run(&r, text, NULL);
  assert_int_equal(sn_read(r.simulation, "hinge", support, 6), 6);
  const double m = 7801 * 0.4 * 0.04 * 0.02, expected[6] = {0, m * (9.81 - w * L / 2), 0, 0, 0, 0};
  assert_below(distance(support, expected, 6), 1e-10, "reaction: what gravity has over m a");
  close_run(&r);
}

/* Flexible and stiff: the residual of the equations is small against the forces in them. */
static void test_cable_start(void **state) {
  (void)state;
  run r;
  open_run(&r, "models/pendulum.yaml", NULL);
  fixture f = {.model = r.model, .system = r.simulation->system, .state = r.simulation->state};
  assert_below(violation(&f), 1e-10, "equations");
  close_run(&r);
}

/* ---- redundant constraints ---- */

/* y = columns of an orthonormal basis of null(G'), by Jacobi rotations on G G'; returns their number. */
static int null_space(int m, double *A, double *V) {
  for (int i = 0; i < m * m; i++) V[i] = i % (m + 1) == 0;
  for (int sweep = 0; sweep < 60; sweep++)
    for (int p = 0; p < m; p++)
      for (int q = p + 1; q < m; q++) {
        double apq = A[p + m * q];
        if (apq == 0) continue;
        double theta = 0.5 * atan2(2 * apq, A[q + m * q] - A[p + m * p]), c = cos(theta), s = sin(theta);
        for (int k = 0; k < m; k++) {
          double x = A[k + m * p], y = A[k + m * q], u = V[k + m * p], v = V[k + m * q];
          A[k + m * p] = c * x - s * y, A[k + m * q] = s * x + c * y;
          V[k + m * p] = c * u - s * v, V[k + m * q] = s * u + c * v;
        }
        for (int k = 0; k < m; k++) {
          double x = A[p + m * k], y = A[q + m * k];
          A[p + m * k] = c * x - s * y, A[q + m * k] = s * x + c * y;
        }
      }
  int count = 0;
  for (int i = 0; i < m; i++)
    if (fabs(A[i + m * i]) < 1e-10) memmove(V + m * count++, V + m * i, (size_t)m * sizeof(double));
  return count;
}

/* The largest component of l in null(G'), relative: 0 for multipliers of least norm. */
static double excess(fixture *f, int redundant) {
  int n = f->model->n, m = f->model->m, rows = n + m;
  double *GG = calloc((size_t)(m * m), sizeof(double)), *V = calloc((size_t)(m * m), sizeof(double)), worst = 0;
  sn_system_assemble(f->system, &f->state, 1, 1, 0, 0);
  double *A = dense(sn_system_matrix(f->system));
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < n; k++) GG[i + m * j] += A[n + i + rows * k] * A[n + j + rows * k];
  assert_int_equal(null_space(m, GG, V), redundant);
  for (int k = 0; k < redundant; k++) worst = fmax(worst, fabs(inner(V + m * k, f->state.l, m)));
  free(A), free(V), free(GG);
  return worst / sqrt(inner(f->state.l, f->state.l, m));
}

/* A planar four-bar linkage of hinges in space: 18 freedoms, 20 equations, 1 freedom left: 3 repeat others. With ball
 * joints at the coupler nothing repeats and, as the coupler is slender, the motion is the same. */
#define FOUR_BAR(kind)                                                                                             \
  "sinew: 1\ngravity: [0, -9.81, 3]\n" /* the part along z loads what is redundant and moves nothing */            \
  "bodies:\n"                                                                                                      \
  "  crank: {type: rigid, from: [0, 0, 0], to: [0.3, 0.4, 0], mass: 1, shape: {type: cylinder, radius: 0.02}}\n"   \
  "  coupler: {type: rigid, from: [0.3, 0.4, 0], to: [1, 1, 0], mass: 2, shape: {type: cylinder, radius: 0.02}}\n" \
  "  rocker: {type: rigid, from: [1, 1, 0], to: [1, 0, 0], mass: 2, shape: {type: cylinder, radius: 0.02}}\n"      \
  "joints:\n"                                                                                                      \
  "  hinge1: {type: revolute, between: [ground, crank.start]}\n"                                                   \
  "  hinge2: {type: " kind                                                                                         \
  ", between: [crank.end, coupler.start]}\n"                                                                       \
  "  hinge3: {type: " kind                                                                                         \
  ", between: [coupler.end, rocker.start]}\n"                                                                      \
  "  hinge4: {type: revolute, between: [ground, rocker.end]}\n"                                                    \
  "outputs: {point: {point: coupler.center}}\n"

static void test_four_bar(void **state) {
  (void)state;
  started s;
  run hinges, balls;
  double x[2][9];
  sn_options options = {.integrator = "hht-i3", .step = 2e-4, .until = 1};
  start_well(&s, FOUR_BAR("revolute"));
  assert_int_equal(s.start.redundant, 3);
  assert_non_null(strstr(s.start.notes, "joint hinge"));
  assert_non_null(strstr(s.start.notes, " of 5 equations are redundant with"));
  assert_below(violation(&s.f), 1e-7, "equations"); /* Phi'' is left with the regularization times l */
  assert_below(excess(&s.f, 3), 1e-7, "multipliers beyond least norm");
  close_fixture(&s.f);
  open_run(&hinges, FOUR_BAR("revolute"), &options);
  open_run(&balls, FOUR_BAR("spherical"), &options);
  assert_int_equal(balls.simulation->start.redundant, 0);
  assert_string_equal(balls.simulation->start.notes, "");
  for (int k = 1; k <= 10; k++) {
    advance(&hinges, 0.1 * k);
    advance(&balls, 0.1 * k);
    sn_read(hinges.simulation, "point", x[0], 9);
    sn_read(balls.simulation, "point", x[1], 9);
    assert_below(distance(x[0], x[1], 6), 1e-6, "linkage of hinges against linkage of balls");
    /* those that are reported */
    fixture f = {.model = hinges.model, .system = hinges.simulation->audit, .state = hinges.simulation->sample};
    assert_below(excess(&f, 3), 1e-6, "multipliers beyond least norm in motion");
  }
  close_run(&hinges);
  close_run(&balls);
}

/* Rounding in directions the constraints leave open must not gather in the multipliers, however long the run. */
static void test_multipliers_stay(void **state) {
  (void)state;
  run r;
  double x[9];
  sn_options options = {.step = 1e-3, .until = 20};
  open_run(&r, FOUR_BAR("revolute"), &options);
  for (int k = 1; k <= 10; k++) {
    advance(&r, 2 * k);
    sn_read(r.simulation, "point", x, 9); /* solves for the multipliers anew, in sample */
    const double *l = r.simulation->state.l, *anew = r.simulation->sample.l;
    assert_below(distance(l, anew, r.model->m) / largest(anew, r.model->m), 0.02,
                 "multipliers against those solved for");
  }
  close_run(&r);
}

/* The same pin twice: each carries half. */
static void test_doubled_joint(void **state) {
  (void)state;
  started s;
  start_well(
      &s, HEAD
      "bodies: {rod: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 1, shape: {type: cylinder, radius: 0.1}}}\n"
      "joints: {one: {type: spherical, between: [ground, rod.start]},\n"
      "  two: {type: spherical, between: [ground, rod.start]}}\n");
  int one = s.f.model->joint[0].first, two = s.f.model->joint[1].first;
  assert_int_equal(s.start.redundant, 3);
  assert_non_null(strstr(s.start.notes, "3 of 3 equations are redundant with"));
  assert_true(strstr(s.start.notes, "one") && strstr(s.start.notes, "two"));
  assert_below(distance(s.f.state.l + one, s.f.state.l + two, 3), 1e-8, "difference of the two reactions");
  assert_true(largest(s.f.state.l + one, 3) > 1);
  close_fixture(&s.f);
}

/* ---- contradictions ---- */

static void check_contradiction(const char *text, const char *name) {
  started s;
  start(&s, text);
  assert_int_equal(s.status, SN_NUMERICS);
  const char *message = sn_message(s.f.context);
  if (!strstr(message, name)) fail_msg("the message does not name '%s':\n%s", name, message);
  close_fixture(&s.f);
}

/* A second mechanism beside it has no part in the contradiction. */
#define TWO_MECHANISMS(more)                                                                                \
  HEAD "planar: true\n"                                                                                     \
       "bodies:\n"                                                                                          \
       "  crank: {type: rigid, from: [0, 0, 0], to: [0.3, 0.4, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}\n"    \
       "  rod: {type: rigid, from: [0.3, 0.4, 0], to: [1.5, 0.9, 0], mass: 2, inertia: [0.2, 0.2, 0.2]}\n"  \
       "  rocker: {type: rigid, from: [1.2, 0, 0], to: [1.5, 0.9, 0], mass: 1, inertia: [0.2, 0.2, 0.2]}\n" \
       "  bob: {type: rigid, from: [3, 0, 0], to: [3, -1, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}\n"         \
       "joints: {pin: {type: revolute, between: [ground, bob.start]}, turn: {type: motion, joint: pin, "    \
       "rotation: 3*t}, A: {type: revolute, between: [ground, crank.start]}, B: {type: revolute, between: " \
       "[crank.end, rod.start]}, C: {type: revolute, between: [rod.end, rocker.end]}, D: {type: revolute, " \
       "between: [ground, rocker.start]}, " more "}\n"

static void test_contradictions(void **state) {
  (void)state;
  check_contradiction(HEAD
                      "bodies: {bob: {type: point-mass, mass: 1, position: [1, 0, 0]}}\n"
                      "joints: {short: {type: distance, between: ['ground.at(0, 0, 0)', bob], length: 1},\n"
                      "  long: {type: distance, between: ['ground.at(0, 0, 0)', bob], length: 1.1}}\n",
                      "long");
  check_contradiction(HEAD /* a rod of 1 m between pins 3 m apart */
                      "bodies: {rod: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 1, shape: {type: cylinder, "
                      "radius: 0.1}}}\n"
                      "joints: {left: {type: spherical, between: ['ground.at(0, 0, 0)', rod.start]},\n"
                      "  right: {type: spherical, between: ['ground.at(3, 0, 0)', rod.end]}}\n",
                      "right");
  check_contradiction(HEAD
                      "bodies: {rod: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 1, shape: {type: cylinder, "
                      "radius: 0.1}}}\n"
                      "joints: {hinge: {type: revolute, between: [ground, rod.start]},\n"
                      "  slow: {type: motion, between: [ground, rod.start], rotation: t},\n"
                      "  fast: {type: motion, between: [ground, rod.start], rotation: 2*t}}\n",
                      "the drivers 'slow', 'fast' contradict each other (");
  check_contradiction(TWO_MECHANISMS("first: {type: motion, joint: A, rotation: 2*t}, second: {type: motion, joint: D, "
                                     "rotation: t/2}"),
                      "the drivers 'first', 'second' contradict each other through the joints 'A', 'B', 'C', 'D' (");
  check_contradiction(
      TWO_MECHANISMS("drive: {type: motion, joint: A, rotation: 2*t}, weld: {type: fixed, between: [ground, "
                     "rocker.start]}"),
      "the driver 'drive' asks for a motion that the joints 'A', 'B', 'C', 'D', 'weld' do not allow");
}

/* ---- size ---- */

/* Nothing repeats in a chain, however long, and its start is as accurate as that of one body. */
static void test_long_chain(void **state) {
  (void)state;
  enum { BODIES = 500, LINE = 160 };
  char *text = malloc(2 * BODIES * LINE), *end = text;
  started s;
  end += sprintf(end, HEAD "bodies:\n");
  for (int i = 0; i < BODIES; i++)
    end += sprintf(
        end, "  b%d: {type: rigid, from: [%d, 0, 0], to: [%d, 0, 0], mass: 1, shape: {type: cylinder, radius: 0.05}}\n",
        i, i, i + 1);
  end += sprintf(end, "joints:\n  j0: {type: spherical, between: [ground, b0.start]}\n");
  for (int i = 1; i < BODIES; i++)
    end += sprintf(end, "  j%d: {type: spherical, between: [b%d.end, b%d.start]}\n", i, i - 1, i);
  start_well(&s, text);
  assert_int_equal(s.start.redundant, 0);
  assert_below(violation(&s.f), 1e-9, "equations");
  close_fixture(&s.f);
  free(text);
}

/* ---- what stays as written ---- */

#define CRANK                                                                                                     \
  HEAD "bodies:\n"                                                                                                \
       "  crank: {type: rigid, from: [0, 0, 0], to: [0.1, 0.1, 0], mass: 1,\n"                                    \
       "    shape: {type: box, size: [0.14, 0.02, 0.02]}, angular_velocity: [0, 0, 6]}\n"                         \
       "  rod: {type: rigid, from: [0.1, 0.1, 0], to: [0.5, 0, 0], mass: 1, shape: {type: box, size: [0.4, 0.1, " \
       "0.1]}}\n"                                                                                                 \
       "  slider: {type: rigid, position: [%s, 0, 0], mass: 10, inertia: [1, 1, 1]}\n"                            \
       "joints:\n"                                                                                                \
       "  A: {type: revolute, between: [ground, crank.start], axis: [0, 0, 1]}\n"                                 \
       "  B: {type: revolute, between: [crank.end, rod.start], axis: [0, 0, 1]}\n"                                \
       "  C: {type: spherical, between: [rod.end, slider.center]}\n"                                              \
       "  D: {type: prismatic, between: ['ground.at(0.7, 0, 0)', slider.center], axis: [1, 0, 0]}\n"              \
       "%s"

static void start_crank(started *s, const char *slider, const char *more) {
  char text[2000];
  snprintf(text, sizeof text, CRANK, slider, more);
  start(s, text);
}

/* Of the crank about z. */
static double angular_speed(const fixture *f) {
  const double *p = f->state.q + 3, *rate = f->state.v + 3;
  return 2 * (p[0] * rate[3] - p[3] * rate[0] + p[1] * rate[2] - p[2] * rate[1]);
}

/* Analytic: slider at x = 0.5 with the crank's end at (0.1, 0.1), so that both ends of the rod have the same velocity
 * along it: 6 (-0.1, 0.1).(0.4, -0.1) = 0.4 v. */
static const double slider_speed = -0.75;

/* A velocity that is written stays, whatever the masses are; those that are not written follow. */
static void test_written_velocities_stay(void **state) {
  (void)state;
  started s;
  start_crank(&s, "0.5", "");
  assert_int_equal(s.status, SN_OK);
  assert_below(fabs(angular_speed(&s.f) - 6), 1e-9, "speed of the crank");
  assert_below(fabs(s.f.state.v[14] - slider_speed), 1e-9, "speed of the slider");
  assert_below(s.start.written_change, 1e-9, "change of what is written");
  assert_below(violation(&s.f), 1e-7, "equations");
  close_fixture(&s.f);
}

/* A part that is turned to meet its joints keeps its angular velocity, not the rates of its Euler parameters. */
static void test_turned_parts_keep_their_speed(void **state) {
  (void)state;
  started s;
  start_crank(&s, "0.7", "");
  assert_int_equal(s.status, SN_OK);
  assert_true(s.start.position_change > 0.1);
  assert_below(fabs(angular_speed(&s.f) - 6), 1e-9, "its speed");
  assert_non_null(strstr(s.start.notes, "'C' (off by 0.2)"));
  assert_non_null(strstr(s.start.notes, "'slider'"));
  close_fixture(&s.f);
}

/* Kept are places and velocities: the slider comes to the crank, or the crank to the slider. */
static void test_keep(void **state) {
  (void)state;
  started s;
  start_crank(&s, "0.7", "keep: [crank.rotation]\n");
  assert_int_equal(s.status, SN_OK);
  assert_below(distance(s.f.state.q, s.f.model->q0, 7), 1e-11, "place of the crank");
  assert_below(fabs(s.f.state.q[14] - 0.5), 1e-11, "place of the slider");
  assert_below(fabs(s.f.state.v[14] - slider_speed), 1e-9, "speed of the slider");
  close_fixture(&s.f);
  start_crank(&s, "0.45", "keep: [slider]\n");
  assert_int_equal(s.status, SN_OK);
  assert_below(fabs(s.f.state.q[14] - 0.45), 1e-11, "place of the slider");
  assert_below(fabs(angular_speed(&s.f) - 6), 1e-9, "speed of the crank, which is written; the slider's is not");
  close_fixture(&s.f);
  start_crank(&s, "0.7", "keep: [crank, slider]\n");
  assert_int_equal(s.status, SN_NUMERICS);
  assert_non_null(strstr(sn_message(s.f.context), "cannot be kept"));
  close_fixture(&s.f);
}

/* A load that is no number at the start is named. */
static void test_forces_not_finite(void **state) {
  (void)state;
  started s;
  start(&s, HEAD
        "bodies: {m: {type: point-mass, mass: 1, position: [0, 0, 0]}}\n"
        "forces: {f: {type: force, at: m, force: [\"1/(t - t)\", 0, 0]}}\n");
  assert_int_equal(s.status, SN_NUMERICS);
  assert_non_null(strstr(sn_message(s.f.context), "forces on 'm' are not finite"));
  close_fixture(&s.f);
}

/* ---- refinement ---- */

/* [M G'; G 0] of ANCF cables is constant, and solutions with it are not refined where they are exact to rounding. Where a
 * light cable holds a heavy one they are not: what the heavy one adds to the pivots of the joint is lost in rounding. The
 * right-hand side is made from the solution. */
static void check_refinement(double density, bool exact) {
  static const char *const model =
      "sinew: 1\ngravity: [0, -9.81, 0]\n"
      "materials: {a: {density: %g, young: 2e7}, b: {density: 7800, young: 2e7}}\n"
      "sections: {square: {type: rectangle, width: 0.02, height: 0.02}}\n"
      "bodies:\n"
      "  a: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 4, material: a, section: square}\n"
      "  b: {type: cable, from: [1, 0, 0], to: [2, 0, 0], elements: 4, material: b, section: square}\n"
      "joints:\n"
      "  pin: {type: spherical, between: [ground, a.start]}\n"
      "  link: {type: spherical, between: [a.end, b.start]}\n";
  char text[1000];
  double x[100], plain[100], refined[100], error[2] = {0};
  fixture f;
  snprintf(text, sizeof text, model, density);
  open_fixture(&f, text, NULL);
  const int size = f.model->n + f.model->m;
  assert_true(size <= (int)SN_COUNT(x));
  assert_true(sn_system_factor_mass(f.system, &f.state));
  for (int i = 0; i < size; i++) x[i] = 1 + 0.3 * sin(i);
  sn_matrix_multiply(sn_system_matrix(f.system), x, plain);
  memcpy(refined, plain, sizeof refined);
  sn_system_solve(f.system, plain);
  const long solves = f.system->statistics.solves;
  sn_system_solve_refined(f.system, refined);
  assert_int_equal(f.system->statistics.solves - solves, exact ? 1 : 3);
  for (int i = 0; i < size; i++) {
    error[0] = fmax(error[0], fabs(plain[i] / x[i] - 1));
    error[1] = fmax(error[1], fabs(refined[i] / x[i] - 1));
  }
  assert_true(exact == (error[0] < 1e-11));
  assert_below(error[1], 1e-11, "density %g: refined", density);
  close_fixture(&f);
}

static void test_refinement(void **state) {
  (void)state;
  check_refinement(7800, true);
  check_refinement(7.8e-4, false);
  check_refinement(7.8e-8, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_positions),
      cmocka_unit_test(test_misplaced_parts),
      cmocka_unit_test(test_velocities),
      cmocka_unit_test(test_driven_start),
      cmocka_unit_test(test_physical_pendulum),
      cmocka_unit_test(test_cable_start),
      cmocka_unit_test(test_four_bar),
      cmocka_unit_test(test_doubled_joint),
      cmocka_unit_test(test_contradictions),
      cmocka_unit_test(test_multipliers_stay),
      cmocka_unit_test(test_long_chain),
      cmocka_unit_test(test_written_velocities_stay),
      cmocka_unit_test(test_turned_parts_keep_their_speed),
      cmocka_unit_test(test_keep),
      cmocka_unit_test(test_forces_not_finite),
      cmocka_unit_test(test_refinement),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
