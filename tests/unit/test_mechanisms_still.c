/* test_mechanisms_still.c - random mechanisms at rest: equilibria, natural frequencies, starts.
 *
 * Equilibria against the balance of forces taken from another system and least squares for the reactions; stability
 * against the energy beside them; frequencies against the motion of a small disturbance by another analysis; starts
 * against the constraints themselves.
 */
#include "analysis/modes.h"
#include "mechanism.h"
#include "support.h"

/* Springs and dampers on all bodies, so that every mechanism has an equilibrium to find. */
static const mechanism_options held = {.damping = 1};
static const family still[] = {CHAIN, BRANCHED, SPACE_LOOP, REPEATED, SOFT};

static void open_with(run *r, sn_arena *arena, family kind, uint64_t seed, const mechanism_options *options,
                      const char *analysis) {
  open_run(r, sn_format(arena, "%sanalysis: %s\n", mechanism_text(arena, kind, seed, options), analysis), NULL);
}

/* ---- equilibria ---- */

/* With velocities and accelerations 0, forces and reactions leave nothing: accelerations of the state at rest, found
 * with the mass matrix and the constraints, which statics does not use, are 0 beside those without springs. */
static void check_balance(run *r, family kind, uint64_t seed) {
  sn_simulation *s = r->simulation;
  sn_system *sys = s->audit;
  sn_state x;
  sn_state_create(sys, &x);
  sn_state_copy(sys, &x, &s->state);
  memset(x.v, 0, (size_t)sys->n * sizeof(double));
  double largest_position = 0;
  sn_system_position(sys, &x, s->scratch);
  for (int i = 0; i < sys->m; i++) largest_position = fmax(largest_position, fabs(s->scratch[i]));
  assert_below(largest_position, 1e-8, "joints of %s %d at rest", family_names[kind], (int)seed);
  assert_int_equal(sn_solve_accelerations(sys, &x), SN_OK);
  assert_below(largest(x.a, sys->n), 1e-4, "accelerations of %s %d at rest", family_names[kind], (int)seed);
}

static double potential(sn_simulation *s, const sn_state *x) {
  sn_energy e;
  sn_system_energy(s->audit, x, &e);
  return e.strain + e.gravity + e.spring;
}

/* Beside a stable equilibrium, along the constraints, the energy is not smaller. */
static void check_minimum(run *r, family kind, uint64_t seed) {
  sn_simulation *s = r->simulation;
  sn_system *sys = s->audit;
  uint64_t state = seed + 1;
  sn_state x;
  sn_state_create(sys, &x);
  const double here = potential(s, &s->state);
  for (int k = 0; k < 6; k++) {
    sn_start start = {0};
    sn_state_copy(sys, &x, &s->state);
    for (int i = 0; i < sys->n; i++) x.q[i] += 1e-4 * noise(&state);
    if (sn_make_consistent_from(sys, &x, &start)) continue;
    assert_below(here - potential(s, &x), 1e-9 * fmax(1, fabs(here)), "energy beside the rest of %s %d",
                 family_names[kind], (int)seed);
  }
}

static void test_equilibria(void **state) {
  int found = 0;
  (void)state;
  for (size_t k = 0; k < SN_COUNT(still); k++)
    for (uint64_t seed = 400; seed < 405; seed++) {
      sn_arena arena = {0};
      run r;
      open_with(&r, &arena, still[k], seed, &held, "{type: statics}");
      sn_status status = sn_run(r.simulation);
      if (status == SN_OK) {
        check_balance(&r, still[k], seed);
        if (r.simulation->doubts.level == SN_GOOD) check_minimum(&r, still[k], seed);
        found++;
      } else if (!sn_message(r.context)[0]) {
        fail_msg("%s %d: no equilibrium, and no word", family_names[still[k]], (int)seed);
      }
      close_run(&r);
      sn_arena_free(&arena);
    }
  assert_true(found > 15);
}

/* ---- frequencies ---- */

/* A body at rest beside its equilibrium by e u, u the shape of a mode, goes back with -w^2 e u: accelerations come from
 * the equations of motion, not from a stiffness matrix, and central differences leave e^2. (The constraints are off by
 * e^2 on both sides.) */
