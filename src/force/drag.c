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
 *
 * Coefficients that are expressions of the state, k(t, s), multiply c and b of all points. They add
 *   -dD = (p dc_d + |p| p db_d) d + (dc_c + |w_c| db_c) w_c
 * over the coordinates the expressions depend on; in steps whose matrix has to be positive they are explicit.
 */
#include <math.h>
#include <string.h>

#include "force/fluid.h"
#include "force/forces.h"
#include "joint/quantity.h"
#include "math/constants.h"
#include "math/gauss.h"
#include "math/vec3.h"
#include "model/compile.h"

typedef struct drag_spec {
  sn_spec spec;
  sn_marker_ref on;
  const sn_expr *normal, *tangential, *normal_coefficient, *tangential_coefficient;
  double density, diameter, added_mass_coefficient;
  const sn_expr *wind[3], *level;
  bool buoyancy;
} drag_spec;

static const sn_field drag_fields[] = {
    {"on", SN_MARKER, SN_AT(drag_spec, on), .required = true, .help = "the cable, ANCF beam or plate",
     .example = "my_cable"},
    {"normal", SN_FORMULA, SN_AT(drag_spec, normal), .unit = "N s/m2", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help =
         "viscous drag normal to the line, force per length and velocity; plates: normal to the plate, per area. This "
         "and the three other coefficients may be expressions of t and of the motion, the same for the whole body"},
    {"tangential", SN_FORMULA, SN_AT(drag_spec, tangential), .unit = "N s/m2", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "viscous drag along the line or in the plane of the plate"},
    {"density", SN_REAL, SN_AT(drag_spec, density), .unit = "kg/m3", .def = "1.2", .limits = SN_NOT_NEGATIVE,
     .help = "fluid density, for drag coefficients, added mass and buoyancy"},
    {"diameter", SN_REAL, SN_AT(drag_spec, diameter), .unit = "m", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "diameter exposed to the flow; plates: width, for the added mass", .example = "0.01"},
    {"normal_coefficient", SN_FORMULA, SN_AT(drag_spec, normal_coefficient), .def = "1.2", .limits = SN_NOT_NEGATIVE,
     .help = "drag coefficient C of density/2 C diameter v^2 normal to the line; plates: of density/2 C v^2 per area, "
             "default 0"},
    {"tangential_coefficient", SN_FORMULA, SN_AT(drag_spec, tangential_coefficient), .def = "0",
     .limits = SN_NOT_NEGATIVE, .help = "drag coefficient along the line or in the plane of the plate"},
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

/* Coefficients: across and along viscous, across and along quadratic. */
enum { COEFFICIENTS = 4 };
static const char *const coefficient_names[COEFFICIENTS] = {"normal", "tangential", "normal_coefficient",
                                                            "tangential_coefficient"};

static void coefficients(const drag_spec *s, const sn_expr *f[COEFFICIENTS]) {
  f[0] = s->normal, f[1] = s->tangential, f[2] = s->normal_coefficient, f[3] = s->tangential_coefficient;
}

/* Does it act? What depends on the state may. */
static bool acts(const sn_expr *f) {
  return !sn_expr_is_constant(f) || sn_expr_value(f, 0) > 0;
}

static bool is_positive(sn_reader *reader, const sn_spec *spec) {
  const sn_expr *f[COEFFICIENTS];
  coefficients((const drag_spec *)(const void *)spec, f);
  for (int k = 0; k < COEFFICIENTS; k++) {
    if (!sn_expr_is_constant(f[k]) || sn_expr_value(f[k], 0) >= 0) continue;
    sn_field_error(reader, spec, coefficient_names[k], NULL, "%s must be at least 0%s, not %.10g", coefficient_names[k],
                   k < 2 ? " N s/m2" : "", sn_expr_value(f[k], 0));
    return false;
  }
  return true;
}

static void drag_check(sn_reader *reader, const sn_spec *spec) {
  const drag_spec *s = (const drag_spec *)(const void *)spec;
  const double *g = reader->document->gravity;
  if (!is_positive(reader, spec)) return;
  bool plate_alone = s->buoyancy || (sn_given(spec, "normal_coefficient") && acts(s->normal_coefficient)) ||
                     acts(s->tangential_coefficient);
  if (!acts(s->normal) && !acts(s->tangential) && s->diameter == 0 && !plate_alone)
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

/* Coefficients that are expressions of the state. */
typedef struct live {
  const sn_formula *f[COEFFICIENTS]; /* of c[0], c[1], b[0], b[1]; NULL: it is a number, and in them */
} live;

typedef struct drag {
  const sn_fluid_point *x;
  const live *live;            /* NULL: all are numbers */
  sn_group_set set;            /* live: groups of the point, then of the expressions */
  const int *at[COEFFICIENTS]; /* live: local coordinates of the groups of each expression */
} drag;

typedef struct load {
  sn_flow y;
  double w[3], wc[3];
  double p, speed; /* w.d, |w_c| */
  double c[2], b[2];
  double a[2]; /* along d and across */
  double D[3], rest[3], f[3];
} load;

static void load_at(const drag *item, const sn_eval *ev, bool derivatives, load *l) {
  const sn_fluid_point *x = item->x;
  sn_flow *y = &l->y;
  for (int k = 0; k < 2; k++) l->c[k] = x->c[k], l->b[k] = x->b[k];
  for (int k = 0; item->live && k < COEFFICIENTS; k++)
    if (item->live->f[k]) (k < 2 ? l->c : l->b)[k % 2] *= sn_formula_value(item->live->f[k], ev);
  sn_flow_at(x, ev, derivatives, y);
  sn_sub(l->w, y->v, y->u);
  l->p = sn_dot(l->w, y->d);
  sn_copy(l->wc, l->w);
  sn_axpy(l->wc, -l->p, y->d);
  l->speed = sn_norm(l->wc);
  l->a[0] = l->c[0] + l->b[0] * fabs(l->p);
  l->a[1] = l->c[1] + l->b[1] * l->speed;
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
    load_at(&item[i], ev, false, &l);
    sn_scale(l.f, -1, l.f);
    item[i].x->point.ops->apply(&item[i].x->point, ev->q, l.f, r);
  }
}

/* -dD for changes dw, dd; see the top */
static void drag_change(const load *l, const double dw[3], const double dd[3], double df[3]) {
  const double *d = l->y.d;
  double h = l->a[0] - l->a[1];
  double dp = sn_dot(dw, d) + sn_dot(l->w, dd), dt = l->b[0] * (l->p < 0 ? -dp : dp);
  double dn = l->speed > 0 ? l->b[1] * (sn_dot(l->wc, dw) - l->p * sn_dot(l->w, dd)) / l->speed : 0;
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
  drag_change(l, dw, dd, df);
  sn_added_part(x, y->d, da, moved);
  sn_added_part_change(x, y->d, dd, y->acceleration, turned);
  for (int k = 0; k < 3; k++)
    df[k] = y->wet * (df[k] - x->displaced * da[k] - x->added * (moved[k] + turned[k])) - dwet * (l->D[k] + l->rest[k]);
}

/* T[n x n] of the point alone */
static void point_tangent(const drag *item, const sn_eval *ev, const double *Y, load *l, double *T) {
  static const double zero[3] = {0, 0, 0};
  const sn_fluid_point *x = item->x;
  double U[2][3 * SN_PROBE_COORDINATES] = {{0}};
  const int n = x->point.count;
  load_at(item, ev, true, l);
  for (int k = 0; k <= x->plate; k++) x->slope[k].ops->jacobian(&x->slope[k], ev->q, U[k]);
  for (int c = 0; c < n; c++) {
    double dv[3], dq[3], dd[3], df[3];
    sn_direction_change(x, &l->y, U[0] + 3 * c, U[1] + 3 * c, dd);
    change(x, l, zero, zero, Y + 3 * c, dv);
    change(x, l, Y + 3 * c, dd, zero, dq);
    for (int k = 0; k < 3; k++) df[k] = ev->cd * dv[k] + ev->ck * dq[k];
    for (int d = 0; d < n; d++) T[d + n * c] = sn_dot(Y + 3 * d, df);
  }
}

static void drag_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const drag *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_probe *p = &item[i].x->point;
    double Y[3 * SN_PROBE_COORDINATES], T[SN_PROBE_COORDINATES * SN_PROBE_COORDINATES];
    load l;
    p->ops->jacobian(p, ev->q, Y);
    point_tangent(&item[i], ev, Y, &l, T);
    sn_matrix_add(A, p->groups, p->group, batch->slots + (size_t)batch->slot_stride * (size_t)i, T, p->count);
  }
}

