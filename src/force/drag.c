/* drag.c - resistance of a fluid per reference length of a cable, at Gauss points.
 *
 *   u = r_x, e = u/|u|;  w = v - wind;  p = w.e, w_t = p e, w_n = w - w_t
 *   f = -(a_t w_t + a_n w_n),   a_t = c_t + rho d C_t |w_t|/2,   a_n = c_n + rho d C_n |w_n|/2
 *   Q = int S'f dx
 *
 * With b_t = rho d C_t/2 and h = a_t - a_n the derivatives are, for changes dw and de:
 *   -df = a_n dw + h (p de + (dw.e + w.de) e) + w_t da_t + w_n da_n
 *   da_t = b_t sign(p) (dw.e + w.de),   da_n = b_n (w_n.dw - p w.de)/|w_n|
 *   de = (du - e (e.du))/|u|
 */
#include <math.h>
#include <string.h>

#include "force/forces.h"
#include "math/gauss.h"
#include "math/vec3.h"
#include "model/compile.h"

typedef struct drag_spec {
  sn_spec spec;
  sn_marker_ref on;
  double normal, tangential;
  double density, diameter, normal_coefficient, tangential_coefficient;
  const sn_expr *wind[3];
} drag_spec;

static const sn_field drag_fields[] = {
    {"on", SN_MARKER, SN_AT(drag_spec, on), .required = true, .help = "the cable or ANCF beam", .example = "my_cable"},
    {"normal", SN_REAL, SN_AT(drag_spec, normal), .unit = "N s/m2", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "viscous drag normal to the line, force per length and velocity"},
    {"tangential", SN_REAL, SN_AT(drag_spec, tangential), .unit = "N s/m2", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "viscous drag along the line"},
    {"density", SN_REAL, SN_AT(drag_spec, density), .unit = "kg/m3", .def = "1.2", .limits = SN_NOT_NEGATIVE,
     .help = "fluid density, for the drag coefficients"},
    {"diameter", SN_REAL, SN_AT(drag_spec, diameter), .unit = "m", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "diameter exposed to the flow", .example = "0.01"},
    {"normal_coefficient", SN_REAL, SN_AT(drag_spec, normal_coefficient), .def = "1.2", .limits = SN_NOT_NEGATIVE,
     .help = "drag coefficient C of density/2 C diameter v^2 normal to the line"},
    {"tangential_coefficient", SN_REAL, SN_AT(drag_spec, tangential_coefficient), .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "drag coefficient along the line"},
    {"wind", SN_FUNCTION3, SN_AT(drag_spec, wind), .unit = "m/s", .def = "[0, 0, 0]",
     .help = "fluid velocity, functions of t"},
    {0},
};

static void drag_check(sn_reader *reader, const sn_spec *spec) {
  const drag_spec *s = (const drag_spec *)(const void *)spec;
  if (s->normal == 0 && s->tangential == 0 && s->diameter == 0)
    sn_field_error(reader, spec, NULL, "'normal' and 'tangential', or a 'diameter'", "drag '%s' is nothing",
                   spec->name);
}

/* ---- instances ---- */

typedef struct drag {
  sn_probe point, tangent; /* same groups */
  double c[2], b[2]; /* tangential, normal: viscous c, quadratic b = rho d C/2; both times the weight of the point */
  const sn_expr *const *wind;
} drag;

typedef struct flow {
  double e[3], length; /* unit tangent, |u| */
  double w[3], wind[3], wn[3];
  double p, speed; /* w.e, |w_n| */
  double a[2];
  double f[3];
} flow;

static void flow_at(const drag *x, const sn_eval *ev, flow *y) {
  double v[3];
  x->tangent.ops->value(&x->tangent, ev->q, y->e);
  x->point.ops->rate(&x->point, ev->q, ev->v, v);
  y->length = sn_normalize(y->e);
  for (int k = 0; k < 3; k++) y->wind[k] = ev->load * sn_expr_value(x->wind[k], ev->t);
  sn_sub(y->w, v, y->wind);
  y->p = sn_dot(y->w, y->e);
  sn_copy(y->wn, y->w);
  sn_axpy(y->wn, -y->p, y->e);
  y->speed = sn_norm(y->wn);
  y->a[0] = x->c[0] + x->b[0] * fabs(y->p);
  y->a[1] = x->c[1] + x->b[1] * y->speed;
  sn_scale(y->f, -y->a[0] * y->p, y->e);
  sn_axpy(y->f, -y->a[1], y->wn);
}

