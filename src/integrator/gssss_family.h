/* gssss_family.h - settings of gssss; coefficients of its two families, U0 and V0 (rho_min, rho_max, rho_s). */
#ifndef SN_GSSSS_FAMILY_H
#define SN_GSSSS_FAMILY_H

#include "integrator/integrator.h"

typedef struct sn_gssss_spec {
  sn_integrator_spec head;
  int scheme, family; /* choices */
  double rho[3], rho_infinity;
  int index;          /* 3, 2, 1 */
  int form;           /* choice */
  int stabilize;      /* sn_gssss_stabilize */
  double alpha, beta; /* Baumgarte's */
  int projections;    /* corrections at each level; 0: to rounding */
  int conserve;       /* sn_gssss_conserve */
} sn_gssss_spec;

typedef enum sn_gssss_members {
  SN_BY_RHO,
  SN_GSSSS_NEWMARK,
  SN_GSSSS_MIDPOINT,
  SN_GSSSS_MIDPOINT_V0,
  SN_GENERALIZED_ALPHA,
  SN_WBZ,
  SN_GSSSS_HHT,
  SN_OPTIMAL
} sn_gssss_members;
typedef enum sn_gssss_names { SN_U0, SN_V0 } sn_gssss_names;
typedef enum sn_gssss_stabilize {
  SN_STABILIZE_NONE,
  SN_STABILIZE_BAUMGARTE,
  SN_STABILIZE_PROJECTION
} sn_gssss_stabilize;
typedef enum sn_gssss_conserve { SN_CONSERVE_NONE, SN_SYMPLECTIC, SN_ENERGY_MOMENTUM } sn_gssss_conserve;

/*   q1 = q0 + h v0 + h^2/2 a0 + l3 h^2 (a1 - a0)           v1 = v0 + h a0 + l5 h (a1 - a0)
 *   q~ = q0 + L1 h v0 + L2 h^2 a0 + L3 h^2 (a1 - a0)       v~ = v0 + L4 h a0 + L5 h (a1 - a0)
 *   a~ = a0 + L6 (a1 - a0)                                 t~ = t0 + W1 h
 * L1 ... L6 are Huang's products Lambda_i W_j. a1 belongs to the time t1 - shift h. */
typedef struct sn_gssss_family {
  sn_gssss_names name;
  double rho[3]; /* rho_min, rho_max, rho_s */
  double l3, l5, L1, L2, L3, L4, L5, L6, W1;
  double shift; /* L6 - W1 */
} sn_gssss_family;

/* The member that the settings ask for, by name or by numbers. */
sn_gssss_family sn_gssss_choose(const sn_gssss_spec *settings);
/* Factor by which noise in a1 shrinks in a step where constraints of this index hold all coordinates. */
double sn_gssss_noise(const sn_gssss_family *family, int index);

#endif
