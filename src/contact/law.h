/* law.h - contact laws: their fields in a model file, and the table of each. */
#ifndef SN_LAW_H
#define SN_LAW_H

#include <math.h>

#include "contact/contact.h"
#include "model/compile.h"

#define SN_DAMPING_LAWS "exact|hunt-crossley|lankarani-nikravesh|flores" /* see law_penalty.c */

typedef struct sn_contact_spec {
  sn_spec spec;
  sn_names between, against;
  int method; /* which law of laws.def */
  int points; /* sn_touching_points */
  int damping_law;
  bool self, exact;
  double friction, restitution;
  const sn_expr *force;
#define NUMBER(key, of_unit, standard, range, text, shown) double key;
#include "contact/laws.def"
} sn_contact_spec;

/* The force along the normal at the depth d, with its derivatives by d and by its rate d'. */
typedef struct sn_press {
  double F, F0; /* with and without damping */
  double F_d, F_r;
  double d, K; /* where */
} sn_press;

typedef struct sn_law_ops {
  const char *name;
  /* Complementarity: impulses between contacts with a gap <= activation, found by an integrator that supports it.
   * Otherwise forces of springs at depths d = -gap > 0, by the functions below; all in proportion to the stiffness K.
   */
  bool impulsive;
  const char *const *keys; /* the numbers of laws.def that it uses; ends with NULL */
  /* Conditions between fields. NULL: none. */
  void (*check)(sn_reader *reader, const sn_contact_spec *spec);
  /* Its numbers, after those that all laws share; `exponent` is the k of F ~ d^k by which impacts are estimated. */
  void (*compile)(const sn_surfaces *all, const sn_contact_spec *spec, sn_law *law);
  /* What springs hold at the depth d: U, U' = F, U''. */
  double (*energy)(const sn_law *law, double K, double d);
  double (*force)(const sn_law *law, double K, double d);
  double (*slope)(const sn_law *law, double K, double d);
  /* From F0, F_d without damping to F, F_d, F_r at the rate d'; F >= 0. Called where law->damping > 0 or there is
   * friction. */
  void (*damp)(const sn_law *law, double rate, sn_press *press);
  /* f = -mu F g(s) ut at the sliding speed s = |ut|: g and its derivative. */
  void (*friction)(const sn_law *law, double s, double *g, double *g_s);
} sn_law_ops;

#define LAW(name, text) extern const sn_law_ops sn_law_##name;
#include "contact/laws.def"

enum {
#define LAW(name, text) SN_LAW_##name,
#include "contact/laws.def"
  SN_LAWS
};
extern const sn_law_ops *const sn_laws[SN_LAWS];

/* The pieces of penalty, for laws that share them. */
void sn_hunt_crossley(const sn_law *law, double rate, sn_press *press);
void sn_regularized_coulomb(const sn_law *law, double s, double *g, double *g_s);

/* The depth at which springs hold U. */
double sn_press_depth(const sn_law *law, double K, double U);
/* Impulses store nothing. */
static inline double sn_press_energy(const sn_law *law, double K, double d) {
  return law->ops->energy ? law->ops->energy(law, K, d) : 0;
}
static inline double sn_press_force(const sn_law *law, double K, double d) {
  return law->ops->force(law, K, d);
}
static inline double sn_press_slope(const sn_law *law, double K, double d) {
  return law->ops->slope(law, K, d);
}

#endif
