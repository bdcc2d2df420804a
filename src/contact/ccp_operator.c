/* ccp_operator.c - N = D' A^-1 D as an operator: part by part, then contact by contact.
 *
 * Sums over the contacts of a part run in the order of the contacts, on one thread: the result does not depend on the
 * number of threads.
 */
#include <string.h>

#include "contact/ccp_problem.h"

/* ---- A^-1 = F F' of a small part ---- */

/* Cholesky with diagonal pivoting of the semidefinite S[n][n]: S = F F', the columns of F one after the other. The
 * inverse of a body whose quaternion has unit length is of rank 6 over its 7 coordinates. */
static void semidefinite_root(int n, double *S, double *F) {
  double largest = 0;
  memset(F, 0, SN_SMALL * SN_SMALL * sizeof(double));
  for (int i = 0; i < n; i++) largest = fmax(largest, S[i * n + i]);
  for (int k = 0; k < n; k++) {
    int p = 0;
    for (int i = 1; i < n; i++)
      if (S[i * n + i] > S[p * n + p]) p = i;
    if (!(S[p * n + p] > 1e-13 * largest)) return;
    double *column = F + k * SN_SMALL, root = 1 / sqrt(S[p * n + p]);
    for (int i = 0; i < n; i++) column[i] = S[p * n + i] * root;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) S[i * n + j] -= column[i] * column[j];
  }
}

static void invert_part(sn_ccp *c, int part, int group) {
  sn_part_invert(&c->parts, part);
  c->inverted[part] = true;
  if (c->small[part] < 0) return;
  int n = c->matrix->size[group], down, right;
  const double *Z = sn_part_inverse(&c->parts, group, group, &down, &right);
  double S[SN_SMALL * SN_SMALL];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) S[i * n + j] = 0.5 * (Z[i * down + j * right] + Z[j * down + i * right]);
  semidefinite_root(n, S, c->F + (size_t)c->small[part] * SN_SMALL * SN_SMALL);
}

/* ---- preparation ---- */

/* start, list, active: a counting sort of the sides by part. */
static void sort_sides(sn_ccp *c) {
  int parts = c->parts.count, *start = c->start;
  memset(start, 0, (size_t)(parts + 2) * sizeof *start);
  for (int e = 0; e < 2 * c->count; e++)
    if (c->side[e].part >= 0) start[c->side[e].part + 2]++;
  c->actives = 0;
  for (int k = 0; k < parts; k++) {
    if (start[k + 2]) c->active[c->actives++] = k;
    start[k + 2] += start[k + 1];
  }
  for (int e = 0; e < 2 * c->count; e++) {
    int part = c->side[e].part;
    if (part < 0) continue;
    c->list[start[part + 1]++] = e;
  }
}

/* Row `a` of a side over the coordinates of one group of its part. */
static void row_of(const sn_ccp *c, int e, int a, double row[SN_SMALL]) {
  const sn_edge *s = &c->side[e];
  const double *from = c->rows + s->at, *axis = c->frame[e / 2] + 3 * a;
  int first = c->matrix->first[s->group[0]];
  memset(row, 0, SN_SMALL * sizeof *row);
  for (int k = 0; s->groups && k < s->count; k++) row[k] = from[a * s->count + k];
  for (int k = 0; !s->groups && k < s->count; k++)
    for (int j = 0; j < s->dim; j++) row[s->vector[k] - first + j] += from[k] * axis[j];
}

static void small_rows(const sn_ccp *c, int e, double *B) {
  const double *F = c->F + (size_t)c->small[c->side[e].part] * SN_SMALL * SN_SMALL;
  for (int a = 0; a < 3; a++) {
    double row[SN_SMALL];
    row_of(c, e, a, row);
    for (int k = 0; k < SN_SMALL; k++) {
      const double *f = F + k * SN_SMALL;
      B[a * SN_SMALL + k] = ((row[0] * f[0] + row[1] * f[1]) + (row[2] * f[2] + row[3] * f[3])) +
                            ((row[4] * f[4] + row[5] * f[5]) + (row[6] * f[6] + row[7] * f[7]));
    }
  }
}

/* N += D'Z D over one side of a large part; cross terms between two sides on one part are left out: s is a scale, not
 * more. */
