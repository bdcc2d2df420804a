/* test_laws.c - every contact law of laws.def: its functions are the derivatives they say they are. */
#include <math.h>

#include "contact/law.h"
#include "support.h"

static const double exponents[] = {1, 1.3, 1.5, 2.5};

/* Of the law by a formula, which has its expression in the spec. */
static sn_contact_spec spec;

static sn_law example(const sn_law_ops *ops, double exponent) {
  return (sn_law){.spec = &spec.spec,
                  .ops = ops,
                  .dvi = ops->impulsive,
                  .exponent = exponent,
                  .damping = 0.7,
                  .slip = 0.01,
                  .friction = 1};
}

/* Central differences of second order, h chosen for an error of about 1e-9. */
static double slope_of(double (*f)(const sn_law *law, double K, double d), const sn_law *law, double K, double d) {
  double h = 1e-5 * d;
  return (f(law, K, d + h) - f(law, K, d - h)) / (2 * h);
}

/* U' = F, F' = slope; nothing at no depth; in proportion to K. */
static void test_springs(void **state) {
  (void)state;
  for (int k = 0; k < SN_LAWS; k++) {
    const sn_law_ops *ops = sn_laws[k];
    assert_true(ops->impulsive || (ops->energy && ops->force && ops->slope && ops->damp && ops->friction));
    for (size_t e = 0; !ops->impulsive && e < SN_COUNT(exponents); e++)
      for (double d = 1e-6; d < 0.1; d *= 7) {
        const sn_law law = example(ops, exponents[e]);
        double F = ops->force(&law, 1e5, d), slope = ops->slope(&law, 1e5, d);
        assert_below(fabs(slope_of(ops->energy, &law, 1e5, d) / F - 1), 1e-7, "%s: U' at %g", ops->name, d);
        assert_below(fabs(slope_of(ops->force, &law, 1e5, d) / slope - 1), 1e-7, "%s: F' at %g", ops->name, d);
        assert_below(fabs(ops->force(&law, 3e5, d) / F - 3), 1e-12, "%s: K", ops->name);
        assert_below(fabs(ops->energy(&law, 1e5, 0)), 1e-300, "%s: U(0)", ops->name);
      }
  }
}

static sn_press press(const sn_law *law, double d, double rate) {
  sn_press p = {.F0 = sn_press_force(law, 1e5, d), .F_d = sn_press_slope(law, 1e5, d)};
  p.F = p.F0, p.d = d, p.K = 1e5;
  law->ops->damp(law, rate, &p);
  return p;
}

/* F, F_d and F_r agree, also where a fast rebound leaves no force; surfaces never pull. */
static void test_damping(void **state) {
  (void)state;
  const double d = 1e-3, h = 1e-7;
  for (int k = 0; k < SN_LAWS; k++)
    for (double rate = -3.05; !sn_laws[k]->impulsive && rate < 3; rate += 0.3) {
      const sn_law law = example(sn_laws[k], 1.5);
      sn_press p = press(&law, d, rate);
      double F_d = (press(&law, d * (1 + h), rate).F - press(&law, d * (1 - h), rate).F) / (2 * d * h);
      double F_r = (press(&law, d, rate + h).F - press(&law, d, rate - h).F) / (2 * h);
      assert_true(p.F >= 0);
      assert_below(fabs(p.F_d - F_d), 1e-6 * sn_press_slope(&law, 1e5, d), "%s: F_d at rate %g", law.ops->name, rate);
      assert_below(fabs(p.F_r - F_r), 1e-6 * p.F0, "%s: F_r at rate %g", law.ops->name, rate);
    }
}

/* g' ; and friction never exceeds mu F: g s <= 1, all of it at high speeds. */
static void test_friction(void **state) {
  (void)state;
  for (int k = 0; k < SN_LAWS; k++)
    for (double s = 1.3e-5; !sn_laws[k]->impulsive && s < 10; s *= 3) {
      const sn_law law = example(sn_laws[k], 1.5);
      double g, g_s, high, low, unused, h = 1e-5 * s;
      law.ops->friction(&law, s, &g, &g_s);
      law.ops->friction(&law, s + h, &high, &unused);
      law.ops->friction(&law, s - h, &low, &unused);
      assert_below(fabs((high - low) / (2 * h) / g_s - 1), 1e-6, "%s: g' at %g", law.ops->name, s);
      assert_below(g * s - 1, 1e-12, "%s: friction at %g", law.ops->name, s);
      if (s > 1) assert_below(1 - g * s, 1e-12, "%s: full friction at %g", law.ops->name, s);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_springs), cmocka_unit_test(test_damping),
                                     cmocka_unit_test(test_friction)};
  sn_arena arena = {0};
  static const char *const names[] = {"depth", "rate"};
  static const char text[] = "depth^1.5*(1 + 0.7*rate) + 0.2*depth^2.2";
  sn_scope scope = {.variables = names, .variable_count = 2};
  sn_expr_error error;
  spec.force = sn_expr_compile(&arena, text, strlen(text), &scope, &error);
  int failed = spec.force ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
  sn_arena_free(&arena);
  return failed;
}