/* -dD/dk of coefficient k, times Y' */
static void push_of(const drag *item, const load *l, int k, const double *Y, double *b) {
  const sn_fluid_point *x = item->x;
  const double size = k == 0   ? x->c[0] * l->p
                      : k == 1 ? x->c[1]
                      : k == 2 ? x->b[0] * fabs(l->p) * l->p
                               : x->b[1] * l->speed;
  for (int d = 0; d < x->point.count; d++) b[d] = l->y.wet * size * sn_dot(Y + 3 * d, k % 2 == 0 ? l->y.d : l->wc);
}

static void live_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const drag *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const drag *x = &item[i];
    const sn_probe *p = &x->x->point;
    enum { ND = SN_PROBE_COORDINATES, N = SN_FORMULA_LOCAL };
    double Y[3 * ND], own[ND * ND], b[ND], row[N], T[N * N];
    const int nd = p->count, n = x->set.n;
    load l;
    memset(T, 0, (size_t)n * (size_t)n * sizeof(double));
    p->ops->jacobian(p, ev->q, Y);
    point_tangent(x, ev, Y, &l, own);
    for (int c = 0; c < nd; c++)
      for (int d = 0; d < nd; d++) T[d + n * c] += own[d + nd * c];
    for (int k = 0; k < COEFFICIENTS && !A->positive; k++) {
      if (!x->live->f[k]) continue;
      push_of(x, &l, k, Y, b);
      sn_formula_row(x->live->f[k], ev, row);
      sn_formula_spread(x->live->f[k], x->at[k], row, nd, b, 1, T, n);
    }
    sn_matrix_add(A, x->set.count, x->set.group, batch->slots + (size_t)batch->slot_stride * (size_t)i, T, n);
  }
}

