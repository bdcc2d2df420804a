/* test_bundled.c - the models of models/: every kind of body, joint, force and surface is shown by one of them; those that
 * no other test runs give what theory says. */
#include <glob.h>
#include <unistd.h>

#include "kinds/kinds.h"
#include "model/registry.h"
#include "support.h"

/* ---- every kind has its model ---- */

static bool has_kind(const sn_document *document, const sn_kind *kind) {
  const sn_list *list = &document->list[kind->category];
  for (int i = 0; i < list->count; i++)
    if (list->item[i]->kind == kind) return true;
  return false;
}

static void every_kind_has_a_model(void **state) {
  (void)state;
  static const sn_category shown[] = {SN_BODIES, SN_JOINTS, SN_FORCES, SN_SURFACES, SN_CONTROLLERS};
  enum { MOST = 200 };
  sn_context *context = sn_context_create();
  sn_model *model[MOST];
  glob_t files;
  int missing = 0;
  assert_int_equal(glob("models/*.yaml", 0, NULL, &files), 0);
  assert_true(files.gl_pathc <= MOST);
  for (size_t i = 0; i < files.gl_pathc; i++) model[i] = parse(context, files.gl_pathv[i]);
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++)
    for (size_t c = 0; c < SN_COUNT(shown); c++) {
      if ((*kind)->category != shown[c] || strcmp((*kind)->name, "ground") == 0) continue;
      bool found = false;
      for (size_t i = 0; i < files.gl_pathc && !found; i++) found = has_kind(model[i]->document, *kind);
      if (!found) print_error("no model in models/ has the %s '%s'\n", sn_category_noun(shown[c]), (*kind)->name);
      missing += !found;
    }
  for (size_t i = 0; i < files.gl_pathc; i++) sn_model_free(model[i]);
  globfree(&files);
  sn_context_free(context);
  assert_int_equal(missing, 0);
}

/* docs/gallery.md shows a picture of each, which is committed: scripts/gallery.sh makes those that are missing. */
static void every_model_has_a_picture(void **state) {
  (void)state;
  glob_t files, pictures;
  char name[128];
  assert_int_equal(glob("models/*.yaml", 0, NULL, &files), 0);
  assert_int_equal(glob("docs/gallery/*.png", 0, NULL, &pictures), 0);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    const char *stem = files.gl_pathv[i] + strlen("models/");
    snprintf(name, sizeof name, "docs/gallery/%.*s.png", (int)(strlen(stem) - strlen(".yaml")), stem);
    if (access(name, R_OK)) fail_msg("there is no %s", name);
  }
  assert_int_equal(files.gl_pathc, pictures.gl_pathc);
  globfree(&files);
  globfree(&pictures);
}

/* ---- what they show ---- */

static const double g = 9.81;

/* The top of a ladder leaves the wall at 2/3 of its height, whatever its inertia; until then energy gives its speed:
 * (m L^2/4 + J) a'^2 = m g (h0 - h), J = m (L^2 + d^2)/12, and the feet have the speed L a' sin(a). */
static void ladder(void **state) {
  (void)state;
  run r;
  double top[6], feet[6], L = 4, d = 0.06, h0 = L * sin(1.3);
  run_to_end(&r, "models/ladder.yaml");
  read_output(&r, "top", top, 6);
  read_output(&r, "feet", feet, 6);
  assert_below(fabs(top[1] / (2 * h0 / 3) - 1), 1e-5, "height where the wall lets go");
  double rate = sqrt(g * (h0 - top[1]) / (L * L / 4 + (L * L + d * d) / 12));
  assert_below(fabs(feet[3] / (rate * top[1]) - 1), 1e-5, "speed of the feet");
  assert_below(fabs(top[0]) + fabs(feet[1]), 1e-6, "on wall and floor");
  close_run(&r);
}

/* Until it meets the stop: (m + J (2 pi/p)^2) z'' = -m g. */
static void screw_press(void **state) {
  (void)state;
  run r;
  double guide[4], p = 0.12, R = 0.25, M = 4, time = 1.5;
  double J = 8 * 0.025 * 0.025 / 2 + 2 * (4 * R * R + 0.03 * 0.03) / 12 + 2 * M * (R * R + 0.4 * 0.05 * 0.05);
  double m = 8 + 2 + 2 * M, a = m * g / (m + J * pow(2 * PI / p, 2));
  open_run(&r, "models/screw-press.yaml", NULL);
  time = go_to(&r, time);
  read_output(&r, "guide", guide, 4);
  assert_below(fabs(guide[2] / (-a * time * time / 2) - 1), 1e-4, "travel %g m at %g s", guide[2], time);
  assert_below(fabs(guide[0] * p / (2 * PI) / guide[2] - 1), 1e-6, "a pitch for each turn");
  close_run(&r);
}

/* tan(x2/2) = -(1-e)/(1+e) tan(x1/2), and the slopes of that. The gears touch on the line of their shafts. */
static void elliptic_gears(void **state) {
  (void)state;
  run r;
  double e = 0.5;
  open_run(&r, "models/elliptic-gears.yaml", NULL);
  for (int k = 1; k <= 16; k++) {
    double first[2], second[2];
    go_to(&r, 0.12 * k);
    read_output(&r, "first", first, 2);
    read_output(&r, "second", second, 2);
    double expected = -2 * atan((1 - e) / (1 + e) * tan(first[0] / 2));
    assert_below(fabs(sin((second[0] - expected) / 2)), 1e-4, "angle %g of the second for %g", second[0], first[0]);
    /* r1 w1 = r2 w2 with r1 = a (1-e^2)/(1 + e cos x1), r1 + r2 = 2 a */
    double r1 = (1 - e * e) / (1 + e * cos(first[0]));
    assert_below(fabs(second[1] + first[1] * r1 / (2 - r1)), 1e-3 * first[1], "speed of the second");
  }
  close_run(&r);
}

