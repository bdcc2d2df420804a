/* test_objectivity.c - results do not depend on the axes or on the unit of length.
 *
 * Turned: every spatial model of models/ and one of many kinds is written again with all its vectors, gravity too,
 * turned by one rotation; its outputs turn with it. Scaled: lengths times s, times and masses as they are, so forces
 * times s, moduli of elasticity by s and so on; outputs scale as their units say.
 */
#include <ctype.h>
#include <dirent.h>

#include "math/quat.h"
#include "model/materials.h"
#include "support.h"

/* ---- a model text, turned ---- */

static const double turn_p[4] = {0.41, -0.62, 0.35, 0.57}; /* normalized below; no axis and no plane is special */

typedef struct rotation {
  double p[4], R[3][3];
} rotation;

static rotation the_rotation(bool identity) {
  rotation r = {.p = {1, 0, 0, 0}};
  double norm = sqrt(inner(turn_p, turn_p, 4));
  for (int k = 0; k < 4 && !identity; k++) r.p[k] = turn_p[k] / norm;
  for (int k = 0; k < 3; k++) {
    double e[3] = {k == 0, k == 1, k == 2}, y[3];
    sn_quat_rotate(r.p, e, y);
    for (int i = 0; i < 3; i++) r.R[i][k] = y[i];
  }
  return r;
}

typedef struct text {
  char *at;
  size_t length, room;
} text;

static void put(text *t, const char *from, size_t count) {
  if (t->length + count + 1 > t->room) {
    t->room = 2 * (t->length + count) + 4096;
    t->at = realloc(t->at, t->room);
  }
  memcpy(t->at + t->length, from, count);
  t->at[t->length += count] = 0;
}

SN_PRINTF(2, 3) static void print(text *t, const char *format, ...) {
  char line[4096];
  va_list list;
  va_start(list, format);
  put(t, line, (size_t)vsnprintf(line, sizeof line, format, list));
  va_end(list);
}

/* Parts of a list "[a, b, ...]" without quotes; returns what follows it. */
static const char *parts_of(const char *list, char part[4][512], int *count) {
  int depth = 0, n = 0;
  size_t length = 0;
  char quote = 0;
  const char *c = list + 1;
  for (;; c++) {
    bool end = !quote && depth == 0 && (*c == ',' || *c == ']');
    assert_true(*c && n < 4 && length < 511);
    if (end) {
      part[n++][length] = 0;
      length = 0;
      if (*c == ']') break;
      continue;
    }
    if (quote ? *c == quote : *c == '"' || *c == '\'') {
      quote = quote ? 0 : *c;
      continue;
    }
    depth += *c == '(' || *c == '[';
    depth -= *c == ')' || *c == ']';
    part[n][length++] = *c;
  }
  *count = n;
  return c + 1;
}

/* The components of R x, as expressions. */
static void put_turned(text *out, const rotation *r, char x[4][512]) {
  for (int i = 0; i < 3; i++)
    print(out, "%s\"%.17g*(%s) + %.17g*(%s) + %.17g*(%s)\"", i ? ", " : "[", r->R[i][0], x[0], r->R[i][1], x[1],
          r->R[i][2], x[2]);
  print(out, "]");
}

/* The quaternion p o x. */
static void put_product(text *out, const rotation *r, char x[4][512]) {
  static const int at[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}}; /* component of x for p_k */
  static const int sign[4][4] = {{1, -1, -1, -1}, {1, 1, -1, 1}, {1, 1, 1, -1}, {1, -1, 1, 1}};
  for (int i = 0; i < 4; i++) {
    print(out, "%s", i ? ", \"0" : "[\"0");
    for (int k = 0; k < 4; k++) {
      int j = at[i][k]; /* row i of the product is the sum of sign p_j x_k */
      print(out, " + %.17g*(%s)", sign[i][k] * r->p[j], x[k]);
    }
    print(out, "\"");
  }
  print(out, "]");
}

static bool is_key(const char *c, size_t length, const char *key) {
  return strlen(key) == length && strncmp(c, key, length) == 0;
}

static bool is_vector(const char *c, size_t length) {
  static const char *const keys[] = {
      "gravity",          "from", "to",    "via",   "at",     "along",  "across", "up",  "position", "velocity",
      "angular_velocity", "axis", "axis2", "force", "moment", "normal", "curve",  "face"};
  for (size_t i = 0; i < SN_COUNT(keys); i++)
    if (is_key(c, length, keys[i])) return true;
  return false;
}

