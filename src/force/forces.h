/* forces.h - what the user writes about forces. */
#ifndef SN_FORCES_H
#define SN_FORCES_H

#include "model/model.h"

typedef struct sn_load_spec { /* force, moment */
  sn_spec spec;
  sn_marker_ref at;
  const sn_expr *value[3];
  bool follower;
} sn_load_spec;

typedef struct sn_spring_spec {
  sn_spec spec;
  sn_marker_ref between[2];
  double stiffness, damping, length;
} sn_spring_spec;

/* A compiled spring: tension F = k (L - L0) + c L' along e = (r_j - r_i)/L. */
typedef struct sn_spring_item {
  const char *name;
  sn_probe probe[2];
  double k, c, L0;
} sn_spring_item;

/* Length and tension. */
void sn_spring_state(const sn_spring_item *spring, const double *q, const double *v, double *length, double *force);

#endif
