/* test_order.c - what a scene comes to does not depend on the order in which bodies and surfaces are listed, nor on how
 * the scene is turned about the vertical or mirrored: random scenes of solids and cables that fall on a plane and on
 * each other, by both methods.
 *
 * Listed in another order: the same to rounding, also where Coulomb's law leaves a choice (boxes that turn flat on each
 * other). Turned and mirrored, complementarity agrees to what contact_tolerance (1e-6 m/s) comes to, where the law
 * leaves none: velocities of the relaxed law are unique, those of Coulomb's for bodies that touch at few points. By
 * penalty they agree to rounding, times what impacts make of it.
 */
#include "math/vec3.h"
#include "support.h"

enum { BODIES = 3 };

static const char *const shape[] = {
    "{type: sphere, radius: 0.1",
    "{type: capsule, from: [-0.12, 0, 0], to: [0.12, 0, 0], radius: 0.06",
    "{type: cylinder, from: [-0.1, 0, 0], to: [0.1, 0, 0], radius: 0.1",
    "{type: box, size: [0.25, 0.2, 0.15]",
    "{type: spheres, radius: 0.02, count: 9",
};
enum { SPHERE, CAPSULE, CYLINDER, BOX, CABLE, SHAPES };

typedef struct thing {
  int shape;
  double r[3], p[4], v[3], w[3];
} thing;

typedef struct scene {
  thing thing[BODIES];
  const char *law, *integrator;
  double end;
} scene;

/* How it is shown: listed backward, mirrored in x, turned about z. */
typedef struct shown {
  bool backward, mirror;
  double angle;
} shown;

static void turn(double angle, double x[3]) {
  double c = cos(angle), s = sin(angle), x0 = x[0];
  x[0] = c * x0 - s * x[1];
  x[1] = s * x0 + c * x[1];
}

static thing seen(const thing *from, const shown *view) {
  thing y = *from;
  if (view->mirror) {
    y.r[0] = -y.r[0], y.v[0] = -y.v[0], y.p[2] = -y.p[2], y.p[3] = -y.p[3];
    y.w[1] = -y.w[1], y.w[2] = -y.w[2];
  }
  turn(view->angle, y.r);
  turn(view->angle, y.v);
  turn(view->angle, y.w);
  double c = cos(view->angle / 2), s = sin(view->angle / 2), p[4];
  memcpy(p, y.p, sizeof p);
  y.p[0] = c * p[0] - s * p[3], y.p[1] = c * p[1] - s * p[2], y.p[2] = c * p[2] + s * p[1],
  y.p[3] = c * p[3] + s * p[0];
  return y;
}

static void write_body(FILE *out, int k, const thing *y) {
  if (y->shape == CABLE) {
    double x[3] = {1, 0, 0}; /* the way it goes: the first axis of p, flat */
    turn(2 * atan2(y->p[3], y->p[0]), x);
    fprintf(out, "  b%d: {type: cable, from: [%.17g, %.17g, %.17g], to: [%.17g, %.17g, %.17g], elements: 2, ", k,
            y->r[0] - 0.2 * x[0], y->r[1] - 0.2 * x[1], y->r[2], y->r[0] + 0.2 * x[0], y->r[1] + 0.2 * x[1], y->r[2]);
    fprintf(out, "material: rubber, section: round}\n");
    return;
  }
  fprintf(out, "  b%d: {type: rigid, position: [%.17g, %.17g, %.17g], rotation: [%.17g, %.17g, %.17g, %.17g], ", k,
          y->r[0], y->r[1], y->r[2], y->p[0], y->p[1], y->p[2], y->p[3]);
  fprintf(out, "velocity: [%.17g, %.17g, %.17g], angular_velocity: [%.17g, %.17g, %.17g], mass: 1, inertia: ", y->v[0],
          y->v[1], y->v[2], y->w[0], y->w[1], y->w[2]);
  fprintf(out, "[0.006, 0.007, 0.008]}\n");
}

