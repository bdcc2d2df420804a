/* gssss_family.c - the members of U0 and V0; see gssss_family.h. Huang, eqs 2.4 and 2.5, table 2.1.
 *
 * With a = rho_min, b = rho_max, s = rho_s, P = (1 + a)(1 + b), N = 3 + a + b - a b:
 *         l3            l5           W1 = L1 = L4    L2              L3            L5
 *   U0    1/P           N/(2 P)      1/(1 + s)       1/(2 (1 + s))   1/(P (1+s))   N/(2 P (1 + s))
 *   V0    1/(2 (1+s))   1/(1 + s)    N/(2 P)         1/P             1/(P (1+s))   2/(P (1 + s))
 *   both: L6 = (2 + a + b + s - a b s)/(P (1 + s))
 * The two are dual: the formulas of the state do not depend on s in U0, and not on a and b in V0.
 *
 * Noise. In directions fixed by constraints (q1 = q0, or v1 = v0, or a* = 0 in the formulas), a1 follows a recursion:
 *   index 3:  l3 z^2 + (1/2 + l5) z + 1 = 0, z = root - 1:   U0: -a and -b;   V0: -1 and -s
 *   index 2:  1 - 1/l5
 *   index 1:  1 - 1/(1 + shift)
 * A double root of -1, as of U0(1, 1, s) and V0(1, 1, 1) at index 3, makes noise grow with the number of steps.
 */
#include "integrator/gssss_family.h"

static sn_gssss_family make(sn_gssss_names name, double a, double b, double s) {
  double P = (1 + a) * (1 + b), N = 3 + a + b - a * b;
  sn_gssss_family f = {.name = name, .rho = {a, b, s}, .L3 = 1 / (P * (1 + s))};
  f.L6 = (2 + a + b + s - a * b * s) / (P * (1 + s));
  if (name == SN_U0) {
    f.l3 = 1 / P;
    f.l5 = N / (2 * P);
    f.W1 = 1 / (1 + s);
    f.L2 = 1 / (2 * (1 + s));
    f.L5 = N / (2 * P * (1 + s));
  } else {
    f.l3 = 1 / (2 * (1 + s));
    f.l5 = 1 / (1 + s);
    f.W1 = N / (2 * P);
    f.L2 = 1 / P;
    f.L5 = 2 / (P * (1 + s));
  }
  f.L1 = f.L4 = f.W1;
  f.shift = f.L6 - f.W1;
  return f;
}

sn_gssss_family sn_gssss_choose(const sn_gssss_spec *s) {
  double r = s->rho_infinity;
  sn_gssss_names family = s->family == 0 ? SN_U0 : SN_V0;
  int scheme = sn_given(s, "rho") ? SN_BY_RHO : s->scheme + 1;
  if (s->conserve != SN_CONSERVE_NONE && scheme != SN_BY_RHO && !sn_given(s, "scheme")) scheme = SN_GSSSS_MIDPOINT_V0;
  switch (scheme) {
    case SN_BY_RHO:
      return make(family, s->rho[0], s->rho[1], s->rho[2]);
    case SN_GSSSS_NEWMARK:
      return make(SN_U0, 1, 1, 0);
    case SN_GSSSS_MIDPOINT:
      return make(SN_U0, 1, 1, 1); /* V0(1, 1, 1) is the same */
    case SN_GSSSS_MIDPOINT_V0:
      return make(SN_V0, 1, 1, 0);
    case SN_WBZ:
      return make(SN_U0, r, r, 0);
    case SN_GSSSS_HHT:
      return make(SN_U0, r, r, (1 - r) / (2 * r));
    case SN_OPTIMAL:
      return make(family, r, 1, r);
    default:
      return make(SN_U0, r, r, r);
  }
}

double sn_gssss_noise(const sn_gssss_family *f, int index) {
  if (index == 3) return f->name == SN_U0 ? fmax(f->rho[0], f->rho[1]) : 1;
  return fabs(1 - 1 / (index == 2 ? f->l5 : 1 + f->shift));
}
