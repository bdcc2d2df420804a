/* drag.c - load of a fluid on a line, per reference length, or on a plate, per reference area, at Gauss points.
 *
 *   line: d = r_x/|r_x|; plate: d = r_x x r_y/|r_x x r_y|;   w = v - u,  p = w.d,  w_d = p d,  w_c = w - w_d
 *   f = wet (D + m (a_u - g) + m_a P a_u)
 *   D = -(a_d w_d + a_c w_c),   a_d = c_d + b_d |p|,   a_c = c_c + b_c |w_c|
 *   Q = int S'f dx
 *
 * with b = rho d C/2 of a line, rho C/2 of a plate; m the displaced mass, m_a the added mass, P its directions, a_u the
 * acceleration of the fluid (Morison's equation; fluid.c). Inertia of the added mass: added_mass.c.
 *
 * With h = a_d - a_c the derivatives of D are, for changes dw and dd:
 *   -dD = a_c dw + h (p dd + (dw.d + w.dd) d) + w_d da_d + w_c da_c
 *   da_d = b_d sign(p) (dw.d + w.dd),   da_c = b_c (w_c.dw - p w.dd)/|w_c|
 */
#include <math.h>
#include <string.h>

#include "force/fluid.h"
#include "force/forces.h"
#include "math/constants.h"
#include "math/gauss.h"
#include "math/vec3.h"
#include "model/compile.h"

typedef struct drag_spec {
  sn_spec spec;
  sn_marker_ref on;
  double normal, tangential;
  double density, diameter, normal_coefficient, tangential_coefficient, added_mass_coefficient;
  const sn_expr *wind[3], *level;
  bool buoyancy;
} drag_spec;

static const sn_field drag_fields[] = {
    {"on", SN_MARKER, SN_AT(drag_spec, on), .required = true, .help = "the cable, ANCF beam or plate",
     .example = "my_cable"},
    {"normal", SN_REAL, SN_AT(drag_spec, normal), .unit = "N s/m2", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "viscous drag normal to the line, force per length and velocity; plates: normal to the plate, per area"},
    {"tangential", SN_REAL, SN_AT(drag_spec, tangential), .unit = "N s/m2", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "viscous drag along the line or in the plane of the plate"},
    {"density", SN_REAL, SN_AT(drag_spec, density), .unit = "kg/m3", .def = "1.2", .limits = SN_NOT_NEGATIVE,
     .help = "fluid density, for drag coefficients, added mass and buoyancy"},
    {"diameter", SN_REAL, SN_AT(drag_spec, diameter), .unit = "m", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "diameter exposed to the flow; plates: width, for the added mass", .example = "0.01"},
    {"normal_coefficient", SN_REAL, SN_AT(drag_spec, normal_coefficient), .def = "1.2", .limits = SN_NOT_NEGATIVE,
     .help = "drag coefficient C of density/2 C diameter v^2 normal to the line; plates: of density/2 C v^2 per area, "
             "default 0"},
    {"tangential_coefficient", SN_REAL, SN_AT(drag_spec, tangential_coefficient), .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "drag coefficient along the line or in the plane of the plate"},
    {"added_mass_coefficient", SN_REAL, SN_AT(drag_spec, added_mass_coefficient), .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "mass that moves with the line across it, as a part of density pi/4 diameter^2 per length; plates: along "
             "the normal, of density pi/4 diameter per area"},
    {"buoyancy", SN_BOOL, SN_AT(drag_spec, buoyancy), .def = "false",
     .help = "weight of the displaced fluid, of a circle of that diameter or of the thickness of the plate"},
    {"wind", SN_FIELD3, SN_AT(drag_spec, wind), .unit = "m/s", .def = "[0, 0, 0]", .help = "fluid velocity"},
    {"level", SN_FIELD, SN_AT(drag_spec, level), .unit = "m",
     .help = "height of the free surface, from the origin against gravity; default: no surface",
     .example = "0.2*sin(x - t)"},
    {0},
};

