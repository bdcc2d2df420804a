/* spring.c - translational spring-damper between two points. */
#include <string.h>

#include "force/forces.h"
#include "math/vec3.h"
#include "model/compile.h"

typedef struct spring_spec {
  sn_spec spec;
  sn_marker_ref between[2];
  double stiffness, damping, length;
  const sn_expr *force;
} spring_spec;

static const sn_field spring_fields[] = {
    {"between", SN_MARKERS, SN_AT(spring_spec, between), .required = true, .help = "two markers",
     .example = "[\"ground.at(0, 1, 0)\", my_body.start]"},
    {"stiffness", SN_REAL, SN_AT(spring_spec, stiffness), .unit = "N/m", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "stiffness", .example = "100"},
    {"damping", SN_REAL, SN_AT(spring_spec, damping), .unit = "N s/m", .def = "0", .limits = SN_NOT_NEGATIVE,
     .help = "damping along the line of the spring"},
    {"length", SN_REAL, SN_AT(spring_spec, length), .unit = "m", .limits = SN_NOT_NEGATIVE,
     .help = "free length; default: the initial distance"},
    {"force", SN_FORMULA, SN_AT(spring_spec, force), .unit = "N", .locals = "stretch|rate",
     .help = "law of the tension, added to that of stiffness and damping: an expression of stretch (length minus free "
             "length, m), rate (of the length, m/s), t and the motion"},
    {0},
};

/* ---- instances ----
 * d = r_j - r_i, L = |d|, e = d/L, P = I - e e':  L' = e.d',  force on j: -F e, on i: +F e
 *   d(F e)/dd  = k e e' + F/L P + c e (P d')'/L,   d(F e)/dd' = c e e'
 * Over a step L1 - L0 = e.(d1 - d0) with e = (d0 + d1)/(L0 + L1), and the mean of L and its rate (L1 - L0)/h give F. */

typedef struct stretch {
  double d[3], e[3], dd[3]; /* difference, direction, rate of the difference */
  double L, F, rate;
} stretch;

static void stretch_at(const sn_spring_item *s, const double *q, const double *v, stretch *x) {
  double y[2][3], yd[2][3];
  for (int k = 0; k < 2; k++) {
    s->probe[k].ops->value(&s->probe[k], q, y[k]);
    s->probe[k].ops->rate(&s->probe[k], q, v, yd[k]);
  }
  sn_sub(x->d, y[1], y[0]);
  sn_sub(x->dd, yd[1], yd[0]);
  sn_copy(x->e, x->d);
  x->L = sn_normalize(x->e); /* ends that meet: e = 0, no force; a direction does not exist there */
  x->rate = sn_dot(x->e, x->dd);
  x->F = s->k * (x->L - s->L0) + s->c * x->rate;
}

void sn_spring_state(const sn_spring_item *s, const double *q, const double *v, double *length, double *force) {
  stretch x;
  stretch_at(s, q, v, &x);
  *length = x.L;
  *force = x.F;
}

static void stretch_over_step(const sn_spring_item *s, const sn_eval *ev, stretch *x) {
  assert(ev->q1 && ev->h != 0);
  double y[2][3], L[2];
  for (int end = 0; end < 2; end++) {
    for (int k = 0; k < 2; k++) s->probe[k].ops->value(&s->probe[k], end ? ev->q1 : ev->q0, y[k]);
    sn_sub(end ? x->dd : x->d, y[1], y[0]);
  }
  L[0] = sn_norm(x->d), L[1] = sn_norm(x->dd);
  x->L = 0.5 * (L[0] + L[1]);
  for (int k = 0; k < 3; k++) x->e[k] = x->L > 0 ? 0.5 * (x->d[k] + x->dd[k]) / x->L : 0;
  x->rate = (L[1] - L[0]) / ev->h;
  x->F = s->k * (x->L - s->L0) + s->c * x->rate;
}

static int spring_groups(const sn_batch *batch, int i, int *groups) {
  const sn_spring_item *s = (const sn_spring_item *)batch->data + i;
  int n = 0;
  for (int k = 0; k < 2; k++)
    for (int g = 0; g < s->probe[k].groups; g++) groups[n++] = s->probe[k].group[g];
  return n;
}

static void spring_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const sn_spring_item *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    stretch x;
    double f[3];
    if (ev->q0)
      stretch_over_step(&item[i], ev, &x);
    else
      stretch_at(&item[i], ev->q, ev->v, &x);
    sn_scale(f, x.F, x.e);
    sn_probe_apply(&item[i].probe[1], ev, f, r);
    sn_scale(f, -1, f);
    sn_probe_apply(&item[i].probe[0], ev, f, r);
  }
}

/* ck d(F e)/dd + cd d(F e)/dd' with respect to changes of d, and C = c e e' for changes of d' through q */
static void spring_stiffness(const sn_spring_item *s, const stretch *x, const sn_eval *ev, double S[3][3],
                             double C[3][3]) {
  double Pd[3], geometric = x->L > 0 ? x->F / x->L : 0;
  for (int a = 0; a < 3; a++) Pd[a] = x->L > 0 ? (x->dd[a] - x->rate * x->e[a]) / x->L : 0;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      double ee = x->e[a] * x->e[b];
      C[a][b] = s->c * ee;
      S[a][b] = ev->ck * (s->k * ee + geometric * ((a == b) - ee) + s->c * x->e[a] * Pd[b]) + ev->cd * C[a][b];
    }
}

