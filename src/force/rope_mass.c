/* rope_mass.c - the mass of ropes through pulleys: inertia, weight, momentum.
 *
 *   r = X' f(x, x', x''),   X = dx/dq,   x' = X v,   x'' = X a + (X v)_q v         f: rope_inertia.c
 *   column j of the tangent = X' df + ck f.(d2x/dq2)_j,   df = Im f(x + i h dx, x' + i h dx', x'' + i h dx'')/h
 *   dx = ck X_j,   dx' = ck (X v)_qj + cd X_j,   dx'' = ck (ci (X a)_qj + ((X v)_q v)_qj) + 2 cd (X v)_qj + cm X_j
 *
 * The complex step is exact: there are no differences in it.
 */
#include "force/rope_mass.h"

#include <math.h>
#include <string.h>

#include "math/vec3.h"

enum { S = SN_ROPE_SCALARS, N = SN_ROPE_LOCAL, X = SN_ROPE_MOTION };

static int motion_size(const sn_rope *rope) {
  return sn_rope_at_scalar(rope, rope->scalars);
}

/* The probes of x and their places: centers and axes. */
static const sn_probe *probe_of(const sn_rope *rope, int i, int *place) {
  *place = 3 * i;
  return i < rope->stops ? &rope->stop[i].center : &rope->axis[i - rope->stops];
}

/* Does w of this stop carry rope? In the plane, without slip: it is an angle among the coordinates of its body. */
static bool winds(const sn_rope_stop *stop) {
  return stop->w >= 0 && stop->grip == SN_ROPE_NO_SLIP;
}

static void motion_at(const sn_rope *rope, const sn_eval *ev, sn_cx x[3][X]) {
  for (int i = 0; i < rope->stops + 3; i++) {
    int at;
    const sn_probe *p = probe_of(rope, i, &at);
    double y[3], rate[3], accel[3], more[3];
    p->ops->value(p, ev->q, y);
    p->ops->rate(p, ev->q, ev->v, rate);
    p->ops->rate(p, ev->q, ev->a, accel);
    p->ops->convective(p, ev->q, ev->v, more);
    for (int k = 0; k < 3; k++) {
      x[0][at + k] = y[k];
      x[1][at + k] = rate[k];
      x[2][at + k] = ev->ci * accel[k] + more[k];
    }
  }
  for (int r = 0; r < 3; r++)
    for (int s = 0; s < rope->scalars; s++) x[r][sn_rope_at_scalar(rope, s)] = 0;
  for (int k = 0; k < rope->stops; k++) {
    const sn_rope_stop *stop = &rope->stop[k];
    if (winds(stop)) {
      const int at = sn_rope_at_scalar(rope, stop->w);
      sn_phi phi;
      sn_phi_at(&stop->angle, ev->q, &phi);
      x[0][at] = phi.value;
      x[1][at] = sn_phi_rate(&stop->angle, &phi, ev->q, ev->v);
      x[2][at] = ev->ci * sn_phi_rate(&stop->angle, &phi, ev->q, ev->a);
    }
    if (stop->tau >= 0) {
      const int at = sn_rope_at_scalar(rope, stop->tau);
      x[0][at] = ev->q[stop->flow];
      x[1][at] = ev->v[stop->flow];
      x[2][at] = ev->ci * ev->a[stop->flow];
    }
  }
}

/* ---- residual ---- */

static int mass_groups(const sn_batch *batch, int i, int *groups) {
  const sn_rope *rope = ((const sn_rope_mass *)batch->data)[i].rope;
  memcpy(groups, rope->group, (size_t)rope->groups * sizeof *groups);
  return rope->groups;
}

static void mass_residual(const sn_batch *batch, sn_range range, const sn_eval *ev, double *r) {
  const sn_rope_mass *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_rope *rope = item[i].rope;
    sn_cx x[3][X];
    sn_rope_inertia y;
    motion_at(rope, ev, x);
    sn_rope_inertia_at(&item[i], ev->gravity, x, &y);
    for (int k = 0; k < rope->stops + 3; k++) {
      int at;
      const sn_probe *p = probe_of(rope, k, &at);
      const double f[3] = {creal(y.f[at]), creal(y.f[at + 1]), creal(y.f[at + 2])};
      p->ops->apply(p, ev->q, f, r);
    }
    for (int k = 0; k < rope->stops; k++) {
      const sn_rope_stop *stop = &rope->stop[k];
      if (stop->tau >= 0) r[stop->flow] += creal(y.f[sn_rope_at_scalar(rope, stop->tau)]);
      if (!winds(stop)) continue;
      sn_phi phi;
      sn_phi_at(&stop->angle, ev->q, &phi);
      for (int p = 0; p < stop->angle.probes; p++) {
        double f[3];
        sn_scale(f, creal(y.f[sn_rope_at_scalar(rope, stop->w)]), phi.g[p]);
        stop->angle.probe[p].ops->apply(&stop->angle.probe[p], ev->q, f, r);
      }
    }
  }
}