static int drag_groups(const sn_batch *batch, int i, int *groups) {
  const sn_probe *p = &((const drag *)batch->data)[i].point;
  for (int g = 0; g < p->groups; g++) groups[g] = p->group[g];
  return p->groups;
}

static void drag_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const drag *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    flow y;
    flow_at(&item[i], ev, &y);
    sn_scale(y.f, -1, y.f);
    item[i].point.ops->apply(&item[i].point, ev->q, y.f, r);
  }
}

/* -df for changes dw, du; see the top */
static void change(const drag *x, const flow *y, const double dw[3], const double du[3], double df[3]) {
  double de[3], along = sn_dot(y->e, du), h = y->a[0] - y->a[1];
  for (int k = 0; k < 3; k++) de[k] = (du[k] - along * y->e[k]) / y->length;
  double dp = sn_dot(dw, y->e) + sn_dot(y->w, de), dt = x->b[0] * (y->p < 0 ? -dp : dp);
  double dn = y->speed > 0 ? x->b[1] * (sn_dot(y->wn, dw) - y->p * sn_dot(y->w, de)) / y->speed : 0;
  for (int k = 0; k < 3; k++)
    df[k] = y->a[1] * dw[k] + (h * dp + dt * y->p) * y->e[k] + h * y->p * de[k] + dn * y->wn[k];
}

static void drag_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  static const double zero[3] = {0, 0, 0};
  const drag *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_probe *p = &item[i].point, *t = &item[i].tangent;
    double Y[3 * SN_PROBE_COORDINATES], U[3 * SN_PROBE_COORDINATES], T[SN_PROBE_COORDINATES * SN_PROBE_COORDINATES];
    int n = p->count;
    flow y;
    flow_at(&item[i], ev, &y);
    p->ops->jacobian(p, ev->q, Y);
    t->ops->jacobian(t, ev->q, U);
    for (int c = 0; c < n; c++) {
      double dv[3], dq[3], df[3];
      change(&item[i], &y, Y + 3 * c, zero, dv);
      change(&item[i], &y, zero, U + 3 * c, dq);
      for (int k = 0; k < 3; k++) df[k] = ev->cd * dv[k] + ev->ck * dq[k];
      for (int d = 0; d < n; d++) T[d + n * c] = sn_dot(Y + 3 * d, df);
    }
    sn_matrix_add(A, p->groups, p->group, batch->slots + (size_t)batch->slot_stride * (size_t)i, T, n);
  }
}

/* What the fluid takes, f.w, is dissipated; what the wind gives, f.wind, is applied. */
static void drag_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *power) {
  const drag *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    flow y;
    flow_at(&item[i], ev, &y);
    power->damping += sn_dot(y.f, y.w);
    power->applied += sn_dot(y.f, y.wind);
  }
}

static const sn_batch_ops drag_batch = {
    .name = "drag",
    .max_groups = SN_PROBE_GROUPS,
    .groups = drag_groups,
    .residual = drag_residual,
    .tangent = drag_tangent,
    .power = drag_power,
};

/* ---- compile ---- */

static void drag_compile(sn_compiler *c, const sn_spec *spec) {
  const drag_spec *s = (const drag_spec *)(const void *)spec;
  const sn_body *body;
  int elements;
  double l;
  if (!sn_force_line(c, spec, &s->on, &body, &elements, &l)) return;
  for (int k = 0; k < elements * SN_LINE_POINTS; k++) {
    int g = k % SN_LINE_POINTS, element = k / SN_LINE_POINTS;
    double weight = sn_gauss4_weights[g] * l, rho = s->density * s->diameter / 2;
    sn_marker marker;
    if (!sn_line_marker(c, &s->on, (element + sn_gauss4_points[g]) / elements, &marker)) return;
    drag x = {.c = {weight * s->tangential, weight * s->normal},
              .b = {weight * rho * s->tangential_coefficient, weight * rho * s->normal_coefficient},
              .wind = s->wind};
    sn_marker_point(&marker, &x.point);
    if (marker.has_tangent) body->ops->tangent(&marker, &x.tangent);
    if (!marker.has_tangent || x.point.ops != &sn_probe_linear) {
      sn_node_error(&c->reader, s->on.node, "a cable", "a %s cannot have drag", body->ops->kind.name);
      return;
    }
    *(drag *)sn_batch_append(c, &drag_batch, sizeof x) = x;
  }
  c->model->has_power = true;
}

const sn_force_ops sn_drag = {
    .kind = {.name = "drag",
             .category = SN_FORCES,
             .summary = "distributed viscous or aerodynamic drag on a cable",
             .fields = drag_fields,
             .spec_size = sizeof(drag_spec),
             .check = drag_check},
    .compile = drag_compile,
};
