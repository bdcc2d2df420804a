/* load.c - point force and moment, fixed in space (dead) or turning with the body (follower), prescribed in time; those
 * that depend on the motion are in live_load.c. */
#include "force/load.h"

#include <string.h>

#include "math/vec3.h"
#include "model/compile.h"

typedef struct load_spec { /* force, moment */
  sn_spec spec;
  sn_marker_ref at;
  const sn_expr *value[3];
  bool follower;
} load_spec;

static const sn_field force_fields[] = {
    {"at", SN_MARKER, SN_AT(load_spec, at), .required = true, .help = "point of application"},
    {"force", SN_FORMULA3, SN_AT(load_spec, value), .unit = "N", .required = true,
     .help = "components, expressions of t and of the motion"},
    {"follower", SN_BOOL, SN_AT(load_spec, follower), .def = "false",
     .help = "follower force: components in axes that rotate with the body (global at the start); on a cable with its "
             "tangent"},
    {0},
};

/* ---- instances ----
 * force   F = f (dead) or sum f_k u_k (follower):        Q = Y'F
 * moment  n likewise; a rigid turn w changes u_k by w x u_k, so with a frame of three directions
 *                                                        Q = 1/2 sum_k U_k'(n x u_k)
 *         (with k = x, y in a planar model), whichever they are; and with only the tangent u of a line
 *                                                        Q = U'(n x u)/(u.u)
 *
 * A follower on a line turns with the tangent: F = R f, with R the shortest rotation from e0, the tangent at the start,
 * to e = u/|u|. With s = e0.e, c = e0 x e, k = 1/(1 + s):
 *
 *   F  = s f + c x f + k (c.f) c
 *   dF = ds f + dc x f - k^2 ds (c.f) c + k (dc.f c + c.f dc)
 *
 * In the plane this is the rotation of the tangent itself (k drops out); in space it is undefined where e = -e0. */

/* Share of a moment that acts through the direction u. */
static double share(const sn_load *x, const double u[3]) {
  return x->axes == 1 ? 1 / sn_dot(u, u) : 0.5;
}

const sn_probe *sn_load_probe(const sn_load *x) {
  return x->moment ? &x->axis[0] : &x->point;
}

static int load_groups(const sn_batch *batch, int i, int *groups) {
  const sn_probe *p = sn_load_probe((const sn_load *)batch->data + i);
  for (int g = 0; g < p->groups; g++) groups[g] = p->group[g];
  return p->groups;
}

/* F = R f for the tangent u */
static void turn_with_tangent(const sn_load *x, const double u[3], const double f[3], double F[3]) {
  double e[3], c[3];
  sn_copy(e, u);
  sn_normalize(e);
  sn_cross(c, x->e0, e);
  double s = sn_dot(x->e0, e), cf = x->planar ? 0 : sn_dot(c, f);
  sn_cross(F, c, f);
  sn_axpy(F, s, f);
  if (cf != 0) sn_axpy(F, cf / (1 + s), c);
  if (x->planar) F[2] = f[2];
}

/* dF for a change du of the tangent */
static void turn_change(const sn_load *x, const double u[3], const double du[3], const double f[3], double dF[3]) {
  double e[3], c[3], de[3], dc[3];
  sn_copy(e, u);
  double length = sn_normalize(e), along = sn_dot(e, du);
  for (int k = 0; k < 3; k++) de[k] = (du[k] - along * e[k]) / length;
  sn_cross(c, x->e0, e);
  sn_cross(dc, x->e0, de);
  double s = sn_dot(x->e0, e), ds = sn_dot(x->e0, de), k = 1 / (1 + s), cf = sn_dot(c, f);
  sn_cross(dF, dc, f);
  sn_axpy(dF, ds, f);
  if (x->planar) {
    dF[2] = 0;
    return;
  }
  sn_axpy(dF, k * sn_dot(dc, f) - k * k * ds * cf, c);
  sn_axpy(dF, k * cf, dc);
}

