/* rope.h - an elastic rope through pulleys: what its geometry (rope_path.c), its law (rope_law.c), the force element
 * (reeving.c) and its mass (rope_mass.h) share.
 *
 * The rope runs over stops: end points (radius 0) and pulleys, circles of signed radius rho = +R where it runs around
 * counterclockwise, seen against the axis. Between two stops is a free span, tangent to both circles in the plane normal
 * to the axis. All that matters of the motion is in a few numbers, the scalars z of the rope:
 *   lambda_i   length of span i
 *   gamma_i    direction of span i in the plane, from the start
 *   w_k        rotation of pulley k against the frame, where the rope grips it
 *   tau_k      length of rope, unstretched, that has run over pulley k, where it may slip: a coordinate of its own
 * Pulleys that grip divide the rope into segments, each of one tension.
 */
#ifndef SN_ROPE_H
#define SN_ROPE_H

#include "model/coordinate.h"

enum {
  SN_ROPE_PULLEYS = 12,
  SN_ROPE_STOPS = SN_ROPE_PULLEYS + 2,
  SN_ROPE_SPANS = SN_ROPE_STOPS - 1,
  SN_ROPE_SCALARS = 2 * SN_ROPE_SPANS + 2 * SN_ROPE_PULLEYS,
  SN_ROPE_GROUPS = 32,
  SN_ROPE_LOCAL = 128, /* coordinates it depends on */
  SN_ROPE_ANGLE = 48,  /* coordinates that the rotation of a pulley depends on */
};

typedef enum sn_rope_grip { SN_ROPE_SMOOTH, SN_ROPE_NO_SLIP, SN_ROPE_FRICTION } sn_rope_grip;

typedef struct sn_rope_stop {
  sn_probe center;
  double rho; /* signed radius; 0: an end of the rope */
  sn_rope_grip grip;
  double mu;           /* friction */
  double wrap;         /* angle of wrap at the start */
  sn_coordinate angle; /* w; with grip only */
  int w, tau;          /* their places in z; -1: none */
  int flow;            /* coordinate tau, in space also without slip, tied to w by a constraint ... */
  int flow_group;      /* ... and its group */
  int before, after;   /* segments on both sides; -1: none */
  /* friction, over z: u = tau - rho (mean gamma), p = rho (w - mean gamma), angle of wrap */
  double u[SN_ROPE_SCALARS], p[SN_ROPE_SCALARS], theta[SN_ROPE_SCALARS];
} sn_rope_stop;

typedef struct sn_rope_segment {
  double arc;                                     /* of its smooth pulleys, at the start */
  double rest;                                    /* unstretched length at the start */
  double l[SN_ROPE_SCALARS], l0[SN_ROPE_SCALARS]; /* lengths, stretched and not, over z */
} sn_rope_segment;

typedef struct sn_rope {
  const char *name;
  bool closed;
  int stops, spans, segments, scalars;
  sn_rope_stop stop[SN_ROPE_STOPS];
  sn_rope_segment segment[SN_ROPE_SPANS];
  sn_probe axis[3];            /* of the frame; the third is that of the pulleys */
  double start[SN_ROPE_SPANS]; /* gamma at the start */
  double EA, damping, slip;    /* N; time constant, s; creep speed, m/s */
  double per_length;           /* mass, kg/m; 0: none */
  const sn_expr *feed;         /* length fed into the first segment, function of t */
  int groups, group[SN_ROPE_GROUPS], offset[SN_ROPE_GROUPS], local; /* offset: first local coordinate of each group */
  const char *doubt[3]; /* sentences: it lifts off, turns around, is used up */
} sn_rope;

/* Segments, and what slips over pulleys with friction, of stops and scalars. */
void sn_rope_make_segments(sn_rope *rope);

/* ---- geometry ---- */

typedef struct sn_rope_span {
  double d[3], dd[3];         /* from center to center, and its rate */
  double D[3], Dd[3];         /* the same in the axes of the frame */
  double lambda[3], gamma[3]; /* derivatives by D */
  double lambda2[3][3], gamma2[3][3];
} sn_rope_span;

