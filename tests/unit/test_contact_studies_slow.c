/* test_contact_studies_slow.c - the contact studies of Khude's thesis in short (studies/khude-* have them in full), and
 * two plates that slide on each other against closed forms. */
#include "contact/set.h"
#include "support.h"

static double value(run *r, const char *name, int column) {
  double all[16];
  assert_true(sn_read(r->simulation, name, all, 16) > (size_t)column);
  return all[column];
}

/* A model file with parameters "a=1 b=2 ...". */
static void open_with(run *r, const char *model, const char *parameters, const sn_options *options) {
  char text[200];
  const char *sets[12];
  size_t count = 0;
  assert_true(strlen(parameters) < sizeof text);
  strcpy(text, parameters);
  for (char *p = strtok(text, " "); p; p = strtok(NULL, " ")) sets[count++] = p;
  *r = (run){.context = sn_context_create()};
  if (sn_model_load(r->context, model, sets, count, &r->model)) fail_msg("%s", sn_message(r->context));
  if (sn_simulation_create(r->model, options, &r->simulation)) fail_msg("%s", sn_message(r->context));
}

/* ---- C1: elements and spheres ---- */

enum { ROWS = 30 }; /* of the tip, every 0.02 s until 0.6 s */

static void tip_of_peg(const char *method, int elements, int spheres, double tip[ROWS][2]) {
  run r;
  char parameters[100];
  snprintf(parameters, sizeof parameters, "method=%s n=%d spheres=%d h=2e-5", method, elements, spheres);
  open_with(&r, "models/pendulum-peg.yaml", parameters, NULL);
  for (int k = 0; k < ROWS; k++) {
    advance(&r, 0.02 * (k + 1));
    for (int a = 0; a < 2; a++) tip[k][a] = value(&r, "tip", a);
  }
  close_run(&r);
}

static double apart(double a[ROWS][2], double b[ROWS][2]) {
  double far = 0;
  for (int k = 0; k < ROWS; k++) far = fmax(far, hypot(a[k][0] - b[k][0], a[k][1] - b[k][1]));
  return far;
}

/* Errors, measured at the finest, fall as elements and spheres are added (figures 40 and 41): by half or more each
 * time. With 24 elements the two methods, which share no more than the detection, agree to a hundredth of the way of
 * the tip. */
static void elements_and_spheres(void **state) {
  (void)state;
  static const char *const methods[] = {"penalty", "dvi"};
  double fine[2][ROWS][2], tip[ROWS][2];
  for (int m = 0; m < 2; m++) {
    double before = 1;
    tip_of_peg(methods[m], 24, 101, fine[m]);
    for (int n = 2; n <= 16; n *= 2) {
      tip_of_peg(methods[m], n, 101, tip);
      double away = apart(tip, fine[m]);
      assert_below(away, before / (n > 2 ? 1.9 : 1), "%s: %d elements", methods[m], n);
      before = away;
    }
    assert_below(before, 0.01, "%s: 16 elements", methods[m]);
    double finest[ROWS][2];
    before = 1;
    tip_of_peg(methods[m], 8, 801, finest);
    for (int s = 51; s <= 201; s += s - 1) {
      tip_of_peg(methods[m], 8, s, tip);
      double away = apart(tip, finest);
      assert_below(away, before / 2, "%s: %d spheres", methods[m], s);
      before = away;
    }
    assert_below(before, 0.005, "%s: 201 spheres", methods[m]);
  }
  assert_below(apart(fine[0], fine[1]), 0.01, "penalty and DVI, 24 elements");
}

/* ---- C4: steps, and how long the methods agree ---- */

/* Table 5 at a step of 1e-3 s: DVI is stable, and loses energy as impacts without rebound must. Penalty is not, with
 * springs as stiff as hard plastic. */
static void long_steps(void **state) {
  (void)state;
  static const char common[] = "n=5 spheres=100 yc=-0.1 mu=0.1 h=1e-3";
  char parameters[100];
  run r;
  snprintf(parameters, sizeof parameters, "%s method=dvi", common);
  open_with(&r, "models/pendulum-peg.yaml", parameters, NULL);
  advance(&r, 2);
  assert_below(fabs(value(&r, "energy", SN_E_ERROR)), 0.03 * 7.7, "balance of energy");
  assert_below(value(&r, "energy", SN_E_TOTAL), -1, "energy left of 0 J");
  assert_below(fabs(value(&r, "tip", 2)), 1e-9, "the motion is plane");
  close_run(&r);
  snprintf(parameters, sizeof parameters, "%s Ec=2e9", common);
  open_with(&r, "models/pendulum-peg.yaml", parameters, NULL);
  assert_int_equal(sn_advance(r.simulation, 2), SN_NUMERICS);
  close_run(&r);
}

/* Figures 61 and 62: the tips are within 1 cm of each other for 0.8 s, 0.67 s of them in contact. */
static void methods_agree(void **state) {
  (void)state;
  run penalty, dvi;
  double far = 0;
  open_with(&penalty, "models/pendulum-peg.yaml", "n=8 spheres=100 yc=-0.1 mu=0.1", NULL);
  open_with(&dvi, "models/pendulum-peg.yaml", "n=8 spheres=100 yc=-0.1 mu=0.1 method=dvi", NULL);
  for (int k = 1; k <= 80; k++) {
    advance(&penalty, 0.01 * k);
    advance(&dvi, 0.01 * k);
    far = fmax(far, hypot(value(&penalty, "tip", 0) - value(&dvi, "tip", 0),
                          value(&penalty, "tip", 1) - value(&dvi, "tip", 1)));
  }
  assert_below(far, 0.01, "distance of the tips");
  close_run(&penalty);
  close_run(&dvi);
}