static void components(const sn_load *x, const sn_eval *ev, double f[3]) {
  for (int k = 0; k < 3; k++) f[k] = ev->load * sn_expr_value(x->f[k], ev->t);
}

/* Values of the axes and the force or moment in global axes. */
static void load_vector(const sn_load *x, const sn_eval *ev, const double f[3], double u[3][3], double F[3]) {
  for (int k = 0; k < x->axes; k++) x->axis[k].ops->value(&x->axis[k], ev->q, u[k]);
  sn_copy(F, f);
  if (!x->follower) return;
  if (x->axes == 1)
    turn_with_tangent(x, u[0], f, F);
  else
    for (int k = 0; k < 3; k++) F[k] = f[0] * u[0][k] + f[1] * u[1][k] + f[2] * u[2][k];
}

void sn_load_residual(const sn_load *x, const sn_eval *ev, const double f[3], double *r) {
  double u[3][3], F[3], g[3];
  load_vector(x, ev, f, u, F);
  if (!x->moment) {
    sn_scale(g, -1, F);
    sn_probe_apply(&x->point, ev, g, r);
  }
  for (int k = 0; x->moment && k < x->axes; k++) {
    sn_cross(g, F, u[k]);
    sn_scale(g, -share(x, u[k]), g);
    x->axis[k].ops->apply(&x->axis[k], ev->q, g, r);
  }
}

static void load_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const sn_load *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    double f[3];
    components(&item[i], ev, f);
    sn_load_residual(&item[i], ev, f, r);
  }
}

/* dF/dq of a follower, 3 x nd: sum f_k U_k, or by the tangent */
static void follower_jacobian(const sn_load *x, double u[3][3], const double f[3],
                              double U[3][3 * SN_PROBE_COORDINATES], int nd, double *S) {
  if (x->follower && x->axes == 1) {
    for (int c = 0; c < nd; c++) turn_change(x, u[0], U[0] + 3 * c, f, S + 3 * c);
    return;
  }
  for (int c = 0; c < 3 * nd; c++) S[c] = x->follower ? f[0] * U[0][c] + f[1] * U[1][c] + f[2] * U[2][c] : 0;
}

/* T -= ck Y' (dF/dq) */
static void subtract(double ck, const double *Y, const double *S, int nd, double *T) {
  for (int c = 0; c < nd; c++)
    for (int d = 0; d < nd; d++) T[d + nd * c] -= ck * sn_dot(Y + 3 * d, S + 3 * c);
}

void sn_load_tangent(const sn_load *x, const sn_eval *ev, const double f[3], double *T) {
  const sn_probe *p = sn_load_probe(x);
  double u[3][3], F[3], g[3], S[3 * SN_PROBE_COORDINATES];
  double U[3][3 * SN_PROBE_COORDINATES] = {{0}}, Y[3 * SN_PROBE_COORDINATES];
  int nd = p->count;
  load_vector(x, ev, f, u, F);
  for (int k = 0; k < x->axes; k++) x->axis[k].ops->jacobian(&x->axis[k], ev->q, U[k]);
  follower_jacobian(x, u, f, U, nd, S);
  if (!x->moment) {
    p->ops->jacobian(p, ev->q, Y);
    subtract(ev->ck, Y, S, nd, T);
    sn_scale(g, -ev->ck, F);
    if (p->ops->hessian) p->ops->hessian(p, ev->q, g, T, nd);
  }
  for (int k = 0; x->moment && k < x->axes; k++) { /* Q_k = s U_k'(F x u_k): d = s U_k'(dF x u_k + F x U_k dq) + H */
    double s = share(x, u[k]), R[3 * SN_PROBE_COORDINATES], a[3], b[3];
    sn_cross(g, F, u[k]);
    for (int c = 0; c < nd; c++) {
      sn_cross(a, S + 3 * c, u[k]);
      sn_cross(b, F, U[k] + 3 * c);
      for (int d = 0; d < 3; d++) R[d + 3 * c] = s * (a[d] + b[d]);
      if (x->axes == 1) /* 1/(u.u) varies */
        sn_axpy(R + 3 * c, -2 * s * sn_dot(u[k], U[k] + 3 * c) / sn_dot(u[k], u[k]), g);
    }
    subtract(ev->ck, U[k], R, nd, T);
    sn_scale(g, -ev->ck * s, g);
    if (x->axis[k].ops->hessian) x->axis[k].ops->hessian(&x->axis[k], ev->q, g, T, nd);
  }
}