static int live_groups(const sn_batch *batch, int i, int *groups) {
  const sn_group_set *set = &((const drag *)batch->data)[i].set;
  memcpy(groups, set->group, (size_t)set->count * sizeof(int));
  return set->count;
}

/* What the fluid takes, D.w, is dissipated; what it gives, D.u and the pressure, is applied. */
static void drag_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *power) {
  const drag *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    load l;
    load_at(&item[i], ev, false, &l);
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

static const sn_batch_ops live_batch = {
    .name = "drag that depends on the state",
    .max_groups = SN_FORMULA_GROUPS,
    .groups = live_groups,
    .residual = drag_residual,
    .tangent = live_tangent,
    .power = drag_power,
};

/* ---- compile ---- */

/* Numbers of the coefficients, 1 where they are expressions, and those; false after reporting. In *of NULL: there are
 * none. Order of the fields; that of c and b is found by add_point. */
static bool read_coefficients(sn_compiler *c, const drag_spec *s, double value[COEFFICIENTS], const live **of) {
  const sn_expr *f[COEFFICIENTS];
  live *x = NULL;
  coefficients(s, f);
  for (int k = 0; k < COEFFICIENTS; k++) {
    value[k] = sn_expr_is_constant(f[k]) ? sn_expr_value(f[k], 0) : 1;
    if (sn_expr_is_constant(f[k])) continue;
    if (!x) x = SN_NEW(c->arena, live, 1);
    x->f[k] = sn_make_formula(c, s->spec.name, f[k], 0, NULL);
    if (!x->f[k]) return false;
    sn_list_formula(c, x->f[k]);
  }
  *of = x;
  c->model->unsymmetric |= x != NULL;
  return true;
}

/* Of a plate the first direction, d, is the normal; of a line, the tangent. */
static void add_point(sn_compiler *c, const sn_fluid_point *x, const live *fields) {
  sn_fluid_point *point = SN_NEW(c->arena, sn_fluid_point, 1);
  *point = *x;
  if (x->added > 0) sn_add_added_mass(c, point);
  if (!fields) {
    *(drag *)sn_batch_append(c, &drag_batch, sizeof(drag)) = (drag){.x = point};
    return;
  }
  live *own = SN_NEW(c->arena, live, 1);
  drag item = {.x = point, .live = own};
  for (int g = 0; g < point->point.groups; g++)
    sn_group_set_add(&item.set, point->point.group[g], point->point.size[g]);
  for (int k = 0; k < COEFFICIENTS; k++) {
    own->f[k] = fields->f[x->plate ? k : k / 2 * 2 + 1 - k % 2];
    item.at[k] = own->f[k] ? sn_place_formula(c, own->f[k], &item.set) : NULL;
    if (own->f[k] && !item.at[k]) return;
  }
  *(drag *)sn_batch_append(c, &live_batch, sizeof(drag)) = item;
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
  const live *of = NULL;
  double k4[COEFFICIENTS], rho = s->density / 2;
  if (!read_coefficients(c, s, k4, &of)) return;
  if (!sn_given(s, "normal_coefficient")) k4[2] = 0;
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
                        .c = {w * k4[0], w * k4[1]},
                        .b = {w * rho * k4[2], w * rho * k4[3]},
                        .displaced = s->buoyancy ? w * s->density * geometry->size[0] : 0,
                        .added = w * s->density * SN_PI / 4 * s->diameter * s->added_mass_coefficient};
    sn_marker_point(&marker, &x.point);
    for (int a = 0; a < 2; a++) body->ops->slope(&marker, a, &x.slope[a]);
    add_point(c, &x, of);
  }
}