/* Orientations that the program chooses by the global axes are written out: those of sections of beams (height along y,
 * as all lie in the x-y plane at their start), and of rigid bodies that have none. */
static void put_orientation(text *out, const rotation *r, const char *entry) {
  char y[4][512] = {"0", "1", "0"}, one[4][512] = {"1", "0", "0", "0"};
  const char *end = strchr(entry, '\n');
  size_t length = end ? (size_t)(end - entry) : strlen(entry);
  char line[2048];
  snprintf(line, sizeof line, "%.*s", (int)(length < 2047 ? length : 2047), entry);
  if (strncmp(entry, "type: beam,", 11) == 0 && !strstr(line, " up:")) {
    print(out, "up: ");
    put_turned(out, r, y);
    print(out, ", ");
  }
  if (strncmp(entry, "type: rigid,", 12) == 0 && !strstr(line, "rotation:") && !strstr(line, "from:")) {
    print(out, "rotation: ");
    put_product(out, r, one);
    print(out, ", ");
  }
}

static char *turned(const char *model, const rotation *r) {
  text out = {0};
  const char *c = model;
  char part[4][512];
  int count;
  while (*c) {
    if (*c == '#') { /* a comment may hold anything */
      size_t length = strcspn(c, "\n");
      put(&out, c, length);
      c += length;
      continue;
    }
    if (!isalpha((unsigned char)*c) || (c > model && (isalnum((unsigned char)c[-1]) || c[-1] == '_' || c[-1] == '-'))) {
      put(&out, c++, 1);
      continue;
    }
    put_orientation(&out, r, c);
    size_t length = 0;
    while (isalnum((unsigned char)c[length]) || c[length] == '_' || c[length] == '-') length++;
    const char *list = c + length + strspn(c + length, ": ");
    put(&out, c, length);
    if (c[length] == ':' && *list == '[' && is_vector(c, length)) {
      c = parts_of(list, part, &count);
      assert_int_equal(count, 3);
      print(&out, ": ");
      put_turned(&out, r, part);
    } else if (c[length] == ':' && *list == '[' && is_key(c, length, "rotation")) {
      c = parts_of(list, part, &count);
      assert_int_equal(count, 4);
      print(&out, ": ");
      put_product(&out, r, part);
    } else {
      c += length;
    }
  }
  return out.at;
}

/* ---- two runs, compared ---- */

typedef struct results {
  run r;
  sn_row row;
} results;

static void solve(results *x, const char *model, const char *set, const sn_options *options) {
  x->r = (run){.context = sn_context_create()};
  if (sn_model_parse(x->r.context, "model", model, strlen(model), &set, set ? 1 : 0, &x->r.model) ||
      sn_simulation_create(x->r.model, options, &x->r.simulation) || sn_run(x->r.simulation))
    fail_msg("%s", sn_message(x->r.context));
  sn_row_create(x->r.simulation, &x->row);
  sn_sample(x->r.simulation, sn_time(x->r.simulation), &x->row);
}

/* Stiff bodies turn rounding of strains into accelerations, E/(rho l) times a few units of the last place, l = 0.02 m,
 * the thickness of a beam, and into forces, E A times a few of them; methods at index 3 turn that of positions into
 * accelerations, 4/h^2 times a few of them. Newton leaves 1e-11 of positions, 2/h times as much of velocities. */
typedef struct noise_level {
  double velocity, acceleration, force;
} noise_level;

static noise_level rounding(const sn_model *model, double h) {
  const sn_list *list = &model->document->list[SN_MATERIALS], *sections = &model->document->list[SN_SECTIONS];
  noise_level most = {0, 0, 0};
  double A = 0;
  for (int i = 0; i < sections->count; i++) A = fmax(A, sn_section(sections->item[i]).A);
  for (int i = 0; i < list->count; i++) {
    const sn_material_spec *m = (const sn_material_spec *)(const void *)list->item[i];
    most.acceleration = fmax(most.acceleration, 1e-14 * m->young / m->density / 0.02);
    most.force = fmax(most.force, 1e-15 * m->young * A);
  }
  if (h > 0) most.velocity = 1e-11 * 2 / h;
  if (h > 0) most.acceleration += 2e-15 * 4 / (h * h) + 10 * most.velocity; /* turning at 10 rad/s */
  return most;
}

