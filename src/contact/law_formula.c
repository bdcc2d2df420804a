/* law_formula.c - contact by a formula of the depth d and its rate: F = f(d, d') >= 0, regularized Coulomb friction.
 *
 *   U = int_0^d f(s, 0) ds,   with s = d u^2:   U = 2 d int_0^1 f(d u^2, 0) u du
 *
 * by Gauss' rule in u, which is exact for powers of s up to 15 in steps of 1/2; the rest of f's work is damping. */
#include "contact/law.h"

static const char *const formula_keys[] = {"force", "slip", NULL};

enum { DEPTH, RATE, LOCALS };

static const sn_expr *formula_of(const sn_law *law) {
  return ((const sn_contact_spec *)(const void *)law->spec)->force;
}

/* f and its derivatives. */
static double evaluate(const sn_law *law, double d, double rate, double gradient[LOCALS]) {
  const double x[LOCALS] = {d, rate};
  return sn_expr_gradient(formula_of(law), 0, LOCALS, x, gradient);
}

static void formula_check(sn_reader *reader, const sn_contact_spec *s) {
  if (!sn_given(&s->spec, "force")) {
    sn_field_error(reader, &s->spec, NULL, "force: 1e6*depth^1.5*(1 + 0.1*rate)", "contact '%s' has no force",
                   s->spec.name);
    return;
  }
  if (!s->force) return; /* reported */
  if (sn_given(&s->spec, "restitution"))
    sn_field_error(reader, &s->spec, "restitution", "a force that depends on 'rate'",
                   "contact '%s' has a force and a restitution", s->spec.name);
  if (sn_expr_variables(s->force) > LOCALS || sn_expr_uses(s->force, -1))
    sn_field_error(reader, &s->spec, "force", "a formula of depth, rate and parameters",
                   "the force of contact '%s' depends on more than depth and rate", s->spec.name);
}

/* `exponent`: of the power that f is like at a hundredth of the smallest radius. */
static void formula_compile(const sn_surfaces *all, const sn_contact_spec *s, sn_law *law) {
  double g[LOCALS], d = 0.01 * (all->margin > 0 ? all->margin : 1);
  law->stiffness = 1; /* the part of f that a contact has */
  law->slip = s->slip;
  law->damping = sn_expr_uses(s->force, RATE) ? 1 : 0;
  double F = evaluate(law, d, 0, g), k = F > 0 ? d * g[DEPTH] / F : 1;
  law->exponent = k >= 1 ? fmin(k, 10) : 1;
}

static double formula_force(const sn_law *law, double K, double d) {
  double g[LOCALS];
  return K * fmax(0, evaluate(law, d, 0, g));
}

static double formula_slope(const sn_law *law, double K, double d) {
  double g[LOCALS];
  return evaluate(law, d, 0, g) > 0 ? K * g[DEPTH] : 0;
}

static double formula_energy(const sn_law *law, double K, double d) {
  static const double at[] = {0.0052995325041750307, 0.0277124884633837,  0.067184398806084122, 0.1222977958224985,
                              0.19106187779867811,   0.27099161117138632, 0.35919822461037054,  0.45249374508118129};
  static const double weight[] = {0.013576229705877029, 0.031126761969323888, 0.047579255841246448,
                                  0.062314485627766973, 0.07479799440828841,  0.084578259697501282,
                                  0.091301707522461806, 0.094725305227534237};
  double sum = 0;
  for (int k = 0; k < 16; k++) {
    double u = k < 8 ? at[k] : 1 - at[k - 8];
    sum += weight[k % 8] * u * formula_force(law, 1, d * u * u);
  }
  return 2 * K * d * sum;
}

static void formula_damp(const sn_law *law, double rate, sn_press *p) {
  double g[LOCALS], F = evaluate(law, p->d, rate, g);
  bool presses = F > 0;
  p->F = presses ? p->K * F : 0;
  p->F_d = presses ? p->K * g[DEPTH] : 0;
  p->F_r = presses ? p->K * g[RATE] : 0;
}

const sn_law_ops sn_law_formula = {
    .name = "formula",
    .keys = formula_keys,
    .check = formula_check,
    .compile = formula_compile,
    .energy = formula_energy,
    .force = formula_force,
    .slope = formula_slope,
    .damp = formula_damp,
    .friction = sn_regularized_coulomb,
};
