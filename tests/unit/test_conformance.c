/* test_conformance.c - what every kind must satisfy, whatever it is, for each model of cases.c.
 *
 *   tangent     each column of [cm M + cd D + ck K, G'; G, 0] against differences of residual and Phi
 *   levels      Phi' and Phi'' against differences of Phi and Phi' along q + v s + a s^2/2, t + s
 *   gradient    residual at rest = d(strain + gravity + spring + contact)/dq - applied forces, these from their power
 *   power       v.residual = d(all energy)/dt - all power, for any v on the velocity constraints and any a, l
 *   symmetric   the symmetric storage holds the symmetric part of the unsymmetric one
 *
 * Each is done at the start (a straight cable is where the curvature has its corner) and at a state away from it.
 */
#include "kinds/kinds.h"
#include "model/formula.h"
#include "support.h"

static const double TANGENT = 1e-7, LEVEL = 1e-10, GRADIENT = 1e-9, POWER = 1e-8, ROUNDING = 1e-15; /* relative */

/* ---- states ---- */

static void disturb(fixture *f, int which) {
  uint64_t seed = 7 + 1000 * (uint64_t)which;
  sn_state *s = &f->state;
  s->t = 0.37;
  if (which) add_noise(&seed, 0.04, s->q, f->model->n);
  add_noise(&seed, 1, s->v, f->model->n);
  add_noise(&seed, 5, s->a, f->model->n);
  add_noise(&seed, 2, s->l, f->model->m);
}

/* ---- tangent ---- */

static void residual(fixture *f, double *y) {
  sn_system_residual(f->system, &f->state, f->c[0], y);
}
static void position(fixture *f, double *y) {
  sn_system_position(f->system, &f->state, y);
}

static void velocity(fixture *f, double *y) {
  sn_system_velocity(f->system, &f->state, y);
}

/* Column j by differences, for the factors in f->c. The residual is linear in a and l: any step will do; but for
 * friction in joints, which depends on l. */
static void column(fixture *f, int j, double *y) {
  int n = f->model->n, m = f->model->m;
  double ci = f->c[0], cm = f->c[1], cd = f->c[2], ck = f->c[3], *part = calloc((size_t)n, sizeof(double));
  memset(y, 0, (size_t)(n + m) * sizeof(double));
  if (j >= n) {
    difference(f, residual, n, &f->state.l[j - n], f->model->reactive ? 1e-3 : 1, y);
  } else {
    double *x[3] = {&f->state.a[j], &f->state.v[j], &f->state.q[j]}, factor[3] = {cm, cd, ck}, h[3] = {1, 1e-3, 2e-6};
    for (int k = 0; k < 3; k++) {
      f->c[0] = k == 0 ? 1 : ci; /* M stands without ci */
      difference(f, residual, n, x[k], h[k], part);
      for (int i = 0; i < n; i++) y[i] += factor[k] * part[i];
    }
    if (m) difference(f, position, m, &f->state.q[j], 1e-3, y + n);
    if (f->model->nonholonomic > 0) { /* G of rows without a position level is the derivative of their velocity level */
      double *rate = calloc((size_t)m, sizeof(double));
      difference(f, velocity, m, &f->state.v[j], 1, rate);
      for (int i = 0; i < f->model->nonholonomic; i++)
        y[n + f->model->nonholonomic_row[i]] = rate[f->model->nonholonomic_row[i]];
      free(rate);
    }
  }
  free(part);
}

/* Errors are measured against the largest entry of the row: rows differ in size, and small
 * ones count too, down to what is left of rounding. */
static double tangent_error(fixture *f) {
  int rows = f->model->n + f->model->m;
  double *B = malloc((size_t)(rows * rows) * sizeof(double)), worst = 0, all = 0;
  sn_system_assemble(f->system, &f->state, f->c[0], f->c[1], f->c[2], f->c[3]);
  double *A = dense(sn_system_matrix(f->system));
  for (int j = 0; j < rows; j++) column(f, j, B + rows * j);
  all = largest(A, rows * rows);
  for (int i = 0; i < rows; i++) {
    double most = 0, error = 0;
    for (int j = 0; j < rows; j++) {
      most = fmax(most, fabs(A[i + rows * j]));
      error = fmax(error, fabs(A[i + rows * j] - B[i + rows * j]));
    }
    worst = fmax(worst, error / fmax(fmax(most, 1e-3 * all), 1e-2));
  }
  free(A);
  free(B);
  return worst;
}