static char *text_of(const scene *s, const shown *view) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  fprintf(out,
          "sinew: 1\ngravity: [0, 0, -9.81]\nmaterials: {rubber: {density: 1000, young: 1e6, poisson: 0.3}}\n"
          "sections: {round: {type: circle, radius: 0.02}}\nbodies:\n");
  for (int i = 0; i < BODIES; i++) {
    int k = view->backward ? BODIES - 1 - i : i;
    thing y = seen(&s->thing[k], view);
    write_body(out, k, &y);
  }
  fprintf(out, "surfaces:\n");
  for (int i = 0; i < BODIES; i++) {
    int k = view->backward ? BODIES - 1 - i : i;
    if (i == view->backward) fprintf(out, "  floor: {type: plane, normal: [0, 0, 1]}\n");
    fprintf(out, "  s%d: %s, on: b%d}\n", k, shape[s->thing[k].shape], k);
  }
  fprintf(out, "contacts: {all: {%s}}\nanalysis: {type: dynamics, duration: %g, integrator: {%s}}\n", s->law, s->end,
          s->integrator);
  fclose(out);
  return text;
}

/* Where the bodies come to: the first point of each, seen back. */
static void play(const scene *s, const shown *view, double x[BODIES][3]) {
  char *text = text_of(s, view);
  run r;
  open_run(&r, text, NULL);
  free(text);
  advance(&r, s->end);
  for (int i = 0; i < r.model->bodies; i++) {
    const sn_body *body = &r.model->body[i];
    int k = body->name[0] == 'b' ? body->name[1] - '0' : -1;
    if (k < 0) continue; /* the ground */
    sn_copy(x[k], r.simulation->state.q + body->first);
    turn(-view->angle, x[k]);
    if (view->mirror) x[k][0] = -x[k][0];
  }
  close_run(&r);
}

static void random_scene(scene *s, uint64_t *seed, int shapes, bool flat) {
  for (int k = 0; k < BODIES; k++) {
    thing *y = &s->thing[k];
    double size = 0, half = noise(seed);
    *y = (thing){.shape = flat ? BOX : (int)((1 + noise(seed)) / 2 * (shapes - 1e-9))};
    for (int i = 0; i < 4; i++) y->p[i] = noise(seed), size += y->p[i] * y->p[i];
    for (int i = 0; i < 4; i++) y->p[i] /= sqrt(size);
    if (flat || y->shape == CABLE) memcpy(y->p, (double[4]){cos(half), 0, 0, sin(half)}, sizeof y->p);
    for (int i = 0; i < 2; i++) y->r[i] = 0.1 * noise(seed), y->v[i] = 0.3 * noise(seed);
    y->r[2] = flat ? 0.075 + 0.15001 * k : 0.19 + 0.36 * k;
    y->w[2] = noise(seed);
    for (int i = 0; i < 2 && !flat; i++) y->w[i] = noise(seed);
  }
}

static double change(const scene *s, const shown *view) {
  static const shown as_it_is;
  double x[2][BODIES][3];
  play(s, &as_it_is, x[0]);
  play(s, view, x[1]);
  return distance(x[0][0], x[1][0], 3 * BODIES);
}

#define STEPS "type: symplectic-euler, step: 1e-3"

static void listed_in_another_order(void **state) {
  (void)state;
  static const shown backward = {.backward = true};
  static const char *const laws[][2] = {
      {"method: dvi, friction: 0.3", STEPS},
      {"method: dvi, friction: 0.3", STEPS ", contact_solver: gauss-seidel"},
      {"young: 1e7, friction: 0.3, damping: 0.5", "type: symplectic-euler, step: 1e-4"},
  };
  for (size_t k = 0; k < SN_COUNT(laws); k++)
    for (int trial = 0; trial < 16; trial++) {
      uint64_t seed = (uint64_t)trial + 7;
      scene s = {.law = laws[k][0], .integrator = laws[k][1], .end = 0.25};
      random_scene(&s, &seed, SHAPES, trial % 3 == 0);
      assert_below(change(&s, &backward), 1e-12, "%s, scene %d", s.integrator, trial);
    }
}

