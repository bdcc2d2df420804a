/* fluid.h - the flow around a point of a line or plate, for the loads of a fluid: drag, buoyancy, added mass. */
#ifndef SN_FLUID_H
#define SN_FLUID_H

#include "model/model.h"

/* The fluid of one force. */
typedef struct sn_fluid {
  const sn_expr *velocity[3]; /* functions of place and time */
  const sn_expr *level;       /* height of its free surface against gravity; NULL: it fills all space */
  double up[3];               /* unit vector against gravity; with a level */
  double half;                /* half the height of the section, over which it becomes wet */
  bool varies;                /* the velocity does, in space */
  bool accelerates;           /* in space or time */
} sn_fluid;

/* A quadrature point. Coefficients contain its weight: the length or area it stands for. */
typedef struct sn_fluid_point {
  const sn_fluid *fluid;
  sn_probe point, slope[2]; /* r; r_x of a line, r_x and r_y of a plate; all with the same groups and linear */
  bool plate;
  double c[2], b[2]; /* drag along the tangent and across, or along the normal and across: viscous, quadratic */
  double displaced;  /* mass of the displaced fluid */
  double added;      /* mass that moves with the body: across a line, along the normal of a plate */
} sn_fluid_point;

typedef struct sn_flow {
  double d[3], length;    /* unit tangent or normal, and the length it was divided by */
  double slope[2][3];     /* r_x, r_y */
  double r[3], v[3];      /* place and velocity of the point */
  double u[3], G[3][3];   /* velocity of the fluid, du_i/dx_k */
  double acceleration[3]; /* of the fluid there: du/dt + G u */
  double H[3][3];         /* its derivatives */
  double wet, slant[3];   /* wet part of the section, its derivatives */
} sn_flow;

/* With derivatives G, H and slant if they are asked for. */
void sn_flow_at(const sn_fluid_point *point, const sn_eval *eval, bool derivatives, sn_flow *flow);
/* Change of the direction d for changes of the slopes. */
void sn_direction_change(const sn_fluid_point *point, const sn_flow *flow, const double dx[3], const double dy[3],
                         double dd[3]);
/* d wet/dt as the point moves with its velocity. */
double sn_wet_rate(const sn_fluid_point *point, const sn_eval *eval, const sn_flow *flow);
/* P z: the part of z that moves added mass. */
void sn_added_part(const sn_fluid_point *point, const double d[3], const double z[3], double y[3]);
/* dP z */
void sn_added_part_change(const sn_fluid_point *point, const double d[3], const double dd[3], const double z[3],
                          double y[3]);

/* added_mass.c: the inertia of a point. */
void sn_add_added_mass(sn_compiler *compiler, const sn_fluid_point *point);

#endif