static void check_mode(sn_simulation *s, const sn_modes *modes, int mode, const char *name, uint64_t seed) {
  sn_system *sys = s->audit;
  const double *u = modes->shape + (size_t)mode * (size_t)sys->n;
  const double w2 = modes->w2[mode], e = 3e-6 / fmax(1e-3, largest(u, sys->n));
  double *a[2], off = 0, size = 0;
  for (int side = 0; side < 2; side++) {
    sn_state x;
    sn_state_create(sys, &x);
    sn_state_copy(sys, &x, &s->state);
    for (int i = 0; i < sys->n; i++) x.q[i] += (side ? -e : e) * u[i];
    memset(x.v, 0, (size_t)sys->n * sizeof(double));
    assert_int_equal(sn_solve_accelerations(sys, &x), SN_OK);
    a[side] = x.a;
  }
  for (int i = 0; i < sys->n; i++) {
    off = fmax(off, fabs((a[0][i] - a[1][i]) / (2 * e) + w2 * u[i]));
    size = fmax(size, fabs(w2 * u[i]));
  }
  assert_below(off, 1e-3 * size + 1e-3 * largest(u, sys->n), "mode %d of %s %d, %g Hz", mode, name, (int)seed,
               sn_mode_frequency(modes, mode));
}

static void test_modes(void **state) {
  int seen = 0;
  (void)state;
  for (size_t k = 0; k < SN_COUNT(still); k++)
    for (uint64_t seed = 400; seed < 403; seed++) {
      sn_arena arena = {0};
      run r;
      open_with(&r, &arena, still[k], seed, &held, "[statics, {type: modes, count: 4}]");
      if (sn_run(r.simulation) == SN_OK)
        for (int i = 0; i < r.simulation->modes->count; i++, seen++)
          check_mode(r.simulation, r.simulation->modes, i, family_names[still[k]], seed);
      close_run(&r);
      sn_arena_free(&arena);
    }
  assert_true(seen > 20);
}

/* Nothing holds what flies: six motions without frequency, and whatever its joints leave free. */
static void test_rigid_modes(void **state) {
  (void)state;
  for (uint64_t seed = 400; seed < 404; seed++) {
    sn_arena arena = {0};
    run r;
    open_with(&r, &arena, FLYING, seed, NULL, "{type: modes, count: 30}");
    assert_int_equal(sn_run(r.simulation), SN_OK);
    if (r.simulation->modes->rigid < 6) fail_msg("flying %d has %d rigid modes", (int)seed, r.simulation->modes->rigid);
    close_run(&r);
    sn_arena_free(&arena);
  }
}

/* ---- starts ---- */

/* Mechanisms are written where their joints are met: positions stay, constraints hold at all levels. */
static void test_starts(void **state) {
  (void)state;
  for (int kind = 0; kind < FAMILIES; kind++)
    for (uint64_t seed = 500; seed < 506; seed++) {
      sn_arena arena = {0};
      run r;
      open_with(&r, &arena, (family)kind, seed, NULL, "{type: dynamics, duration: 1, companion: false}");
      sn_simulation *s = r.simulation;
      void (*const level[])(sn_system *, const sn_state *, double *) = {sn_system_position, sn_system_velocity,
                                                                        sn_system_acceleration};
      for (int k = 0; k < 3; k++) {
        level[k](s->audit, &s->state, s->scratch);
        double size = k < 2 ? 1 : fmax(1, largest(s->state.a, s->audit->n));
        assert_below(largest(s->scratch, s->audit->m), 1e-8 * size, "constraints of %s %d at the start, level %d",
                     family_names[kind], (int)seed, k);
      }
      assert_below(s->start.position_change, 1e-9, "the start of %s %d", family_names[kind], (int)seed);
      close_run(&r);
      sn_arena_free(&arena);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_equilibria), cmocka_unit_test(test_modes),
                                     cmocka_unit_test(test_rigid_modes), cmocka_unit_test(test_starts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