static void spring_tangent(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_matrix *A) {
  const sn_spring_item *item = batch->data;
  enum { N = 2 * SN_PROBE_COORDINATES };
  for (int i = range.first; i < range.last; i++) {
    const sn_spring_item *s = &item[i];
    double J[2][3 * SN_PROBE_COORDINATES], V[2][3 * SN_PROBE_COORDINATES] = {{0}}, T[N * N] = {0}, S[3][3], C[3][3];
    int first[2] = {0, s->probe[0].count}, n = first[1] + s->probe[1].count, groups[2 * SN_PROBE_GROUPS];
    stretch x;
    stretch_at(s, ev->q, ev->v, &x);
    spring_stiffness(s, &x, ev, S, C);
    for (int k = 0; k < 2; k++) {
      const sn_probe *p = &s->probe[k];
      p->ops->jacobian(p, ev->q, J[k]);
      if (p->ops->rate_jacobian) p->ops->rate_jacobian(p, ev->q, ev->v, V[k]);
    }
    for (int m = 0; m < 2; m++)
      for (int c = 0; c < s->probe[m].count; c++) {
        double f[3];
        for (int a = 0; a < 3; a++) {
          f[a] = 0;
          for (int b = 0; b < 3; b++) f[a] += S[a][b] * J[m][b + 3 * c] + ev->ck * C[a][b] * V[m][b + 3 * c];
        }
        for (int k = 0; k < 2; k++)
          for (int d = 0; d < s->probe[k].count; d++)
            T[first[k] + d + n * (first[m] + c)] += (k == m ? 1 : -1) * sn_dot(J[k] + 3 * d, f);
      }
    for (int k = 0; k < 2; k++) {
      double f[3];
      sn_scale(f, (k ? 1 : -1) * ev->ck * x.F, x.e);
      if (s->probe[k].ops->hessian) s->probe[k].ops->hessian(&s->probe[k], ev->q, f, T + first[k] * (n + 1), n);
    }
    int count = spring_groups(batch, i, groups);
    sn_matrix_add(A, count, groups, batch->slots + (size_t)batch->slot_stride * (size_t)i, T, n);
  }
}

static void spring_energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *energy) {
  const sn_spring_item *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    stretch x;
    stretch_at(&item[i], ev->q, ev->v, &x);
    energy->spring += 0.5 * item[i].k * (x.L - item[i].L0) * (x.L - item[i].L0);
  }
}

static void spring_power(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_power *power) {
  const sn_spring_item *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    stretch x;
    stretch_at(&item[i], ev->q, ev->v, &x);
    power->damping -= item[i].c * x.rate * x.rate;
  }
}

static const sn_batch_ops spring_batch = {
    .name = "springs",
    .max_groups = 2 * SN_PROBE_GROUPS,
    .groups = spring_groups,
    .residual = spring_residual,
    .tangent = spring_tangent,
    .energy = spring_energy,
    .power = spring_power,
    .discrete = true,
};

/* ---- compile ---- */

static void spring_compile(sn_compiler *c, const sn_spec *spec) {
  const spring_spec *s = (const spring_spec *)(const void *)spec;
  sn_marker marker[2];
  double d[3];
  if (!sn_resolve(c, &s->between[0], &marker[0]) || !sn_resolve(c, &s->between[1], &marker[1])) return;
  sn_sub(d, marker[1].position, marker[0].position);
  if (!(sn_norm(d) > 0)) {
    sn_field_error(&c->reader, spec, "between", "two points apart", "the ends of spring '%s' coincide at the start",
                   spec->name);
    return;
  }
  sn_spring_item *item = sn_batch_append(c, &spring_batch, sizeof *item);
  *item = (sn_spring_item){
      .name = spec->name, .k = s->stiffness, .c = s->damping, .L0 = sn_given(s, "length") ? s->length : sn_norm(d)};
  for (int k = 0; k < 2; k++) sn_marker_point(&marker[k], &item->probe[k]);
  c->model->has_power |= s->damping > 0;
  if (!s->force) return;
  sn_coordinate phi;
  sn_make_distance(marker, &phi);
  phi.c = item->L0;
  sn_add_law(c, spec->name, &phi, s->force);
}

const sn_spring_item *sn_find_spring(const sn_model *model, const char *name) {
  const sn_batch *batch = sn_batch_find(model, &spring_batch);
  const sn_spring_item *item = batch ? batch->data : NULL;
  for (int i = 0; batch && i < batch->count; i++)
    if (strcmp(item[i].name, name) == 0) return &item[i];
  return NULL;
}

const sn_force_ops sn_spring = {
    .kind = {.name = "spring",
             .category = SN_FORCES,
             .summary = "translational spring-damper, linear or with a law",
             .fields = spring_fields,
             .spec_size = sizeof(spring_spec)},
    .compile = spring_compile,
};