static void drag_check(sn_reader *reader, const sn_spec *spec) {
  const drag_spec *s = (const drag_spec *)(const void *)spec;
  const double *g = reader->document->gravity;
  bool plate_alone = s->buoyancy || (sn_given(spec, "normal_coefficient") && s->normal_coefficient > 0) ||
                     s->tangential_coefficient > 0;
  if (s->normal == 0 && s->tangential == 0 && s->diameter == 0 && !plate_alone)
    sn_field_error(reader, spec, NULL, "'normal' and 'tangential', or a 'diameter'", "drag '%s' is nothing",
                   spec->name);
  else if (s->added_mass_coefficient > 0 && !(s->diameter > 0 && s->density > 0))
    sn_field_error(reader, spec, "added_mass_coefficient", "a 'diameter' and a 'density' above 0",
                   "the added mass of drag '%s' is nothing", spec->name);
  else if ((s->buoyancy || s->level) && g[0] == 0 && g[1] == 0 && g[2] == 0)
    sn_field_error(reader, spec, s->buoyancy ? "buoyancy" : "level", "a model with 'gravity'",
                   "there is no up for the %s of drag '%s'", s->buoyancy ? "buoyancy" : "level", spec->name);
}

/* ---- instances ---- */

typedef struct drag {
  const sn_fluid_point *x;
} drag;

typedef struct load {
  sn_flow y;
  double w[3], wc[3];
  double p, speed; /* w.d, |w_c| */
  double a[2];     /* along d and across */
  double D[3], rest[3], f[3];
} load;

static void load_at(const sn_fluid_point *x, const sn_eval *ev, bool derivatives, load *l) {
  sn_flow *y = &l->y;
  sn_flow_at(x, ev, derivatives, y);
  sn_sub(l->w, y->v, y->u);
  l->p = sn_dot(l->w, y->d);
  sn_copy(l->wc, l->w);
  sn_axpy(l->wc, -l->p, y->d);
  l->speed = sn_norm(l->wc);
  l->a[0] = x->c[0] + x->b[0] * fabs(l->p);
  l->a[1] = x->c[1] + x->b[1] * l->speed;
  sn_scale(l->D, -l->a[0] * l->p, y->d);
  sn_axpy(l->D, -l->a[1], l->wc);
  sn_added_part(x, y->d, y->acceleration, l->rest);
  for (int k = 0; k < 3; k++) {
    l->rest[k] = x->added * l->rest[k] + x->displaced * (y->acceleration[k] - ev->gravity[k]);
    l->f[k] = y->wet * (l->D[k] + l->rest[k]);
  }
}

static int drag_groups(const sn_batch *batch, int i, int *groups) {
  const sn_probe *p = &((const drag *)batch->data)[i].x->point;
  for (int g = 0; g < p->groups; g++) groups[g] = p->group[g];
  return p->groups;
}

static void drag_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const drag *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    load l;
    load_at(item[i].x, ev, false, &l);
    sn_scale(l.f, -1, l.f);
    item[i].x->point.ops->apply(&item[i].x->point, ev->q, l.f, r);
  }
}

/* -dD for changes dw, dd; see the top */
static void drag_change(const sn_fluid_point *x, const load *l, const double dw[3], const double dd[3], double df[3]) {
  const double *d = l->y.d;
  double h = l->a[0] - l->a[1];
  double dp = sn_dot(dw, d) + sn_dot(l->w, dd), dt = x->b[0] * (l->p < 0 ? -dp : dp);
  double dn = l->speed > 0 ? x->b[1] * (sn_dot(l->wc, dw) - l->p * sn_dot(l->w, dd)) / l->speed : 0;
  for (int k = 0; k < 3; k++) df[k] = l->a[1] * dw[k] + (h * dp + dt * l->p) * d[k] + h * l->p * dd[k] + dn * l->wc[k];
}