/* ---- C2: table 3 ---- */

/* The first contact is at 0.5358 s, computed independently, whatever the spheres: the tips have one each. Tips at 0.55
 * s differ from those with 200 spheres by no more than 1.5 times what the thesis has for E = 2e8, in x and in y. */
static void spheres_of_beams(void **state) {
  (void)state;
  static const int spheres[] = {200, 100, 25};
  static const double thesis[][2] = {{0, 0}, {0.001183, 7.1951e-5}, {0.004286, 3.0288e-4}};
  for (int stiff = 0; stiff < 2; stiff++) {
    double tip[3][2];
    for (int k = 0; k < 3; k++) {
      run r;
      char parameters[100];
      snprintf(parameters, sizeof parameters, "n=12 spheres=%d E=%s", spheres[k], stiff ? "2e9" : "2e8");
      open_with(&r, "models/two-beams.yaml", parameters, NULL);
      advance(&r, stiff ? 0.52 : 0.53);
      while (r.simulation->system->contacts->count == 0 && sn_time(r.simulation) < 0.54)
        assert_int_equal(sn_step(r.simulation), SN_OK);
      if (!stiff) assert_below(fabs(sn_time(r.simulation) - 0.5358), 1e-4, "first contact, %d spheres", spheres[k]);
      advance(&r, 0.55);
      for (int a = 0; a < 2; a++) {
        tip[k][a] = value(&r, "left", a);
        assert_true(fabs(tip[k][a] - tip[0][a]) <= 1.5 * thesis[k][a]);
      }
      close_run(&r);
    }
  }
}

/* ---- C3 ---- */

/* 1 to 8 elements run to the end with their energy balanced. Three and more get around the peg, which is at x = 1: the
 * weight passes to the left of the pin and comes back above the peg. The two finest agree. */
static void elements_wrap(void **state) {
  (void)state;
  double left[9];
  for (int n = 1; n <= 8; n++) {
    run r;
    char parameters[100];
    snprintf(parameters, sizeof parameters, "n=%d method=dvi h=5e-5", n);
    open_with(&r, "models/wrap.yaml", parameters, NULL);
    left[n] = 3;
    for (int k = 1; k <= 150; k++) {
      advance(&r, 0.01 * k);
      left[n] = fmin(left[n], value(&r, "tip", 0));
    }
    assert_below(fabs(value(&r, "energy", SN_E_ERROR)), 0.005 * 190, "%d elements: balance of energy", n);
    if (n > 2) assert_true(left[n] < 0 && value(&r, "tip", 1) > -1.5 && value(&r, "tip", 0) > 0);
    close_run(&r);
  }
  assert_below(fabs(left[8] - left[7]), 0.05, "7 and 8 elements");
}

/* ---- plates ---- */

/* The sheet (0.8 kg) drags the table (3.6 kg) over the ice. Momentum is kept; both end at v m1/(m1 + m2). What friction
 * and damping took is what kinetic energy lost: m v^2/2 with the reduced mass, and 5 % of it for settling. The table
 * carries the weight of the sheet on average, the ice that of both. Returns how far they slid on each other. */
static double slide(const char *parameters) {
  const double m1 = 0.8, m2 = 3.6, g = 9.81;
  const double end = m1 / (m1 + m2), loss = m1 * m2 / (m1 + m2) / 2;
  run r;
  double sheet = 0, both = 0;
  open_with(&r, "models/two-plates.yaml", parameters, NULL);
  double slid = -(value(&r, "sheet", 0) - value(&r, "table", 0));
  const int samples = 400;
  for (int k = 1; k <= samples; k++) {
    advance(&r, 1e-3 * k);
    sheet += value(&r, "touch", 2) / samples;
    both += value(&r, "floor", 2) / samples;
    assert_below(fabs(value(&r, "energy", SN_E_ERROR)), 0.005 * 0.4, "balance of energy");
  }
  slid += value(&r, "sheet", 0) - value(&r, "table", 0);
  assert_below(fabs(value(&r, "sheet", 3) - end), 0.01 * end, "speed of the sheet");
  assert_below(fabs(value(&r, "table", 3) - end), 0.01 * end, "speed of the table");
  assert_below(fabs(sheet - m1 * g), 0.01 * m1 * g, "mean force on the sheet");
  assert_below(fabs(both - (m1 + m2) * g), 0.01 * (m1 + m2) * g, "mean force of the ice");
  double lost = value(&r, "energy", SN_E_FRICTION) + value(&r, "energy", SN_E_DAMPING);
  assert_below(fabs(lost + loss), 0.05 * loss, "energy lost");
  close_run(&r);
  return slid;
}

/* Smooth plates slide v^2/(2 mu g (1 + m1/m2)) on each other, whatever the distance of their spheres. Spheres against
 * spheres have bumps that add to friction. */
static void plates_slide(void **state) {
  (void)state;
  const double way = 1 / (2 * 0.3 * 9.81 * (1 + 0.8 / 3.6));
  double coarse = slide("s=0.05") / way, fine = slide("s=0.01") / way,
         bumpy = slide("s=0.014 exact=false h=5e-5") / way;
  print_message("slides %.5f, %.5f of what smooth plates do; with bumps %.3f\n", coarse, fine, bumpy);
  assert_below(fabs(fine - 1), 2e-3, "spheres as far apart as their radius");
  assert_below(fabs(coarse - 1), 2e-3, "spheres five times as far apart");
  assert_below(bumpy, 0.9, "bumps are felt");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(elements_and_spheres), cmocka_unit_test(long_steps),
                                     cmocka_unit_test(methods_agree),        cmocka_unit_test(spheres_of_beams),
                                     cmocka_unit_test(elements_wrap),        cmocka_unit_test(plates_slide)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