/* b = R a for each vector of an output, to 1e-9 of its size or 1; other outputs do not turn. */
static void compare_turned(const rotation *R, const char *model, const sn_output *o, const double *a, const double *b,
                           noise_level least) {
  double y[3];
  if (o->type == SN_OUTPUT_ORIENTATION && o->columns > 3) return; /* of the global axes; test_orientation turns them */
  if (o->type != SN_OUTPUT_POINT && o->type != SN_OUTPUT_REACTION && o->type != SN_OUTPUT_CONTACT) {
    /* relative: accelerations of two bodies, and angular ones, twice those of Euler parameters, times some meters */
    double noise = o->type == SN_OUTPUT_RELATIVE ? 8 * least.acceleration : 0;
    assert_below(distance(a, b, o->columns), 1e-9 * fmax(1, largest(a, o->columns)) + noise, "%s, %s", model, o->name);
    return;
  }
  int vectors = o->columns / 3; /* what follows a force of contact does not turn */
  if (3 * vectors < o->columns)
    assert_below(distance(a + 3 * vectors, b + 3 * vectors, o->columns % 3), 1e-9, "%s, %s", model, o->name);
  for (int k = 0; k < 3 * vectors; k += 3) {
    double size = sqrt(inner(a + k, a + k, 3)), allowed = 1e-9 * fmax(1, size);
    if (o->type == SN_OUTPUT_POINT && k == 3) allowed += least.velocity;
    if (o->type == SN_OUTPUT_POINT && k == 6) allowed += least.acceleration;
    if (o->type == SN_OUTPUT_REACTION) allowed += least.force;
    sn_quat_rotate(R->p, a + k, y);
    if (o->local) /* the axes of a joint without an axis are the global ones at the start: only sizes compare */
      assert_below(fabs(sqrt(inner(b + k, b + k, 3)) - size), allowed, "%s, size of %s", model, o->name);
    else
      assert_below(distance(b + k, y, 3), allowed, "%s, %s, vector %d", model, o->name, k / 3);
  }
}

static void check_turned(const char *name, const char *model, const char *set, const sn_options *options) {
  rotation as_is = the_rotation(true), R = the_rotation(false);
  char *first = turned(model, &as_is), *second = turned(model, &R);
  double frequency[2][20];
  results a, b;
  solve(&a, first, set, options);
  solve(&b, second, set, options);
  const double *x = a.row.values, *y = b.row.values;
  assert_true(a.r.model->outputs > 0 && a.r.model->dim == 3);
  for (int i = 0; i < a.r.model->outputs; i++) {
    const sn_output *o = &a.r.model->output[i];
    compare_turned(&R, name, o, x, y, rounding(a.r.model, options->step));
    x += o->columns, y += o->columns;
  }
  /* linearize: rounding makes a pair of real or of complex eigenvalues of a double zero, so that their number differs */
  const bool compared = !strstr(model, "analysis: linearize");
  size_t modes = compared ? sn_read(a.r.simulation, "modes", frequency[0], 20) : 0;
  if (compared && (sn_read(b.r.simulation, "modes", frequency[1], 20) != modes || modes > 20))
    fail_msg("%s: %zu modes", name, modes);
  for (size_t i = 0; i < modes; i++)
    assert_below(fabs(frequency[1][i] - frequency[0][i]), 1e-9 * fmax(frequency[0][i], 1), "%s, mode %zu", name, i);
  close_run(&a.r);
  close_run(&b.r);
  free(first), free(second);
}

/* ---- the models ---- */

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  text t = {0};
  char piece[4096];
  assert_non_null(file);
  for (size_t n; (n = fread(piece, 1, sizeof piece, file)) > 0;) put(&t, piece, n);
  fclose(file);
  return t.at;
}

static const sn_options hundred_steps = {.integrator = "hht-i3", .step = 1e-3, .until = 0.1};
static const sn_options short_steps = {.integrator = "symplectic-euler", .step = 1e-4, .until = 0.1}; /* for dvi */