static void add_rows_block(const sn_ccp *c, const sn_edge *s, double N[9]) {
  const double *row_i = c->rows + s->at;
  for (int i = 0; i < s->groups; i++, row_i += s->size[i - 1]) {
    const double *row_j = c->rows + s->at;
    for (int j = 0; j < s->groups; j++, row_j += s->size[j - 1]) {
      int down, right;
      const double *Z = sn_part_inverse(&c->parts, s->group[i], s->group[j], &down, &right);
      if (!Z) continue;
      for (int b = 0; b < 3; b++)
        for (int p = 0; p < s->size[i]; p++) {
          double x = 0;
          for (int q = 0; q < s->size[j]; q++) x += Z[p * down + q * right] * row_j[b * s->count + q];
          for (int a = 0; a < 3; a++) N[3 * a + b] += row_i[a * s->count + p] * x;
        }
    }
  }
}

/* The same with weights: C = sum w_k w_l Z_kl over the blocks of the vectors, N += frame C frame'. */
static int group_of(const sn_edge *s, int k) {
  int g = 0;
  while (s->vector[k] < s->first[g] || s->vector[k] >= s->first[g] + s->size[g]) g++;
  return g;
}

static void add_weights_block(const sn_ccp *c, const sn_edge *s, const double *frame, double N[9]) {
  const double *w = c->rows + s->at;
  double C[3][3] = {{0}};
  for (int k = 0; k < s->count; k++) {
    int i = group_of(s, k), at_i = s->vector[k] - s->first[i];
    for (int l = 0; l < s->count; l++) {
      int j = group_of(s, l), at_j = s->vector[l] - s->first[j], down, right;
      const double *Z = sn_part_inverse(&c->parts, s->group[i], s->group[j], &down, &right);
      if (!Z) continue;
      Z += at_i * down + at_j * right;
      for (int p = 0; p < s->dim; p++)
        for (int q = 0; q < s->dim; q++) C[p][q] += w[k] * w[l] * Z[p * down + q * right];
    }
  }
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) N[3 * a + b] += frame[3 * a + p] * C[p][q] * frame[3 * b + q];
}

static void prepare_part_chunk(void *user, int chunk) {
  sn_ccp *c = user;
  int last = (chunk + 1) * SN_PART_CHUNK < c->actives ? (chunk + 1) * SN_PART_CHUNK : c->actives;
  for (int k = chunk * SN_PART_CHUNK; k < last; k++) {
    int part = c->active[k];
    if (!c->inverted[part]) invert_part(c, part, c->side[c->list[c->start[part]]].group[0]);
  }
}

static void prepare_contacts(void *user, int chunk) {
  sn_ccp *c = user;
  int last = (chunk + 1) * SN_CCP_CHUNK < c->count ? (chunk + 1) * SN_CCP_CHUNK : c->count;
  for (int i = chunk * SN_CCP_CHUNK; i < last; i++) {
    double N[9] = {0};
    for (int e = 2 * i; e < 2 * i + 2; e++) {
      const sn_edge *s = &c->side[e];
      double *B = c->B + (size_t)e * 3 * SN_SMALL;
      if (s->part < 0) continue;
      if (c->small[s->part] < 0) {
        if (s->groups)
          add_rows_block(c, s, N);
        else
          add_weights_block(c, s, c->frame[i], N);
        continue;
      }
      small_rows(c, e, B);
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          for (int k = 0; k < SN_SMALL; k++) N[3 * a + b] += B[a * SN_SMALL + k] * B[b * SN_SMALL + k];
    }
    c->s[i] = sn_block_bound(N, c->mu[i]);
  }
}

void sn_ccp_chunks(sn_ccp *c, int count, sn_task task, void *user) {
  if (c->threads) {
    sn_threads_run(c->threads, count, task, user);
  } else {
    for (int i = 0; i < count; i++) task(user, i);
  }
}

static int contact_chunks(const sn_ccp *c) {
  return (c->count + SN_CCP_CHUNK - 1) / SN_CCP_CHUNK;
}
static int part_chunks(const sn_ccp *c) {
  return (c->actives + SN_PART_CHUNK - 1) / SN_PART_CHUNK;
}

