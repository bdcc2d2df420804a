/* ida_matrix.c - see ida_matrix.h.
 *
 * An entry (i, j) of A = [., G'; G, .] goes to several places:
 *
 *                      place[0]           place[1]           place[2]
 *   K, D, M            K in column q_j    cM + D in v_j
 *   G                  Phi in q_j         Phi' in v_j        N in q_j
 *   G'                 first row, eta_j   second row, zeta_j
 */
#include "integrator/ida_matrix.h"

#include <math.h>
#include <string.h>

/* ---- pattern ---- */

typedef struct cursor {
  sn_ida_matrix *J;
  int next;
} cursor;

static int put(cursor *at, int row) {
  at->J->row[at->next] = row;
  return at->next++;
}

/* One column of K (second: of c M + D), then the unit, then what belongs to the constraints; rows ascending. */
static void put_coordinate(cursor *at, int j, bool velocity) {
  sn_ida_matrix *J = at->J;
  const sn_scalar *A = &J->scalar;
  int n = J->system->n, m = J->system->m, end = A->start[j + 1], first = A->start[j];
  for (; first < end && A->row[first] < n; first++) J->place[velocity][first] = put(at, A->row[first]);
  J->unit[velocity][j] = put(at, n + j);
  for (int e = first; e < end; e++) J->place[velocity ? 1 : 2][e] = put(at, n + A->row[e]); /* Phi' */
  for (int e = first; e < end && !velocity; e++) J->place[0][e] = put(at, n + m + A->row[e]);
}

static void put_multiplier(cursor *at, int k, bool second) {
  sn_ida_matrix *J = at->J;
  const sn_scalar *A = &J->scalar;
  int n = J->system->n, m = J->system->m;
  for (int e = A->start[n + k]; e < A->start[n + k + 1] && A->row[e] < n; e++)
    J->place[second][e] = put(at, A->row[e] + (second ? n : 0));
  J->multiplier[second ? m + k : k] = put(at, 2 * n + k + (second ? m : 0));
}

static void make_pattern(sn_ida_matrix *J) {
  int n = J->system->n, m = J->system->m, column = 0;
  cursor at = {.J = J};
  for (int k = 0; k < 2; k++)
    for (int j = 0; j < n; j++) {
      J->start[column++] = at.next;
      put_coordinate(&at, j, k);
    }
  for (int k = 0; k < 2; k++)
    for (int j = 0; j < m; j++) {
      J->start[column++] = at.next;
      put_multiplier(&at, j, k);
    }
  J->start[column] = J->entries = at.next;
}

/* ---- colors: columns of G that share no row ---- */

static void color_columns(sn_ida_matrix *J) {
  const sn_scalar *A = &J->scalar;
  int n = J->system->n;
  sn_arena scratch = {0};
  int *taken = SN_NEW(&scratch, int, n + 1); /* taken[c] == j + 1: color c touches a row of column j */
  for (int j = 0; j < n; j++) J->color[j] = -1;
  for (int j = 0; j < n; j++) {
    bool any = false;
    for (int e = A->start[j]; e < A->start[j + 1]; e++) {
      int i = A->row[e];
      if (i < n) continue;
      any = true;
      for (int f = A->start[i]; f < A->start[i + 1] && A->row[f] < n; f++)
        if (J->color[A->row[f]] >= 0) taken[J->color[A->row[f]]] = j + 1;
    }
    if (!any) continue;
    int c = 0;
    while (taken[c] == j + 1) c++;
    J->color[j] = c;
    if (c >= J->colors) J->colors = c + 1;
  }
  sn_arena_free(&scratch);
}

void sn_ida_matrix_free(sn_ida_matrix *J) {
  sn_arena_free(&J->arena);
}