/* ---- tangent ---- */

typedef struct slopes { /* of x over the local coordinates */
  double x[X][N];       /* X */
  double v[X][N];       /* (X v)_q */
  double a[X][N];       /* ci (X a)_q + ((X v)_q v)_q */
} slopes;

static void probe_slopes(const sn_rope *rope, const sn_probe *p, const sn_eval *ev, int at, slopes *y) {
  double J[3 * SN_PROBE_COORDINATES], M[3 * SN_PROBE_COORDINATES];
  if (p->groups == 0) return;
  p->ops->jacobian(p, ev->q, J);
  sn_rope_gather(rope, p, J, 1, &y->x[at]);
  if (p->ops->rate_jacobian) {
    p->ops->rate_jacobian(p, ev->q, ev->v, M);
    sn_rope_gather(rope, p, M, 1, &y->v[at]);
    p->ops->rate_jacobian(p, ev->q, ev->a, M);
    sn_rope_gather(rope, p, M, ev->ci, &y->a[at]);
  }
  sn_probe_convective_jacobian(p, ev->q, ev->v, M);
  sn_rope_gather(rope, p, M, 1, &y->a[at]);
}

static void motion_slopes(const sn_rope *rope, const sn_eval *ev, slopes *y) {
  const size_t size = sizeof(double[N]) * (size_t)motion_size(rope);
  memset(y->x, 0, size);
  memset(y->v, 0, size);
  memset(y->a, 0, size);
  for (int i = 0; i < rope->stops + 3; i++) {
    int at;
    const sn_probe *p = probe_of(rope, i, &at);
    probe_slopes(rope, p, ev, at, y);
  }
  for (int k = 0; k < rope->stops; k++) {
    const sn_rope_stop *stop = &rope->stop[k];
    if (stop->tau >= 0) y->x[sn_rope_at_scalar(rope, stop->tau)][sn_rope_offset(rope, stop->flow_group)] = 1;
    if (!winds(stop)) continue;
    sn_phi phi;
    sn_phi_at(&stop->angle, ev->q, &phi);
    for (int p = 0; p < stop->angle.probes; p++) {
      double J[3 * SN_PROBE_COORDINATES], to[3][N] = {{0}};
      const sn_probe *probe = &stop->angle.probe[p];
      if (probe->groups == 0) continue;
      probe->ops->jacobian(probe, ev->q, J);
      sn_rope_gather(rope, probe, J, 1, to);
      for (int j = 0; j < rope->local; j++)
        y->x[sn_rope_at_scalar(rope, stop->w)][j] += sn_dot(phi.g[p], (double[3]){to[0][j], to[1][j], to[2][j]});
    }
  }
}

static void add_column(const sn_rope_mass *mass, const sn_eval *ev, const slopes *d, sn_cx base[3][X], int j,
                       double *T) {
  const double h = 1e-30;
  const int n = motion_size(mass->rope);
  sn_cx x[3][X];
  sn_rope_inertia y;
  for (int i = 0; i < n; i++) {
    const double X_j = d->x[i][j], V_j = d->v[i][j];
    x[0][i] = base[0][i] + I * (h * ev->ck * X_j);
    x[1][i] = base[1][i] + I * (h * (ev->ck * V_j + ev->cd * X_j));
    x[2][i] = base[2][i] + I * (h * (ev->ck * d->a[i][j] + 2 * ev->cd * V_j + ev->cm * X_j));
  }
  sn_rope_inertia_at(mass, ev->gravity, x, &y);
  for (int i = 0; i < n; i++) {
    const double df = cimag(y.f[i]) / h;
    for (int k = 0; df != 0 && k < mass->rope->local; k++) T[k] += d->x[i][k] * df;
  }
}