void sn_ccp_prepare(sn_ccp *c) {
  sort_sides(c);
  sn_ccp_chunks(c, part_chunks(c), prepare_part_chunk, c);
  sn_ccp_chunks(c, contact_chunks(c), prepare_contacts, c);
}

/* ---- N g ---- */

typedef struct spread {
  sn_ccp *c;
  const double *g;
} spread;

void sn_edge_add(const sn_ccp *c, int e, const double g[3], double *x) {
  const sn_edge *s = &c->side[e];
  if (s->part < 0) return;
  const double *row = c->rows + s->at, *n = c->frame[e / 2];
  if (s->groups) {
    for (int k = 0; k < s->groups; k++, row += s->size[k - 1]) {
      const double *u = row + s->count, *w = u + s->count;
      double *to = x + s->first[k];
      for (int j = 0; j < s->size[k]; j++) to[j] += row[j] * g[0] + u[j] * g[1] + w[j] * g[2];
    }
    return;
  }
  double f[3];
  for (int j = 0; j < 3; j++) f[j] = n[j] * g[0] + n[3 + j] * g[1] + n[6 + j] * g[2];
  for (int k = 0; k < s->count; k++)
    for (int j = 0; j < s->dim; j++) x[s->vector[k] + j] += row[k] * f[j];
}

void sn_edge_gather(const sn_ccp *c, int e, const double *x, double y[3]) {
  const sn_edge *s = &c->side[e];
  if (s->part < 0) return;
  const double *row = c->rows + s->at, *n = c->frame[e / 2];
  if (s->groups) {
    for (int k = 0; k < s->groups; k++, row += s->size[k - 1]) {
      const double *u = row + s->count, *w = u + s->count, *from = x + s->first[k];
      for (int j = 0; j < s->size[k]; j++) {
        y[0] += row[j] * from[j];
        y[1] += u[j] * from[j];
        y[2] += w[j] * from[j];
      }
    }
    return;
  }
  double v[3] = {0};
  for (int k = 0; k < s->count; k++)
    for (int j = 0; j < s->dim; j++) v[j] += row[k] * x[s->vector[k] + j];
  for (int a = 0; a < 3; a++) y[a] += n[3 * a] * v[0] + n[3 * a + 1] * v[1] + n[3 * a + 2] * v[2];
}

static void spread_chunk(void *user, int chunk) {
  const spread *w = user;
  sn_ccp *c = w->c;
  int last = (chunk + 1) * SN_PART_CHUNK < c->actives ? (chunk + 1) * SN_PART_CHUNK : c->actives;
  for (int k = chunk * SN_PART_CHUNK; k < last; k++) {
    int part = c->active[k], small = c->small[part];
    const int *e = c->list + c->start[part], *end = c->list + c->start[part + 1];
    if (small >= 0) {
      double z[SN_SMALL] = {0};
      for (; e < end; e++) sn_small_add(c->B + (size_t)*e * 3 * SN_SMALL, w->g + 3 * (*e / 2), z);
      memcpy(c->z + (size_t)small * SN_SMALL, z, sizeof z);
      continue;
    }
    sn_part_zero(&c->parts, part, c->x);
    bool any = false;
    for (; e < end; e++) {
      const double *g = w->g + 3 * (*e / 2);
      if (g[0] == 0 && g[1] == 0 && g[2] == 0) continue;
      any = true;
      sn_edge_add(c, *e, g, c->x);
    }
    if (any) sn_part_solve(&c->parts, part, c->x);
  }
}

void sn_ccp_spread(sn_ccp *c, const double *g) {
  spread w = {c, g};
  sn_ccp_chunks(c, part_chunks(c), spread_chunk, &w);
}

void sn_ccp_gather(const sn_ccp *c, int contact, double y[3]) {
  double p[3][SN_SMALL] = {{0}};
  bool any = false;
  y[0] = y[1] = y[2] = 0;
  for (int e = 2 * contact; e < 2 * contact + 2; e++) {
    if (c->side[e].part < 0) continue;
    int small = c->small[c->side[e].part];
    if (small >= 0) {
      sn_small_rows(c->B + (size_t)e * 3 * SN_SMALL, c->z + (size_t)small * SN_SMALL, p);
      any = true;
    } else {
      sn_edge_gather(c, e, c->x, y);
    }
  }
  if (any) sn_small_sum(p, y);
}