typedef struct sn_rope_path {
  double z[SN_ROPE_SCALARS], zd[SN_ROPE_SCALARS];
  double e[3][3], ed[3][3]; /* axes and their rates */
  sn_rope_span span[SN_ROPE_SPANS];
} sn_rope_path;

static inline int sn_rope_next(const sn_rope *rope, int stop) {
  return stop + 1 < rope->stops ? stop + 1 : 0;
}
/* The spans at a pulley: -1 where the rope ends on it. */
static inline int sn_rope_arriving(const sn_rope *rope, int stop) {
  return stop > 0 ? stop - 1 : rope->closed ? rope->spans - 1 : -1;
}
static inline int sn_rope_leaving(const sn_rope *rope, int stop) {
  return stop < rope->spans ? stop : -1;
}

/* z and z' at (q, v); with `at_start` directions are absolute. */
void sn_rope_path_at(const sn_rope *rope, const double *q, const double *v, bool at_start, sn_rope_path *path);
/* r += dz/dq' f */
void sn_rope_apply(const sn_rope *rope, const sn_rope_path *path, const double *f, const sn_eval *eval, double *r);
/* r += forces over a step of an energy-momentum method (rope_step.c) */
void sn_rope_apply_step(const sn_rope *rope, const sn_eval *eval, double *r);
/* Over the local coordinates: Z = dz/dq, R = dz'/dq [scalars]; T += c f.d2z/dq2, leading dimension SN_ROPE_LOCAL. */
void sn_rope_derivatives(const sn_rope *rope, const sn_rope_path *path, const double *q, const double *v, double c,
                         const double *f, double (*Z)[SN_ROPE_LOCAL], double (*R)[SN_ROPE_LOCAL],
                         double (*T)[SN_ROPE_LOCAL]);
/* Parts of it: first local coordinate of a group; to[3] += c times a 3 x nd matrix of a probe; T += c F.d2y/dq2. */
int sn_rope_offset(const sn_rope *rope, int group);
void sn_rope_gather(const sn_rope *rope, const sn_probe *probe, const double *J, double c, double (*to)[SN_ROPE_LOCAL]);
void sn_rope_add_hessian(const sn_rope *rope, const sn_probe *probe, const double *q, double c, const double F[3],
                         double (*T)[SN_ROPE_LOCAL]);

/* ---- forces ---- */

typedef struct sn_rope_strain { /* of a segment */
  double l, l0, l0d;            /* lengths, rate of the unstretched one */
  double e, ed;                 /* strain and its rate */
  double N, Nd, W;              /* tension, its part by damping; energy per unstretched length */
  bool taut, clipped;           /* clipped: damping would push */
} sn_rope_strain;

typedef struct sn_rope_law {
  double f[SN_ROPE_SCALARS]; /* forces on z, in the sense of r = -Q */
  double energy, damping, friction, driver;
  double creep; /* largest speed of slip below the creep speed, see sn_rope_creep */
  sn_rope_strain strain[SN_ROPE_SPANS];
} sn_rope_law;

/* K, D [scalars][SN_ROPE_SCALARS]: df/dz and df/dz'; NULL: not wanted. */
void sn_rope_law_at(const sn_rope *rope, double t, const double *z, const double *zd, sn_rope_law *law,
                    double (*K)[SN_ROPE_SCALARS], double (*D)[SN_ROPE_SCALARS]);

/* ---- for outputs ---- */
/* Length of all segments, tension of each. */
void sn_rope_state(const sn_rope *rope, const sn_eval *eval, double *values);
const sn_rope *sn_find_rope(const sn_model *model, const char *name); /* NULL: none */
/* Largest speed at which a rope of the model slips over a pulley with friction that is to hold it, below `slip`. Where
 * rope and pulley run, slip of less than a hundredth of their speed is not counted: they do not rest. */
double sn_rope_creep(const sn_model *model, const sn_eval *eval);

#endif