static void bundled(void **state) {
  (void)state;
  DIR *folder = opendir("models");
  assert_non_null(folder);
  int seen = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    char path[300];
    if (!strstr(entry->d_name, ".yaml")) continue;
    snprintf(path, sizeof path, "models/%s", entry->d_name);
    char *model = read_file(path);
    const char *set = strstr(path, "cable-chain")      ? "n=40"
                      : strstr(path, "plate-pendulum") ? "n=4"
                      : strstr(path, "towed-cable")    ? "still=1" /* a flow of z would not turn with the model */
                                                       : NULL;
    /* rods between two points have their third axis where the program puts it, and their inertia differs about it */
    bool own_axes = strstr(path, "four-bar") || strstr(path, "physical-pendulum") || strstr(path, "ladder");
    /* lists of points, points of the ground, rotations by an angle and formulas of x, y, z are not turned here */
    own_axes |= strstr(model, "through:") || strstr(model, "ground.at(-") || strstr(model, "expression:") ||
                strstr(model, "rotation: {");
    if (!strstr(model, "planar: true") && !own_axes) {
      check_turned(path, model, set, strstr(model, "method: dvi") ? &short_steps : &hundred_steps);
      seen++;
    }
    free(model);
  }
  closedir(folder);
  assert_true(seen >= 10);
}

/* Many kinds at once; s is the unit of length. All lines start in the x-y plane. */
static const char many[] =
    "sinew: 1\n"
    "gravity: [3.2*s, -8.1*s, 2.5*s]\n"
    "parameters: {s: 1}\n"
    "materials: {soft: {density: 1200/s^3, young: 4e6/s}}\n"
    "sections: {bar: {type: rectangle, width: 0.05*s, height: 0.03*s}, rod: {type: circle, radius: 0.02*s}}\n"
    "bodies:\n"
    "  hub: {type: rigid, position: [0.1*s, 0, 0], rotation: [0.9, 0.1, -0.3, 0.2], mass: 2, inertia: [0.03*s^2, "
    "0.04*s^2, 0.05*s^2, 0.004*s^2, -0.003*s^2, 0.002*s^2], angular_velocity: [0.3, 1.1, -0.4]}\n"
    "  arm: {type: cable, from: [0.2*s, 0, 0], to: [1*s, 0.3*s, 0], elements: 4, material: soft, section: bar, "
    "stiffness_damping: 0.01}\n"
    "  bow: {type: cable, from: [0.2*s, 0, 0], via: [0.5*s, -0.2*s, 0], to: [0.8*s, -0.2*s, 0], elements: 3, material: "
    "soft, section: rod}\n"
    "  beam: {type: beam, from: [0, 0, 0], to: [-0.6*s, 0.2*s, 0], elements: 3, material: soft, section: bar, up: "
    "[0.2, 0.6, 0.5]}\n"
    "  sheet: {type: plate, at: [0.1*s, 0.1*s, 0], along: [0.4*s, 0, 0], across: [0, 0.3*s, 0], elements: [2, 2], "
    "thickness: 0.02*s, material: soft}\n"
    "  float: {type: floating, from: [1*s, 0.3*s, 0], to: [1.5*s, 0.2*s, 0], elements: 2, material: soft, section: "
    "bar, up: [0.1, 0.4, 1]}\n"
    "  ball: {type: rigid, position: [1.6*s, 0.2*s, 0.1*s], rotation: [0.5, 0.5, -0.6, 0.1], mass: 0.5, inertia: "
    "[0.002*s^2, 0.003*s^2, 0.004*s^2], velocity: [0.2*s, 0.3*s, -0.5*s]}\n"
    "  mass: {type: point-mass, mass: 0.2, attach: bow.end}\n"
    "joints:\n"
    "  cross: {type: universal, between: [ground, hub.center], axis: [0, 0.6, 0.8], axis2: [1, 0, 0]}\n"
    "  root: {type: fixed, between: [hub, arm.start]}\n"
    "  bow: {type: revolute, between: [hub, bow.start], axis: [0, 0, 1]}\n"
    "  weld: {type: fixed, between: [hub, beam.start]}\n"
    "  sheet: {type: fixed, between: [hub, sheet.sw]}\n"
    "  ball: {type: spherical, between: [arm.end, float.start]}\n"
    "  slide: {type: point-on-plane, between: [hub.center, ball.center], axis: [0.2, -1.5, 0]}\n"
    "forces:\n"
    "  spring: {type: spring, between: [float.end, ball.center], stiffness: 300, damping: 2, length: 0.1*s}\n"
    "  pull: {type: force, at: beam.end, force: [\"2*s*sin(20*t)\", s, -3*s]}\n"
    "  twist: {type: moment, at: ball.center, moment: [0, \"0.02*s^2*t\", 0.01*s^2], follower: true}\n"
    "outputs: {arm: {point: arm.end}, bow: {point: bow.end}, beam: {point: beam.end}, sheet: {point: sheet.ne}, "
    "float: {point: float.end}, ball: {point: ball.center}, cross: {reaction: cross}, root: {reaction: root}, "
    "spring: {spring: spring}, inside: {resultant: arm.at(0.3)}}\n"
    "analysis: {type: dynamics, duration: 0.1}\n";

