/* law_penalty.c - contact by springs: Hertz with the damping of Hunt and Crossley, regularized Coulomb friction.
 *
 *   F = K d^k (1 + c d') >= 0     k = 1.5: Hertz
 *   f = -mu F g(s) ut             g = (2 - s/e)/e for s < e, 1/s beyond: full friction above the slip speed e
 *   U = K d^(k+1)/(k+1)
 */
#include "contact/law.h"

static const char *const penalty_keys[] = {"impact_speed", "damping", "damping_law", "stiffness", "exponent",
                                           "young",        "poisson", "slip",        NULL};

static void penalty_check(sn_reader *reader, const sn_contact_spec *s) {
  const sn_spec *spec = &s->spec;
  if (sn_given(spec, "restitution") && s->restitution < 1 && !sn_given(spec, "impact_speed"))
    sn_field_error(reader, spec, "restitution", "an 'impact_speed', or 'damping' instead of both",
                   "the restitution of penalty contact '%s' depends on the approach speed", spec->name);
  if (sn_given(spec, "restitution") && !(s->restitution > 0))
    sn_field_error(reader, spec, "restitution", "a restitution above 0, or method: dvi",
                   "penalty contact '%s' cannot have a restitution of zero", spec->name);
  if (sn_given(spec, "damping") && sn_given(spec, "restitution"))
    sn_field_error(reader, spec, "damping", "one of: damping, restitution",
                   "contact '%s' has both damping and restitution", spec->name);
  if (sn_given(spec, "damping_law") && !sn_given(spec, "restitution"))
    sn_field_error(reader, spec, "damping_law", "'restitution' and 'impact_speed' in addition",
                   "contact '%s' has no restitution from which damping follows", spec->name);
  if (s->exponent != 1.5 && !sn_given(spec, "stiffness"))
    sn_field_error(reader, spec, "exponent", "a 'stiffness' in addition, or exponent 1.5",
                   "contact '%s' has no stiffness: that of Hertz is valid for d^1.5 only", spec->name);
  if (sn_given(spec, "young") && sn_given(spec, "stiffness"))
    sn_field_error(reader, spec, "young", "one of: stiffness, young", "contact '%s' has both stiffness and young",
                   spec->name);
}

/* Hunt and Crossley's c from a restitution e at the speed v. From m d'' = -K d^k (1 + c d') follows, compression and
 * rebound being equally deep, with x = c v
 *
 *   x - ln(1 + x) = -e x - ln(1 - e x)
 *
 * whatever m, K and k are. Published laws have closed forms of c instead, by estimates of the energy that is lost; this
 * equation gives their rebound as well. */
static double exact_damping(double e) {
  double low = 0, high = 1 / e;
  for (int k = 0; k < 100; k++) { /* below the root the right side is less */
    double x = (low + high) / 2;
    *(x * (1 + e) > log1p(x) - log1p(-e * x) ? &low : &high) = x;
  }
  return (low + high) / 2;
}

/* Hunt and Crossley 1975: e = 1 - 2/3 c v */
static double hunt_crossley(double e) {
  return 1.5 * (1 - e);
}
/* Lankarani and Nikravesh 1990: the energy (1 - e^2)/2 m v^2 is lost along the elastic path */
static double lankarani_nikravesh(double e) {
  return 0.75 * (1 - e * e);
}
/* Flores, Machado, Silva and Martins 2011: velocities that fall linearly with depth, in both phases */
static double flores(double e) {
  return 1.6 * (1 - e) / e;
}

static double (*const damping_laws[])(double e) = {exact_damping, hunt_crossley, lankarani_nikravesh, flores};

static double damping_of(const sn_contact_spec *s) {
  if (!sn_given(s, "restitution")) return s->damping;
  if (!(s->restitution < 1)) return 0;
  return damping_laws[s->damping_law](s->restitution) / s->impact_speed;
}

static void penalty_compile(const sn_surfaces *all, const sn_contact_spec *s, sn_law *law) {
  (void)all;
  law->stiffness = s->stiffness;
  law->exponent = s->exponent;
  if (sn_given(s, "young")) law->compliance = 2 * (1 - s->poisson * s->poisson) / s->young;
  law->damping = damping_of(s);
  law->slip = s->slip;
}

static double penalty_energy(const sn_law *law, double K, double d) {
  return law->exponent == 1.5 ? 0.4 * K * d * d * sqrt(d) : K * pow(d, law->exponent + 1) / (law->exponent + 1);
}

static double penalty_force(const sn_law *law, double K, double d) {
  return law->exponent == 1.5 ? K * d * sqrt(d) : K * pow(d, law->exponent);
}

static double penalty_slope(const sn_law *law, double K, double d) {
  return law->exponent == 1.5 ? 1.5 * K * sqrt(d) : law->exponent * K * pow(d, law->exponent - 1);
}

void sn_hunt_crossley(const sn_law *law, double rate, sn_press *p) {
  double factor = 1 + law->damping * rate;
  p->F = factor > 0 ? p->F0 * factor : 0;
  p->F_d *= fmax(factor, 0);
  p->F_r = factor > 0 ? p->F0 * law->damping : 0;
}

void sn_regularized_coulomb(const sn_law *law, double s, double *g, double *g_s) {
  double e = law->slip;
  *g = s < e ? (2 - s / e) / e : 1 / s;
  *g_s = s < e ? -1 / (e * e) : -1 / (s * s);
}

const sn_law_ops sn_law_penalty = {
    .name = "penalty",
    .keys = penalty_keys,
    .check = penalty_check,
    .compile = penalty_compile,
    .energy = penalty_energy,
    .force = penalty_force,
    .slope = penalty_slope,
    .damp = sn_hunt_crossley,
    .friction = sn_regularized_coulomb,
};
