/* load.h - point forces and moments as functions of their components f: what loads of time and of the state share. */
#ifndef SN_LOAD_H
#define SN_LOAD_H

#include "force/forces.h"

typedef struct sn_load {
  bool moment, follower;
  int axes;                /* directions: 3 a frame, 2 a frame in the plane, 1 a tangent, 0 none needed */
  sn_probe point, axis[3]; /* all on one body, same groups */
  const sn_expr *f[3];
  double e0[3]; /* follower on a line */
  bool planar;
} sn_load;

/* The probe whose coordinates it acts on. */
const sn_probe *sn_load_probe(const sn_load *load);
/* r -= Q; T -= ck dQ/dq at fixed f, over the coordinates of the probe; *power += Q.v. */
void sn_load_residual(const sn_load *load, const sn_eval *eval, const double f[3], double *r);
void sn_load_tangent(const sn_load *load, const sn_eval *eval, const double f[3], double *T);
void sn_load_power(const sn_load *load, const sn_eval *eval, const double f[3], double *power);
/* B[coordinates x 3] = dQ/df */
void sn_load_directions(const sn_load *load, const sn_eval *eval, double *B);

/* Planar models: an error where a component would leave the plane (forces along z, moments about x and y). */
void sn_check_plane_load(sn_compiler *compiler, const sn_spec *spec, const char *field, const sn_expr *const f[3],
                         bool moment);

/* One whose components depend on the state (live_load.c). */
void sn_add_live_load(sn_compiler *compiler, const char *owner, const sn_load *load);

#endif