static void check_tangent(fixture *f) {
  static const double factors[][4] = {{0.7, 1, 0, 0}, {0.7, 0, 1, 0}, {0.7, 0, 0, 1}, {1.3, 0.4, 0.5, 0.6}};
  static const char *const names[] = {"M", "D", "K", "cm M + cd D + ck K"};
  for (size_t k = 0; k < SN_COUNT(factors); k++) {
    memcpy(f->c, factors[k], sizeof f->c);
    assert_below(tangent_error(f), TANGENT, "%s against differences, relative", names[k]);
  }
}

/* ---- levels of the constraints ---- */

static void position_along(fixture *f, double *y) {
  move_along(f);
  sn_system_position(f->system, &f->state, y);
}

static void velocity_along(fixture *f, double *y) {
  move_along(f);
  sn_system_velocity(f->system, &f->state, y);
}

static void check_levels(fixture *f) {
  static const vector_function lower[2] = {position_along, velocity_along};
  static const char *const names[2] = {"Phi'", "Phi''"};
  void (*const level[2])(sn_system *, const sn_state *, double *) = {sn_system_velocity, sn_system_acceleration};
  int m = f->model->m;
  double *y = calloc((size_t)(2 * m + 1), sizeof(double)), *by_difference = y + m;
  take_base(f);
  for (int k = 0; k < 2 && m > 0; k++) {
    difference(f, lower[k], m, &f->s, 4e-3, by_difference);
    sn_state_copy(f->system, &f->state, &f->base);
    level[k](f->system, &f->state, y);
    for (int i = 0; k == 0 && i < f->model->nonholonomic; i++) y[f->model->nonholonomic_row[i]] = 0;
    assert_below(distance(y, by_difference, m) / fmax(1, largest(y, m)), LEVEL, "%s against differences", names[k]);
  }
  free(y);
}

/* ---- energy and power ---- */

static double stored(const sn_energy *e) {
  return e->strain + e->gravity + e->spring + e->contact;
}

static void potential(fixture *f, double *y) {
  sn_energy e;
  sn_system_energy(f->system, &f->state, &e);
  *y = stored(&e);
}

static void energy_along(fixture *f, double *y) {
  sn_energy e;
  move_along(f);
  sn_system_energy(f->system, &f->state, &e);
  *y = e.kinetic + stored(&e);
}

static void power_of_forces(fixture *f, double *y) {
  sn_power power;
  sn_system_power(f->system, &f->state, &power);
  *y = power.applied + power.damping;
}

static void check_gradient(fixture *f) {
  int n = f->model->n, m = f->model->m;
  sn_state *s = &f->state;
  double power;
  for (int i = 0; i < f->model->formulas; i++) /* forces that depend on velocities: the balance of power checks them */
    if (sn_expr_has_variables(f->model->formula[i]->f)) return;
  take_base(f);
  double *r = calloc((size_t)(2 * n), sizeof(double)), *expected = r + n;
  memset(s->v, 0, (size_t)n * sizeof(double));
  memset(s->a, 0, (size_t)n * sizeof(double));
  memset(s->l, 0, (size_t)m * sizeof(double));
  sn_system_residual(f->system, s, 1, r);
  for (int i = 0; i < n; i++) {
    difference(f, potential, 1, &s->q[i], 5e-5, &expected[i]);
    difference(f, power_of_forces, 1, &s->v[i], 1e-2, &power); /* Q.v: its derivative at rest is the force */
    expected[i] -= power;
  }
  assert_below(distance(r, expected, n) / largest(r, n), GRADIENT, "residual at rest against the energy gradient");
  sn_state_copy(f->system, s, &f->base);
  free(r);
}

/* v := the nearest velocity with G v + Phi_t = 0 */
static void project_velocity(fixture *f) {
  int n = f->model->n, m = f->model->m;
  double *x = calloc((size_t)(n + m), sizeof(double));
  assert_true(sn_system_factor(f->system, &f->state, 0, 1, 0, 0));
  sn_system_velocity(f->system, &f->state, x + n);
  for (int i = 0; i < m; i++) x[n + i] = -x[n + i];
  sn_system_solve_refined(f->system, x);
  for (int i = 0; i < n; i++) f->state.v[i] += x[i];
  free(x);
}