static void many_kinds(void **state) {
  (void)state;
  check_turned("many kinds", many, NULL, &hundred_steps);
}

/* ---- another unit of length ---- */

/* Power of s in a column of an output, from its unit. */
static int power_of(const char *unit) {
  static const struct {
    const char *unit;
    int power;
  } units[] = {{"m", 1}, {"m/s", 1}, {"m/s2", 1}, {"N", 1}, {"N m", 2}, {"1", 0}, {"", 0}, {"1/m", -1}};
  for (size_t i = 0; i < SN_COUNT(units); i++)
    if (strcmp(unit, units[i].unit) == 0) return units[i].power;
  fail_msg("how does a unit '%s' scale?", unit);
  return 0;
}

/* Largest departure from similarity over all outputs, or those with one unit; each column against the largest of its
 * output with the same unit, or 1. */
static double departure(const results *a, const results *b, double s, const char *unit) {
  const double *x = a->row.values, *y = b->row.values;
  double most = 0;
  for (int i = 0; i < a->r.model->outputs; i++) {
    const sn_output *o = &a->r.model->output[i];
    for (int k = 0; k < o->columns; k++) {
      double size = 1;
      if (unit && strcmp(o->unit[k], unit) != 0) continue;
      for (int j = 0; j < o->columns; j++)
        if (strcmp(o->unit[j], o->unit[k]) == 0) size = fmax(size, fabs(x[j]));
      most = fmax(most, fabs(y[k] / pow(s, power_of(o->unit[k])) - x[k]) / size);
    }
    x += o->columns, y += o->columns;
  }
  return most;
}

static const struct {
  const char *set;
  double s;
} sizes[] = {{"s=0.1", 0.1}, {"s=10", 10}};

/* The equations do not know the unit: after one step all outputs are similar to rounding. After a hundred fixed steps
 * they still are, but for where Newton's iterations end: that weighs coordinates by max(1, |q|), and lengths against
 * angles. */
static void scaled_fixed_steps(void **state) {
  (void)state;
  const sn_options one_step = {.integrator = "hht-i3", .step = 1e-3, .until = 1e-3};
  results a, b;
  for (size_t i = 0; i < SN_COUNT(sizes); i++) {
    solve(&a, many, NULL, &one_step);
    solve(&b, many, sizes[i].set, &one_step);
    assert_below(departure(&a, &b, sizes[i].s, NULL), 1e-10, "one step, %s", sizes[i].set);
    close_run(&a.r), close_run(&b.r);
    solve(&a, many, NULL, &hundred_steps);
    solve(&b, many, sizes[i].set, &hundred_steps);
    assert_below(departure(&a, &b, sizes[i].s, "m"), 1e-7, "positions, %s", sizes[i].set);
    assert_below(departure(&a, &b, sizes[i].s, NULL), 1e-3, "all outputs, %s", sizes[i].set);
    close_run(&a.r), close_run(&b.r);
  }
}

/* Adaptive steps: tolerances are relative to the size of a model below 1 m, and to 1 m above, so runs are not similar,
 * but a scaled one is as sharp as the model itself, against a run with a much finer tolerance; errors below a tenth of
 * the tolerance are luck. */