static void turned_and_mirrored(void **state) {
  (void)state;
  static const shown views[] = {{.mirror = true}, {.angle = PI / 2}, {.angle = 0.7}, {.angle = -2.1, .mirror = true}};
  static const struct {
    const char *law, *integrator;
    int shapes;
    bool flat;
    double limit, end;
  } cases[] = {
      {"method: dvi, friction: 0.3", STEPS, CYLINDER, false, 3e-6, 0.2},
      {"method: dvi, friction: 0.3", STEPS ", friction_model: relaxed", BOX, true, 5e-6, 0.2},
      {"method: dvi", STEPS, BOX, true, 5e-6, 0.2},
      {"young: 1e7, friction: 0.3, damping: 0.5", "type: symplectic-euler, step: 5e-5", CABLE, false, 1e-8, 0.2},
      /* before rounding has grown: corners that land amplify it; ... */
      {"young: 1e7, friction: 0.3, damping: 0.5", "type: symplectic-euler, step: 5e-5", BOX, true, 5e-6, 0.15},
      /* ... the solver goes the same way however axes are turned */
      {"method: dvi, friction: 0.3", STEPS ", contact_tolerance: 1e-9, contact_iterations: 20000", BOX, true, 1e-6,
       0.004},
  };
  for (size_t k = 0; k < SN_COUNT(cases); k++)
    for (int trial = 0; trial < 8; trial++) {
      uint64_t seed = (uint64_t)trial + 70;
      scene s = {.law = cases[k].law, .integrator = cases[k].integrator, .end = cases[k].end};
      random_scene(&s, &seed, cases[k].shapes, cases[k].flat);
      assert_below(change(&s, &views[trial % 4]), cases[k].limit, "%s, %s, scene %d", s.law, s.integrator, trial);
    }
}

/* Flat boxes under Coulomb's law, why turned scenes may differ by more than the tolerance: from the same state two
 * solvers, both to 1e-9 m/s, come to velocities that agree along the vertical and not across it. Four corners can share
 * a load in many ways, each with friction of its own. */
static void load_sharing_is_indeterminate(void **state) {
  (void)state;
  static const char *const solver[] = {STEPS ", contact_tolerance: 1e-9, contact_iterations: 20000",
                                       STEPS ", contact_tolerance: 1e-9, contact_solver: interior-point"};
  static const shown as_it_is;
  double across = 0, vertical = 0;
  for (uint64_t trial = 70; trial < 78; trial++) {
    uint64_t seed = trial;
    scene s = {.law = "method: dvi, friction: 0.3", .end = 1e-3};
    random_scene(&s, &seed, BOX, true);
    double v[2][7 * BODIES];
    for (int k = 0; k < 2; k++) {
      run r;
      s.integrator = solver[k];
      char *text = text_of(&s, &as_it_is);
      open_run(&r, text, NULL);
      free(text);
      advance(&r, s.end);
      assert_int_equal(r.simulation->system->count->contact.misses, 0);
      memcpy(v[k], r.simulation->state.v, sizeof v[k]);
      close_run(&r);
    }
    for (int b = 0; b < 7 * BODIES; b += 7) {
      vertical = fmax(vertical, fabs(v[0][b + 2] - v[1][b + 2]));
      across = fmax(across, distance(v[0] + b, v[1] + b, 2));
    }
  }
  print_message("two solvers, one step: %.1e m/s along the vertical, %.1e m/s across\n", vertical, across);
  assert_below(vertical, 1e-8, "vertical velocities");
  assert_true(across > 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(load_sharing_is_indeterminate),
                                     cmocka_unit_test(listed_in_another_order), cmocka_unit_test(turned_and_mirrored)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