/* v.(M a - Q + G'l) = d(T + V)/dt - applied - damping + l.G v, and l.G v = -l.Phi_t = -driver */
static void check_power(fixture *f) {
  int n = f->model->n;
  double *r = calloc((size_t)n, sizeof(double)), rate;
  sn_power p;
  project_velocity(f);
  sn_system_residual(f->system, &f->state, 1, r);
  sn_system_power(f->system, &f->state, &p);
  for (int i = 0; i < f->model->variables; i++) /* no motion, no power */
    if (f->model->variable[i].differential) r[f->model->variable[i].index] = 0;
  double power = inner(f->state.v, r, n),
         size = fabs(power) + fabs(p.applied) + fabs(p.damping) + fabs(p.driver) + fabs(p.friction);
  take_base(f);
  difference(f, energy_along, 1, &f->s, 5e-5, &rate);
  sn_state_copy(f->system, &f->state, &f->base);
  size += fabs(rate);
  assert_below(fabs(power - rate + p.applied + p.damping + p.driver + p.friction) / size, POWER, "balance of power");
  assert_below(p.damping, 0, "power of dampers");
  assert_below(p.friction, 0, "power of friction");
  free(r);
}

/* ---- storage ---- */

static void check_symmetric(fixture *f, const char *text) {
  fixture g;
  open_fixture(&g, text, "ldl");
  sn_system_set_load(g.system, sn_system_load(f->system));
  int rows = f->model->n + f->model->m;
  sn_system_assemble(f->system, &f->state, 1.3, 0.4, 0.5, 0.6);
  sn_system_assemble(g.system, &f->state, 1.3, 0.4, 0.5, 0.6);
  double *A = dense(sn_system_matrix(f->system)), *B = dense(sn_system_matrix(g.system)), worst = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++)
      worst = fmax(worst, fabs(0.5 * (A[i + rows * j] + A[j + rows * i]) - B[i + rows * j]));
  assert_below(worst / largest(A, rows * rows), ROUNDING, "symmetric storage against the symmetric part");
  free(A);
  free(B);
  close_fixture(&g);
}

/* ---- all of it for each case ---- */

static void test_case(void **state) {
  const sn_case *it = *state;
  char *text = case_text(it);
  for (int which = 0; which < 2; which++) {
    fixture f;
    open_fixture(&f, text, "klu");
    disturb(&f, which);
    if (which) sn_system_set_load(f.system, 0.7); /* as statics does: gravity and applied forces, nothing else */
    check_tangent(&f);
    check_levels(&f);
    check_gradient(&f);
    check_power(&f);
    check_symmetric(&f, text);
    close_fixture(&f);
  }
  free(text);
}

/* A kind without a line in cases.c is a kind without these tests. */
static void test_every_kind_has_a_case(void **state) {
  (void)state;
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++) {
    char pattern[64];
    bool found = strcmp((*kind)->name, "ground") == 0; /* named in joints, not written as a body */
    if ((*kind)->category != SN_BODIES && (*kind)->category != SN_JOINTS && (*kind)->category != SN_FORCES) continue;
    snprintf(pattern, sizeof pattern, "type: %s,", (*kind)->name);
    for (int i = 0; i < sn_case_count; i++) found |= strstr(sn_model_cases[i].text, pattern) != NULL;
    if (!found) fail_msg("kind '%s' has no line in cases.c", (*kind)->name);
  }
}

int main(void) {
  struct CMUnitTest *tests = calloc((size_t)sn_case_count + 1, sizeof *tests);
  tests[0] = (struct CMUnitTest)cmocka_unit_test(test_every_kind_has_a_case);
  for (int i = 0; i < sn_case_count; i++) {
    /* cmocka hands out states that may be written to; these are only read */
    void *it = (void *)(uintptr_t)&sn_model_cases[i];
    tests[i + 1] = (struct CMUnitTest){.name = sn_model_cases[i].name, .test_func = test_case, .initial_state = it};
  }
  int failed = _cmocka_run_group_tests("conformance", tests, (size_t)sn_case_count + 1, NULL, NULL);
  free(tests);
  return failed;
}