static void scaled_adaptive_steps(void **state) {
  (void)state;
  static const double tolerance[] = {1e-5, 1e-7};
  const sn_options fine = {.until = 0.1, .tolerance = 1e-9};
  results exact, as_is, scaled;
  solve(&exact, many, NULL, &fine);
  for (size_t k = 0; k < SN_COUNT(tolerance); k++) {
    const sn_options adaptive = {.until = 0.1, .tolerance = tolerance[k]};
    solve(&as_is, many, NULL, &adaptive);
    double error = departure(&exact, &as_is, 1, "m");
    assert_below(error, 1e-4, "error of positions");
    for (size_t i = 0; i < SN_COUNT(sizes); i++) {
      solve(&scaled, many, sizes[i].set, &adaptive);
      const sn_simulation *run_of = scaled.r.simulation;
      assert_below(departure(&exact, &scaled, sizes[i].s, "m"), fmax(2 * error, 0.1 * tolerance[k]), "positions, %s",
                   sizes[i].set);
      assert_below(run_of->largest_energy_error, 1e-3 * run_of->largest_kinetic, "energy, %s", sizes[i].set);
      close_run(&scaled.r);
    }
    close_run(&as_is.r);
  }
  close_run(&exact.r);
}

/* A small mechanism is solved as sharply for its size as one of a meter, by every adaptive method: two points of a
 * double pendulum, and a rigid body with Euler parameters on it. Sizes of 1, 0.1 and 0.001 m have about the same steps
 * (IDA's iteration does not scale), and errors of the same number of tolerances, times the size. */
static const char small[] =
    "sinew: 1\n"
    "gravity: [0, -9.81*s, 0]\n"
    "parameters: {s: 1}\n"
    "bodies:\n"
    "  upper: {type: point-mass, mass: 1, position: [0.4*s, 0, 0]}\n"
    "  lower: {type: point-mass, mass: 0.5, position: [0.4*s, 0, 0.3*s]}\n"
    "  bar: {type: rigid, from: [0.4*s, 0, 0.3*s], to: [0.6*s, 0, 0.6*s], mass: 0.3, "
    "inertia: [1e-4*s^2, 4e-3*s^2, 4e-3*s^2]}\n"
    "joints:\n"
    "  upper: {type: distance, between: [\"ground.at(0, 0, 0)\", upper]}\n"
    "  lower: {type: distance, between: [upper, lower]}\n"
    "  ball: {type: spherical, between: [lower, bar.start]}\n"
    "outputs: {upper: {point: upper}, lower: {point: lower}, bar: {point: bar.end}}\n"
    "analysis: {type: dynamics, duration: 1}\n";

static void small_mechanisms(void **state) {
  (void)state;
  static const char *const methods[] = {"hht-i3", "hht-si2", "nstiff", "gssss", "radau",
                                        "gam",    "ida",     "adams",  "erk",   "tr-bdf2"};
  static const char *const set[] = {"s=0.1", "s=0.001"};
  static const double size[] = {0.1, 0.001}, tolerance = 1e-4;
  results exact, as_is, scaled;
  solve(&exact, small, NULL, &(sn_options){.until = 1, .integrator = "radau", .tolerance = 1e-10});
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    const sn_options options = {.until = 1, .integrator = methods[k], .tolerance = tolerance};
    solve(&as_is, small, NULL, &options);
    const long steps = as_is.r.simulation->system->statistics.steps;
    const double error = departure(&exact, &as_is, 1, "m");
    assert_below(error, 20 * tolerance, "positions by %s", methods[k]); /* hht-si2: 10.8, 8.3 of its displacement */
    for (size_t i = 0; i < SN_COUNT(set); i++) {
      solve(&scaled, small, set[i], &options);
      const long now = scaled.r.simulation->system->statistics.steps;
      assert_below(departure(&exact, &scaled, size[i], "m"), fmax(2 * error, tolerance), "positions by %s, %s",
                   methods[k], set[i]);
      assert_below((double)labs(now - steps), 0.2 * (double)steps, "%ld and %ld steps by %s, %s", steps, now,
                   methods[k], set[i]);
      close_run(&scaled.r);
    }
    close_run(&as_is.r);
  }
  close_run(&exact.r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bundled),
      cmocka_unit_test(many_kinds),
      cmocka_unit_test(scaled_fixed_steps),
      cmocka_unit_test(scaled_adaptive_steps),
      cmocka_unit_test(small_mechanisms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