static void mass_tangent(const sn_batch *batch, sn_range range, const sn_eval *eval, sn_matrix *A) {
  const sn_rope_mass *item = batch->data;
  sn_eval ev = *eval;
  slopes d;
  double T[N][N];
  if (ev.kick) ev.cd = ev.ck = 0;
  for (int i = range.first; i < range.last; i++) {
    const sn_rope *rope = item[i].rope;
    sn_cx x[3][X];
    sn_rope_inertia y;
    motion_at(rope, &ev, x);
    motion_slopes(rope, &ev, &d);
    for (int j = 0; j < rope->local; j++) {
      memset(T[j], 0, sizeof(double) * (size_t)rope->local);
      add_column(&item[i], &ev, &d, x, j, T[j]);
    }
    sn_rope_inertia_at(&item[i], ev.gravity, x, &y);
    for (int k = 0; ev.ck != 0 && k < rope->stops + 3; k++) {
      int at;
      const sn_probe *p = probe_of(rope, k, &at);
      const double f[3] = {creal(y.f[at]), creal(y.f[at + 1]), creal(y.f[at + 2])};
      sn_rope_add_hessian(rope, p, ev.q, ev.ck, f, T);
    }
    sn_matrix_add(A, rope->groups, rope->group, batch->slots + (size_t)batch->slot_stride * (size_t)i, T[0], N);
  }
}

/* ---- audit ---- */

static void balance_at(const sn_rope_mass *mass, const sn_eval *eval, sn_cx x[3][X], sn_rope_inertia *y) {
  sn_eval ev = *eval;
  ev.a = ev.v, ev.ci = 0; /* accelerations do not count */
  motion_at(mass->rope, &ev, x);
  sn_rope_inertia_at(mass, ev.gravity, x, y);
}

static void mass_energy(const sn_batch *batch, sn_range range, const sn_eval *ev, sn_energy *energy) {
  const sn_rope_mass *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    sn_cx x[3][X];
    sn_rope_inertia y;
    balance_at(&item[i], ev, x, &y);
    energy->kinetic += creal(y.kinetic);
    energy->gravity += creal(y.weight);
  }
}

/* Linear: sum of p; angular: sum of c x p, and rho times the momentum of the flow about the axis. */
static void mass_momentum(const sn_batch *batch, sn_range range, const sn_eval *ev, double out[6]) {
  const sn_rope_mass *item = batch->data;
  for (int i = range.first; i < range.last; i++) {
    const sn_rope *rope = item[i].rope;
    sn_cx x[3][X];
    sn_rope_inertia y;
    balance_at(&item[i], ev, x, &y);
    for (int k = 0; k < rope->stops; k++) {
      double c[3], p[3], L[3], axis[3];
      for (int b = 0; b < 3; b++) {
        c[b] = creal(x[0][3 * k + b]);
        p[b] = creal(y.p[k][b]);
        axis[b] = creal(x[0][sn_rope_at_axis(rope, 2) + b]);
      }
      sn_cross(L, c, p);
      sn_axpy(out, 1, p);
      sn_axpy(out + 3, 1, L);
      sn_axpy(out + 3, rope->stop[k].rho * creal(y.along[k]), axis);
    }
  }
}

/* Friction takes the tension of a segment, which is that in its middle: at the pulley it differs by the weight between. */
static bool is_heavy(const sn_rope_mass *mass, const sn_rope_path *path, const sn_rope_stop *stop, int span,
                     int segment) {
  const double counts = 0.02;
  const sn_rope_segment *x = &mass->rope->segment[segment];
  double l = x->arc, l0 = x->rest;
  for (int s = 0; s < mass->rope->scalars; s++) l += x->l[s] * path->z[s], l0 += x->l0[s] * path->z[s];
  const double strain = l / l0 - 1, unstretched = 1e-12; /* as ropes start that are given no tension */
  if (fabs(strain) < unstretched) return false;
  const double tension = mass->rope->EA * fmax(strain, 0);
  const double weight = mass->rope->per_length * fabs(sn_dot(mass->gravity, path->span[span].d)) / 2;
  return stop->mu > 0 && weight > counts * tension;
}

static const char *mass_doubt(const sn_batch *batch, int i, const double *q, bool *bad) {
  const sn_rope_mass *mass = (const sn_rope_mass *)batch->data + i;
  const sn_rope *rope = mass->rope;
  sn_rope_path path;
  *bad = true;
  sn_rope_path_at(rope, q, q, false, &path);
  for (int k = 0; k < rope->stops; k++) {
    double y = mass->arc[k].length;
    if (rope->closed || (k > 0 && k + 1 < rope->stops) || rope->stop[k].rho == 0) continue;
    for (int s = 0; s < rope->scalars; s++) y += mass->arc[k].row[s] * path.z[s];
    if (y < -1e-6 * (1 + mass->arc[k].length)) return mass->empty;
  }
  *bad = false;
  for (int k = 0; k < rope->stops; k++) {
    const sn_rope_stop *stop = &rope->stop[k];
    if (stop->grip != SN_ROPE_FRICTION) continue;
    if (is_heavy(mass, &path, stop, sn_rope_arriving(rope, k), stop->before) ||
        is_heavy(mass, &path, stop, sn_rope_leaving(rope, k), stop->after))
      return mass->heavy;
  }
  return NULL;
}