/* -df for changes of place, direction and velocity */
static void change(const sn_fluid_point *x, const load *l, const double dr[3], const double dd[3], const double dv[3],
                   double df[3]) {
  const sn_flow *y = &l->y;
  double dw[3], da[3], moved[3], turned[3], dwet = sn_dot(y->slant, dr);
  for (int i = 0; i < 3; i++) {
    dw[i] = dv[i] - sn_dot(y->G[i], dr);
    da[i] = sn_dot(y->H[i], dr);
  }
  drag_change(x, l, dw, dd, df);
  sn_added_part(x, y->d, da, moved);
  sn_added_part_change(x, y->d, dd, y->acceleration, turned);
  for (int k = 0; k < 3; k++)
    df[k] = y->wet * (df[k] - x->displaced * da[k] - x->added * (moved[k] + turned[k])) - dwet * (l->D[k] + l->rest[k]);
}

static void drag_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  static const double zero[3] = {0, 0, 0};
  const drag *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_fluid_point *x = item[i].x;
    const sn_probe *p = &x->point;
    double Y[3 * SN_PROBE_COORDINATES], U[2][3 * SN_PROBE_COORDINATES] = {{0}};
    double T[SN_PROBE_COORDINATES * SN_PROBE_COORDINATES];
    int n = p->count;
    load l;
    load_at(x, ev, true, &l);
    p->ops->jacobian(p, ev->q, Y);
    for (int k = 0; k <= x->plate; k++) x->slope[k].ops->jacobian(&x->slope[k], ev->q, U[k]);
    for (int c = 0; c < n; c++) {
      double dv[3], dq[3], dd[3], df[3];
      sn_direction_change(x, &l.y, U[0] + 3 * c, U[1] + 3 * c, dd);
      change(x, &l, zero, zero, Y + 3 * c, dv);
      change(x, &l, Y + 3 * c, dd, zero, dq);
      for (int k = 0; k < 3; k++) df[k] = ev->cd * dv[k] + ev->ck * dq[k];
      for (int d = 0; d < n; d++) T[d + n * c] = sn_dot(Y + 3 * d, df);
    }
    sn_matrix_add(A, p->groups, p->group, batch->slots + (size_t)batch->slot_stride * (size_t)i, T, n);
  }
}