bool sn_ida_matrix_create(sn_ida_matrix *J, sn_system *system) {
  int n = system->n, m = system->m;
  sn_ida_matrix_free(J);
  *J = (sn_ida_matrix){.system = system, .revision = sn_system_revision(system)};
  sn_arena *arena = &J->arena;
  if (!sn_scalar_create(&J->scalar, sn_system_matrix(system), arena) || J->scalar.entries > INT32_MAX / 3) return false;
  int entries = J->scalar.entries;
  for (int k = 0; k < 3; k++) J->place[k] = SN_NEW(arena, int, entries);
  for (int k = 0; k < 2; k++) J->unit[k] = SN_NEW(arena, int, n);
  J->multiplier = SN_NEW(arena, int, 2 * m + 1);
  J->color = SN_NEW(arena, int, n);
  J->start = SN_NEW(arena, sunindextype, 2 * (n + m) + 1);
  J->row = SN_NEW(arena, sunindextype, 3 * entries + 2 * (n + m));
  J->v = SN_NEW(arena, double, n);
  J->plus = SN_NEW(arena, double, m + 1);
  J->minus = SN_NEW(arena, double, m + 1);
  make_pattern(J);
  color_columns(J);
  return true;
}

/* ---- values ---- */

static void fill_rate(sn_ida_matrix *J, const sn_state *state, double *value) {
  sn_system *s = J->system;
  const sn_scalar *A = &J->scalar;
  double size = 1;
  for (int i = 0; i < s->n; i++) size = fmax(size, fabs(state->v[i]));
  sn_state at = {.t = state->t, .q = state->q, .v = J->v, .a = s->zero, .l = s->zero + s->n};
  for (int c = 0; c < J->colors; c++) {
    for (int side = 0; side < 2; side++) {
      for (int i = 0; i < s->n; i++) J->v[i] = state->v[i] + (J->color[i] == c ? (side ? -size : size) : 0);
      sn_system_acceleration(s, &at, side ? J->minus : J->plus);
    }
    for (int j = 0; j < s->n; j++)
      for (int e = A->start[j]; J->color[j] == c && e < A->start[j + 1]; e++)
        if (A->row[e] >= s->n)
          value[J->place[2][e]] = (J->plus[A->row[e] - s->n] - J->minus[A->row[e] - s->n]) / (4 * size);
  }
}

void sn_ida_matrix_fill(sn_ida_matrix *J, const sn_state *state, double c, SUNMatrix result) {
  sn_system *s = J->system;
  const sn_scalar *A = &J->scalar;
  int n = s->n, m = s->m;
  double *value = SUNSparseMatrix_Data(result);
  memcpy(SUNSparseMatrix_IndexPointers(result), J->start, (size_t)(2 * (n + m) + 1) * sizeof *J->start);
  memcpy(SUNSparseMatrix_IndexValues(result), J->row, (size_t)J->entries * sizeof *J->row);
  sn_system_assemble(s, state, 1, 0, 0, 1);
  const double *values = sn_system_matrix(s)->value;
  for (int j = 0; j < n; j++)
    for (int e = A->start[j]; e < A->start[j + 1]; e++) value[J->place[0][e]] = values[A->source[e]];
  sn_system_assemble(s, state, 1, c, 1, 0);
  values = sn_system_matrix(s)->value;
  s->count->jacobians--; /* the two are one */
  for (int j = 0; j < n; j++) {
    for (int e = A->start[j]; e < A->start[j + 1]; e++) value[J->place[1][e]] = values[A->source[e]];
    value[J->unit[0][j]] = c;
    value[J->unit[1][j]] = -1;
  }
  for (int k = 0; k < m; k++) {
    for (int e = A->start[n + k]; e < A->start[n + k + 1] && A->row[e] < n; e++)
      value[J->place[0][e]] = value[J->place[1][e]] = c * values[A->source[e]];
    value[J->multiplier[k]] = -s->regularization * s->row_unit[k];
    value[J->multiplier[m + k]] = s->regularization > 0 ? -SN_IDA_POSITION_EPS : 0;
  }
  fill_rate(J, state, value);
}