static const sn_batch_ops mass_batch = {
    .name = "masses of ropes",
    .max_groups = SN_ROPE_GROUPS,
    .groups = mass_groups,
    .residual = mass_residual,
    .tangent = mass_tangent,
    .energy = mass_energy,
    .momentum = mass_momentum,
    .doubt = mass_doubt,
};

/* ---- compile ---- */

/* Lengths of a segment up to the ends of its spans, and what enters it, from span `first` on. */
static void make_nodes(sn_rope_mass *mass, int first) {
  const sn_rope *rope = mass->rope;
  const sn_rope_stop *start = &rope->stop[first];
  double length = 0, row[S] = {0}, *inflow = mass->inflow[mass->segment[first]];
  if (start->grip == SN_ROPE_FRICTION) { /* it starts in the middle of the arc */
    memcpy(inflow, start->u, sizeof start->u);
    length = mass->arc[first].length / 2;
    for (int i = 0; i < rope->scalars; i++) row[i] = mass->arc[first].row[i] / 2;
  } else if (start->grip == SN_ROPE_NO_SLIP) {
    memcpy(inflow, mass->arc[first].flow, sizeof mass->arc[first].flow);
    inflow[2 * first + 1] -= start->rho;
  }
  for (int i = first, k; i >= 0; i = rope->stop[k].grip == SN_ROPE_SMOOTH ? sn_rope_leaving(rope, k) : -1) {
    k = sn_rope_next(rope, i);
    for (int end = 0; end < 2; end++) {
      mass->node[i][end].length = length; /* the length of the span is in its row */
      row[2 * i] += end;
      memcpy(mass->node[i][end].row, row, sizeof row);
    }
    length += mass->arc[k].length;
    for (int s = 0; s < rope->scalars; s++) row[s] += mass->arc[k].row[s];
  }
}

static void make_arc(sn_rope_mass *mass, int k, const double wound[2]) {
  const sn_rope *rope = mass->rope;
  const sn_rope_stop *stop = &rope->stop[k];
  const int from = sn_rope_arriving(rope, k), to = sn_rope_leaving(rope, k);
  sn_rope_arc *arc = &mass->arc[k];
  arc->segment[0] = arc->segment[1] = -1;
  if (stop->rho == 0) return;
  if (stop->grip == SN_ROPE_SMOOTH) arc->segment[0] = arc->segment[1] = mass->segment[from];
  if (stop->grip == SN_ROPE_FRICTION) arc->segment[0] = stop->before, arc->segment[1] = stop->after;
  if (to >= 0) arc->row[2 * to + 1] += stop->rho;
  if (from >= 0) arc->row[2 * from + 1] -= stop->rho;
  arc->length = fabs(stop->rho) * stop->wrap;
  if (stop->grip != SN_ROPE_NO_SLIP) return;
  const int flow = stop->tau >= 0 ? stop->tau : stop->w;
  arc->held = true;
  arc->flow[flow] = stop->tau >= 0 ? 1 : stop->rho;
  if (from >= 0 && to >= 0) return;
  arc->length = wound[from < 0 ? 0 : 1]; /* a drum: what it lets out is missing on it */
  arc->row[flow] = from < 0 ? -arc->flow[flow] : arc->flow[flow];
}

void sn_add_rope_mass(sn_compiler *c, const sn_rope *rope, const double wound[2]) {
  sn_rope_mass *mass = sn_batch_append(c, &mass_batch, sizeof(sn_rope_mass));
  *mass = (sn_rope_mass){.rope = rope, .gravity = c->model->gravity};
  for (int i = 0; i < rope->spans; i++)
    while (rope->segment[mass->segment[i]].l[2 * i] == 0) mass->segment[i]++;
  for (int k = 0; k < rope->stops; k++) make_arc(mass, k, wound);
  for (int i = 0; i < rope->spans; i++)
    if (rope->stop[i].grip != SN_ROPE_SMOOTH || (i == 0 && !rope->closed)) make_nodes(mass, i);
  mass->empty = sn_format(c->arena,
                          "more of rope '%s' has run off a drum than was wound on it: give the length on the drum at "
                          "the start, `wound`",
                          rope->name);
  mass->heavy =
      sn_format(c->arena,
                "the weight of rope '%s' between a pulley with friction and the middle of its span is more than "
                "2 %% of its tension, and friction does not count it; possible remedy: a lighter rope, or more "
                "tension",
                rope->name);
}