/* What the fluid takes, D.w, is dissipated; what it gives, D.u and the pressure, is applied. */
static void drag_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *power) {
  const drag *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    load l;
    load_at(item[i].x, ev, false, &l);
    power->damping += l.y.wet * sn_dot(l.D, l.w);
    power->applied += l.y.wet * (sn_dot(l.D, l.y.u) + sn_dot(l.rest, l.y.v));
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

static void add_point(sn_compiler *c, const sn_fluid_point *x) {
  sn_fluid_point *point = SN_NEW(c->arena, sn_fluid_point, 1);
  *point = *x;
  *(drag *)sn_batch_append(c, &drag_batch, sizeof(drag)) = (drag){point};
  if (x->added > 0) sn_add_added_mass(c, point);
}

static sn_fluid *make_fluid(sn_compiler *c, const drag_spec *s, double height) {
  sn_fluid *fluid = SN_NEW(c->arena, sn_fluid, 1);
  *fluid = (sn_fluid){.level = s->level, .half = height / 2};
  for (int k = 0; k < 3; k++) {
    fluid->velocity[k] = s->wind[k];
    fluid->up[k] = -c->model->document->gravity[k];
    fluid->varies |= sn_expr_has_variables(s->wind[k]);
    fluid->accelerates |= !sn_expr_is_constant(s->wind[k]);
  }
  sn_normalize(fluid->up);
  c->model->has_power = true;
  c->model->unsymmetric |= fluid->varies || s->level;
  return fluid;
}

static void compile_plate(sn_compiler *c, const drag_spec *s, const sn_body *body, const sn_geometry *geometry) {
  const int nx = geometry->grid[0], ny = geometry->grid[1], points = SN_LINE_POINTS * SN_LINE_POINTS;
  const sn_fluid *fluid = make_fluid(c, s, geometry->size[0]);
  double rho = s->density / 2, normal = sn_given(s, "normal_coefficient") ? s->normal_coefficient : 0;
  for (int k = 0; k < nx * ny * points; k++) {
    int i = k % SN_LINE_POINTS, j = k / SN_LINE_POINTS % SN_LINE_POINTS, element = k / points, row = element / nx;
    double w = sn_gauss4_weights[i] * sn_gauss4_weights[j] * geometry->edge[0] * geometry->edge[1];
    sn_marker_ref *ref = SN_NEW(c->arena, sn_marker_ref, 1);
    sn_marker marker;
    *ref = (sn_marker_ref){.body = s->on.body, .point = "at", .count = 2, .node = s->on.node};
    ref->number[0] = (element % nx + sn_gauss4_points[i]) / nx;
    ref->number[1] = (row + sn_gauss4_points[j]) / ny;
    if (!sn_resolve(c, ref, &marker)) return;
    sn_fluid_point x = {.fluid = fluid,
                        .plate = true,
                        .c = {w * s->normal, w * s->tangential},
                        .b = {w * rho * normal, w * rho * s->tangential_coefficient},
                        .displaced = s->buoyancy ? w * s->density * geometry->size[0] : 0,
                        .added = w * s->density * SN_PI / 4 * s->diameter * s->added_mass_coefficient};
    sn_marker_point(&marker, &x.point);
    for (int a = 0; a < 2; a++) body->ops->slope(&marker, a, &x.slope[a]);
    add_point(c, &x);
  }
}

static void drag_compile(sn_compiler *c, const sn_spec *spec) {
  const drag_spec *s = (const drag_spec *)(const void *)spec;
  const sn_body *body = sn_find_body(c, s->on.body);
  sn_geometry geometry = {0};
  int elements;
  double length;
  if (body && body->ops->geometry && body->data) body->ops->geometry(body, &geometry);
  if (geometry.type == SN_GEOMETRY_SURFACE && !s->on.point) {
    compile_plate(c, s, body, &geometry);
    return;
  }
  if (!sn_force_line(c, spec, &s->on, &body, &elements, &length)) return;
  if ((s->level || s->buoyancy) && !(s->diameter > 0)) {
    sn_field_error(&c->reader, spec, s->level ? "level" : "buoyancy", "a 'diameter'", "drag '%s' has no section",
                   spec->name);
    return;
  }
  const sn_fluid *fluid = make_fluid(c, s, s->diameter);
  for (int k = 0; k < elements * SN_LINE_POINTS; k++) {
    int g = k % SN_LINE_POINTS, element = k / SN_LINE_POINTS;
    double weight = sn_gauss4_weights[g] * length, rho = s->density * s->diameter / 2;
    double displaced = weight * s->density * SN_PI / 4 * s->diameter * s->diameter;
    sn_marker marker;
    if (!sn_line_marker(c, &s->on, (element + sn_gauss4_points[g]) / elements, &marker)) return;
    sn_fluid_point x = {.fluid = fluid,
                        .c = {weight * s->tangential, weight * s->normal},
                        .b = {weight * rho * s->tangential_coefficient, weight * rho * s->normal_coefficient},
                        .displaced = s->buoyancy ? displaced : 0,
                        .added = displaced * s->added_mass_coefficient};
    sn_marker_point(&marker, &x.point);
    if (marker.has_tangent) body->ops->tangent(&marker, &x.slope[0]);
    if (!marker.has_tangent || x.point.ops != &sn_probe_linear) {
      sn_node_error(&c->reader, s->on.node, "a cable", "a %s cannot have drag", body->ops->kind.name);
      return;
    }
    add_point(c, &x);
  }
}

const sn_force_ops sn_drag = {
    .kind = {.name = "drag",
             .category = SN_FORCES,
             .summary = "load of a fluid on a cable, beam or plate: drag, added mass, buoyancy",
             .fields = drag_fields,
             .spec_size = sizeof(drag_spec),
             .check = drag_check},
    .compile = drag_compile,
};