static void load_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const sn_load *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_probe *p = sn_load_probe(&item[i]);
    double f[3], T[SN_PROBE_COORDINATES * SN_PROBE_COORDINATES] = {0};
    components(&item[i], ev, f);
    sn_load_tangent(&item[i], ev, f, T);
    sn_matrix_add(A, p->groups, p->group, batch->slots + (size_t)batch->slot_stride * (size_t)i, T, p->count);
  }
}

/* Q = sum_k f_k B_k: B_k = Y'F or sum s U'(F x u) with the F of f = e_k */
void sn_load_directions(const sn_load *x, const sn_eval *ev, double *B) {
  const int nd = sn_load_probe(x)->count;
  double J[3 * SN_PROBE_COORDINATES];
  memset(B, 0, 3 * (size_t)nd * sizeof(double));
  for (int j = 0; j < 3; j++) {
    double f[3] = {0, 0, 0}, u[3][3], F[3], g[3];
    f[j] = 1;
    load_vector(x, ev, f, u, F);
    if (!x->moment) {
      x->point.ops->jacobian(&x->point, ev->q, J);
      for (int d = 0; d < nd; d++) B[d + nd * j] = sn_dot(J + 3 * d, F);
    }
    for (int k = 0; x->moment && k < x->axes; k++) {
      x->axis[k].ops->jacobian(&x->axis[k], ev->q, J);
      sn_cross(g, F, u[k]);
      for (int d = 0; d < nd; d++) B[d + nd * j] += share(x, u[k]) * sn_dot(J + 3 * d, g);
    }
  }
}

void sn_load_power(const sn_load *x, const sn_eval *ev, const double f[3], double *power) {
  double u[3][3], F[3], g[3], rate[3];
  load_vector(x, ev, f, u, F);
  if (!x->moment) {
    x->point.ops->rate(&x->point, ev->q, ev->v, rate);
    *power += sn_dot(F, rate);
  }
  for (int k = 0; x->moment && k < x->axes; k++) {
    sn_cross(g, F, u[k]);
    x->axis[k].ops->rate(&x->axis[k], ev->q, ev->v, rate);
    *power += share(x, u[k]) * sn_dot(g, rate);
  }
}

static void load_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *power) {
  const sn_load *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    double f[3];
    components(&item[i], ev, f);
    sn_load_power(&item[i], ev, f, &power->applied);
  }
}

static const sn_batch_ops load_batch = {
    .name = "loads",
    .max_groups = SN_PROBE_GROUPS,
    .groups = load_groups,
    .residual = load_residual,
    .tangent = load_tangent,
    .power = load_power,
};

/* ---- compile ---- */

/* The directions of a frame: global axes at the start, of which a follower's components are. */
static void frame_axes(const sn_compiler *c, const sn_marker *m, sn_load *x) {
  static const double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  x->axes = x->moment && c->model->dim == 2 ? 2 : 3;
  for (int k = 0; k < x->axes; k++) sn_marker_direction(m, e[k], &x->axis[k]);
}

static void add_load(sn_compiler *c, const char *owner, const sn_load *x) {
  c->model->has_power = true;
  if (sn_expr_has_variables(x->f[0]) || sn_expr_has_variables(x->f[1]) || sn_expr_has_variables(x->f[2]))
    sn_add_live_load(c, owner, x);
  else
    *(sn_load *)sn_batch_append(c, &load_batch, sizeof *x) = *x;
}