/* The level tray keeps its edge at the height of its center; without its joint it would not. */
static void level_tray(void **state) {
  (void)state;
  run r;
  double center[6], edge[6], moved = 0;
  open_run(&r, "models/level-tray.yaml", NULL);
  for (int k = 1; k <= 5; k++) {
    go_to(&r, 0.2 * k);
    read_output(&r, "tray", center, 6);
    read_output(&r, "edge", edge, 6);
    assert_below(fabs(edge[1] - center[1]), 1e-5, "the tray is level");
    moved = fmax(moved, fabs(center[1]));
  }
  assert_true(moved > 0.5);
  close_run(&r);
}

/* Statics: 11 q L^4/(120 EI) of the triangular load. Then resonance: with the damping ratio z = 0.01 the amplitude grows to
 * (static amplitude of the first mode) (1 - exp(-z w t))/(2 z); the first mode has 0.98 of the deflection. */
static void mast(void **state) {
  (void)state;
  run r;
  double top[6], L = 12, E = 7e10, q = 300, radius = 0.08, share = 0.15, most = 0;
  double EI = E * PI / 4 * pow(radius, 4),
         w = 1.875104 * 1.875104 * sqrt(EI / (2700 * PI * radius * radius * pow(L, 4)));
  double steady = 11 * q * pow(L, 4) / (120 * EI);
  open_run(&r, "models/mast-in-gusts.yaml", NULL);
  while (r.simulation->stage == 0)
    if (sn_step(r.simulation)) fail_msg("%s", sn_message(r.context));
  read_output(&r, "top", top, 6);
  assert_below(fabs(top[0] / steady - 1), 2e-3, "deflection %g m by the steady wind, theory %g m", top[0], steady);
  while (!sn_all_finished(r.simulation)) {
    if (sn_step(r.simulation)) fail_msg("%s", sn_message(r.context));
    read_output(&r, "top", top, 6);
    if (sn_time(r.simulation) > 20 - 2 * PI / w) most = fmax(most, fabs(top[0] - steady));
  }
  double theory = share * steady * (1 - exp(-0.01 * w * 20)) / (2 * 0.01);
  assert_below(fabs(most / theory - 1), 0.05, "amplitude %g m after 20 s, theory %g m", most, theory);
  close_run(&r);
}

/* Only the spring acts: the center of mass goes straight on, the angular momentum stays. */
static void air_table(void **state) {
  (void)state;
  run r;
  double a[6], b[6], first[6];
  open_run(&r, "models/air-table.yaml", NULL);
  sn_system_momentum(r.simulation->system, &r.simulation->state, first);
  double time = go_to(&r, 3), last[6];
  read_output(&r, "a", a, 6);
  read_output(&r, "b", b, 6);
  sn_system_momentum(r.simulation->system, &r.simulation->state, last);
  assert_below(fabs(a[0] + b[0] - 0.3) + fabs(a[1] + b[1] - time), 1e-4, "center of mass at %g s", time);
  assert_below(fabs(a[2]) + fabs(b[2]), 1e-6, "on the table");
  assert_below(fabs(last[5] / first[5] - 1), 1e-4, "angular momentum");
  assert_true(hypot(a[0] - b[0], a[1] - b[1]) > 0.1 && hypot(a[0], a[1]) > 1); /* apart, and far from where it rested */
  close_run(&r);
}

/* Second method: x'' by the force of a spring between the pin and the mass, by small steps of fourth order. The band adds a
 * third of its mass to the inertia and half of it to the weight. */
static void spring_rate(const double y[4], double rate[4]) {
  const double M = 1, band = 1e-3, k = 3 * g, inertia = M + band / 3, weight = (M + band / 2) * g;
  double l = hypot(y[0], y[1]), pull = k * (l - 1) / l;
  rate[0] = y[2], rate[1] = y[3];
  rate[2] = -pull * y[0] / inertia, rate[3] = (-pull * y[1] - weight) / inertia;
}

static void runge_kutta(double y[4], double h) {
  static const double at[4] = {0, 0.5, 0.5, 1}, share[4] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
  double k[4] = {0}, sum[4] = {0}, trial[4];
  for (int stage = 0; stage < 4; stage++) {
    for (int i = 0; i < 4; i++) trial[i] = y[i] + at[stage] * h * k[i];
    spring_rate(trial, k);
    for (int i = 0; i < 4; i++) sum[i] += share[stage] * h * k[i];
  }
  for (int i = 0; i < 4; i++) y[i] += sum[i];
}

static void swinging_spring(void **state) {
  (void)state;
  run r;
  double mass[6], y[4] = {sin(0.05), -cos(0.05), 0, 0}, swing = 0;
  open_run(&r, "models/swinging-spring.yaml", NULL);
  double time = go_to(&r, 12);
  const int steps = 20000;
  for (int i = 0; i < steps; i++) {
    runge_kutta(y, time / steps);
    swing = fmax(swing, fabs(y[0]));
  }
  read_output(&r, "mass", mass, 6);
  assert_below(hypot(mass[0] - y[0], mass[1] - y[1]), 2e-3, "mass at %g s: %g, %g", time, mass[0], mass[1]);
  assert_true(swing > 0.6); /* ten times as far as it was released */
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_has_a_model),
      cmocka_unit_test(every_model_has_a_picture),
      cmocka_unit_test(ladder),
      cmocka_unit_test(screw_press),
      cmocka_unit_test(elliptic_gears),
      cmocka_unit_test(level_tray),
      cmocka_unit_test(mast),
      cmocka_unit_test(air_table),
      cmocka_unit_test(swinging_spring),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