/* Parts of each element with four points each: a wind that differs from place to place may be narrower than an element. */
static int pieces_of(const sn_fluid *fluid, int elements) {
  const int least = 32; /* along the line */
  return fluid->varies && elements < least ? (least + elements - 1) / elements : 1;
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
  const live *of = NULL;
  double k4[COEFFICIENTS];
  if (!read_coefficients(c, s, k4, &of)) return;
  const int pieces = pieces_of(fluid, elements);
  for (int k = 0; k < elements * pieces * SN_LINE_POINTS; k++) {
    const int g = k % SN_LINE_POINTS, piece = k / SN_LINE_POINTS;
    double weight = sn_gauss4_weights[g] * length / pieces, rho = s->density * s->diameter / 2;
    double displaced = weight * s->density * SN_PI / 4 * s->diameter * s->diameter;
    sn_marker marker;
    if (!sn_line_marker(c, &s->on, (piece + sn_gauss4_points[g]) / (elements * pieces), &marker)) return;
    sn_fluid_point x = {.fluid = fluid,
                        .c = {weight * k4[1], weight * k4[0]},
                        .b = {weight * rho * k4[3], weight * rho * k4[2]},
                        .displaced = s->buoyancy ? displaced : 0,
                        .added = displaced * s->added_mass_coefficient};
    sn_marker_point(&marker, &x.point);
    if (marker.has_tangent) body->ops->tangent(&marker, &x.slope[0]);
    if (!marker.has_tangent || x.point.ops != &sn_probe_linear) {
      sn_node_error(&c->reader, s->on.node, "a cable", "a %s cannot have drag", body->ops->kind.name);
      return;
    }
    add_point(c, &x, of);
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