/* At all times: of a function of time the bound of its values, as of 0*sin(t). */
static bool is_zero(const sn_expr *f) {
  const double most = 1e9; /* s */
  if (!f) return true;
  if (sn_expr_has_variables(f)) return false;
  const sn_taylor values = sn_expr_taylor(f, -most, most, 0);
  return sn_span_size(values.c[0]) == 0;
}

void sn_check_plane_load(sn_compiler *c, const sn_spec *spec, const char *field, const sn_expr *const f[3],
                         bool moment) {
  if (c->model->dim == 3 || (moment ? is_zero(f[0]) && is_zero(f[1]) : is_zero(f[2]))) return;
  sn_field_error(&c->reader, spec, field, moment ? "first and second components of 0" : "a third component of 0",
                 "'%s' of '%s' leaves the plane of this planar model", field, spec->name);
}

static void load_compile(sn_compiler *c, const sn_spec *spec, bool moment) {
  const load_spec *s = (const load_spec *)(const void *)spec;
  sn_marker marker;
  if (!sn_resolve(c, &s->at, &marker)) return;
  bool planar = c->model->dim == 2; /* a moment is about z there, wherever the body turns */
  sn_load x = {.moment = moment, .follower = s->follower && !(moment && planar)};
  for (int k = 0; k < 3; k++) x.f[k] = s->value[k];
  sn_check_plane_load(c, spec, moment ? "moment" : "force", x.f, moment);
  if (moment || s->follower) {
    if (marker.has_frame) {
      frame_axes(c, &marker, &x);
    } else if (marker.has_tangent) {
      marker.body->ops->tangent(&marker, &x.axis[0]);
      x.axes = 1;
      sn_copy(x.e0, marker.tangent);
      x.planar = planar;
    } else {
      sn_field_error(&c->reader, spec, s->follower ? "follower" : "at",
                     "a rigid body (a small one can be fixed to the cable)", "%s '%s' has no frame for %s",
                     marker.body->ops->kind.name, marker.body->name,
                     s->follower ? "a follower to turn with" : "a moment to act on");
      return;
    }
    c->model->unsymmetric |= x.follower;
  }
  sn_marker_point(&marker, &x.point);
  if (sn_load_probe(&x)->groups == 0) {
    sn_field_error(&c->reader, spec, "at", "a body that can move", "%s '%s' acts on the ground", spec->kind->name,
                   spec->name);
    return;
  }
  add_load(c, spec->name, &x);
}

void sn_add_dead_load(sn_compiler *c, const char *owner, const sn_probe *probe, const sn_expr *const f[3]) {
  assert(sn_is_probe(probe) && probe->groups > 0 && f[0] && f[1] && f[2]);
  add_load(c, owner, &(sn_load){.point = *probe, .f = {f[0], f[1], f[2]}});
}

static void force_compile(sn_compiler *c, const sn_spec *spec) {
  load_compile(c, spec, false);
}
static void moment_compile(sn_compiler *c, const sn_spec *spec) {
  load_compile(c, spec, true);
}

const sn_force_ops sn_force = {
    .kind = {.name = "force",
             .category = SN_FORCES,
             .summary = "point force, by expressions of time and of the motion",
             .fields = force_fields,
             .spec_size = sizeof(load_spec)},
    .compile = force_compile,
};

static const sn_field moment_fields[] = {
    {"at", SN_MARKER, SN_AT(load_spec, at), .required = true, .help = "point of application"},
    {"moment", SN_FORMULA3, SN_AT(load_spec, value), .unit = "N m", .required = true,
     .help =
         "components, expressions of t and of the motion; on a cable the component along the tangent has no effect"},
    {"follower", SN_BOOL, SN_AT(load_spec, follower), .def = "false",
     .help = "follower force: components in axes that rotate with the body (global at the start); on a cable with its "
             "tangent"},
    {0},
};

const sn_force_ops sn_moment = {
    .kind = {.name = "moment",
             .category = SN_FORCES,
             .summary = "moment, by expressions of time and of the motion",
             .fields = moment_fields,
             .spec_size = sizeof(load_spec)},
    .compile = moment_compile,
};
