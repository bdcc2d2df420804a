/* beam_setup.c - the numbers of beam elements: material, quadrature, reference shape, mass. */
#include <string.h>

#include "base/expr.h"
#include "body/beam_body.h"
#include "math/gauss.h"
#include "math/hermite.h"
#include "math/vec3.h"

bool sn_beam_rests_twisted(const sn_spec *spec, int n) {
  if (n == 2) return false;
  return sn_given(spec, "rest_twist") ||
         (sn_given(spec, "twist") && sn_line_of(spec)->rest == SN_REST_CURVE && !sn_given(spec, "rest_through"));
}

bool sn_beam_rests_curved(const sn_spec *spec, int n) {
  return sn_line_rests_curved(sn_line_of(spec)) || sn_beam_rests_twisted(spec, n);
}

sn_beam_sort sn_beam_sort_of(const sn_spec *spec, int n) {
  bool curved = sn_beam_rests_curved(spec, n) || sn_line_of(spec)->section_end;
  if (n == 2) return curved ? SN_BEAM_PLANE_CURVED : SN_BEAM_PLANE;
  int elastic = sn_beam_of(spec)->elastic;
  if (elastic == SN_BEAM_ELASTIC_LINE || elastic == SN_BEAM_TIMOSHENKO) return SN_BEAM_LINE;
  return curved ? SN_BEAM_CURVED : SN_BEAM_STRAIGHT;
}

static bool is_plane(sn_beam_sort sort) {
  return sort == SN_BEAM_PLANE || sort == SN_BEAM_PLANE_CURVED;
}

int sn_beam_fields(sn_beam_sort sort) {
  int n = is_plane(sort) ? 2 : 3, points = 1 + (n == 3 ? SN_BEAM_POINTS : SN_BEAM_PLANE_POINTS);
  if (sort == SN_BEAM_LINE) return SN_BEAM_REST + 2 * SN_BEAM_LINE_NUMBERS;
  if (sort == SN_BEAM_STRAIGHT || sort == SN_BEAM_PLANE) return SN_BEAM_REST + n * points;
  return SN_BEAM_REST + (n + SN_BEAM_REFERENCE) * SN_BEAM_STATIONS * points;
}

/* An element under construction. */
typedef struct element {
  double *value; /* of the element, stride `step` */
  size_t step;
  int n, points;
  bool curved;
  bool reference; /* with the reference at all points: its sort is that of curved beams */
  double l, rho;
  const sn_line_spec *line;
  int number; /* along its beam */
  const sn_beam_node *node;
  double point[SN_BEAM_STATIONS][SN_SECTION_POINTS + 1][3]; /* at each station y, z, weight; the last: the axis */
} element;

/* The section at s of the element. */
static const sn_spec *section_at(const element *a, double s, sn_section_space *space) {
  return sn_line_section(a->line, (a->number + s) / a->line->elements, space);
}

static void set(const element *a, int field, double value) {
  a->value[(size_t)field * a->step] = value;
}

/* ---- material ----
 * G = E/(2 (1 + nu)), lambda = E nu/((1 + nu) (1 - 2 nu))
 * continuum     C = lambda + 2G | lambda, G
 * selective     volume: C = E | 0, G, G k2, G k3;   axis: C = 2 nu lambda | lambda, no shear
 * timoshenko, elastic-line  nodes: A (0, E, E | 0, G, G k2, G k3);   axis: see set_line
 * beam2d        continuum: C = E/(1 - nu^2) | nu E/(1 - nu^2), G (plane stress), as continuum above (plane strain)
 *               selective: volume C = E (plane strain: E/(1 - nu^2)) | 0, G k;   axis: what is left of continuum */
typedef struct constants {
  double E, nu, G, lambda, volume[7], axis[7];
} constants;

/* Shear factors of x-z and x-y. */
static void shear_factors(const sn_beam_spec *s, const sn_spec *at, double nu, double *k2, double *k3) {
  const sn_section_ops *section = (const sn_section_ops *)(const void *)at->kind;
  *k2 = sn_given(s, "k2") ? s->k2 : section->shear(at, nu);
  *k3 = sn_given(s, "k3") ? s->k3 : section->shear(at, nu);
}

/* Twist t of plane sections: strains of x-z are y t, of x-y -z t. */
double sn_beam_torsion_constant(const sn_spec *spec, const sn_spec *section) {
  const sn_beam_spec *s = sn_beam_of(spec);
  const sn_section_values x = sn_section(section);
  double k2 = 1, k3 = 1;
  if (s->elastic < SN_BEAM_SELECTIVE) return x.J;
  if (s->elastic == SN_BEAM_SELECTIVE)
    shear_factors(s, section, ((const sn_material_spec *)(const void *)s->line.material)->poisson, &k2, &k3);
  return k2 * x.Izz + k3 * x.Iyy;
}

static void set_space(const element *a, sn_beam_sort sort, constants *x) {
  const sn_beam_spec *s = sn_beam_of(&a->line->spec);
  sn_section_space space;
  const sn_spec *middle = section_at(a, 0.5, &space);
  double E = x->E, G = x->G, nu = x->nu, k2, k3;
  shear_factors(s, middle, nu, &k2, &k3);
  if (sort == SN_BEAM_LINE) {
    double nodes[7] = {0, E, E, 0, G, G * k2, G * k3};
    memcpy(x->volume, nodes, sizeof nodes);
    for (int i = 0; i < 2; i++) x->axis[i] = sn_section(section_at(a, i, &space)).A;
    x->axis[2] = s->elastic == SN_BEAM_TIMOSHENKO;
  } else if (s->elastic == SN_BEAM_SELECTIVE) {
    double full[7] = {E, E, E, 0, G, G * k2, G * k3};
    memcpy(x->volume, full, sizeof full);
    for (int i = 0; i < 3; i++) x->axis[i] = 2 * nu * x->lambda;
    x->axis[3] = x->lambda;
  }
}

static void set_plane(const element *a, constants *x) {
  const sn_beam2d_spec *s = sn_beam2d_of(&a->line->spec);
  double E = x->E, nu = x->nu, G = x->G;
  double C11 = s->plane ? x->lambda + 2 * G : E / (1 - nu * nu), C12 = s->plane ? x->lambda : nu * C11;
  double one = s->plane ? E / (1 - nu * nu) : E; /* stress in the plane along one direction only */
  bool selective = s->elastic == SN_BEAM2D_SELECTIVE;
  for (int i = 0; i < 3; i++) x->volume[i] = selective ? one : C11;
  x->volume[3] = selective ? 0 : C12;
  x->volume[6] = selective ? G * s->shear_factor : G;
  for (int i = 0; selective && i < 3; i++) x->axis[i] = C11 - one;
  if (selective) x->axis[3] = C12;
}

static void set_material(const element *a, sn_beam_sort sort) {
  const sn_material_spec *m = (const sn_material_spec *)(const void *)a->line->material;
  double E = m->young, nu = m->poisson, G = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
  constants x = {E, nu, G, lambda, .volume = {lambda + 2 * G, lambda + 2 * G, lambda + 2 * G, lambda, G, G, G}};
  if (is_plane(sort))
    set_plane(a, &x);
  else
    set_space(a, sort, &x);
  for (int i = 0; i < 7; i++) {
    set(a, SN_BEAM_VOLUME + i, x.volume[i]);
    set(a, SN_BEAM_AXIS + i, x.axis[i]);
  }
}

/* ---- section ---- */

static void choose_points(element *a) {
  static_assert((int)SN_BEAM_POINTS <= (int)SN_SECTION_POINTS && (int)SN_BEAM_PLANE_POINTS <= (int)SN_SECTION_POINTS,
                "room for the points");
  memset(a->point, 0, sizeof a->point);
  for (int i = 0; i < SN_BEAM_STATIONS; i++) {
    sn_section_space space;
    const sn_spec *section = section_at(a, sn_gauss5_points[i], &space);
    sn_section_values v = sn_section(section);
    double(*point)[3] = a->point[i];
    if (a->n == 3) {
      ((const sn_section_ops *)(const void *)section->kind)->points(section, point);
    } else { /* Gauss over the height of a rectangle */
      double height = sqrt(12 * v.Izz / v.A);
      for (int k = 0; k < 3; k++)
        point[k][0] = height * (sn_gauss3_points[k] - 0.5), point[k][2] = v.A * sn_gauss3_weights[k];
    }
    point[a->points][0] = point[a->points][1] = 0;
    point[a->points][2] = v.A;
  }
}

/* ---- reference shape ---- */

static void hermite(double s, double l, double p[4], double d[4], double w[4]) {
  const double W[4] = {(12 * s - 6) / l, 6 * s - 4, (6 - 12 * s) / l, 6 * s - 2}; /* l times the second derivative */
  sn_hermite(s, l, p);
  sn_hermite_slope(s, l, d);
  memcpy(w, W, sizeof W);
}

/* Gradients of beam_pack.h at the start: u, g_y, g_z, r_y, r_z, w */
static void gradients(const element *a, double s, double X[6][3]) {
  double p[4], d[4], w[4];
  const sn_beam_node *e = a->node;
  hermite(s, a->l, p, d, w);
  for (int c = 0; c < 3; c++) {
    X[0][c] = d[0] * e[0].e[0][c] + d[1] * e[0].e[1][c] + d[2] * e[1].e[0][c] + d[3] * e[1].e[1][c];
    X[5][c] = w[0] * e[0].e[0][c] + w[1] * e[0].e[1][c] + w[2] * e[1].e[0][c] + w[3] * e[1].e[1][c];
    for (int j = 0; j < 2; j++) {
      X[1 + j][c] = e[1].e[2 + j][c] - e[0].e[2 + j][c];
      X[3 + j][c] = (1 - s) * e[0].e[2 + j][c] + s * e[1].e[2 + j][c];
    }
  }
}

/* J0 = R Lambda at a point: Gram-Schmidt on r_x, r_y, r_z gives Lambda; L = its inverse. Returns det J0. */
static double reference_at(const element *a, double s, const double point[3], double L[6]) {
  double X[6][3], q[3][3], R[3][3] = {{0}}, I[3][3] = {{0}};
  gradients(a, s, X);
  sn_copy(q[0], X[0]);
  sn_axpy(q[0], point[0] / a->l, X[1]);
  sn_axpy(q[0], point[1] / a->l, X[2]);
  sn_copy(q[1], X[3]);
  sn_copy(q[2], X[4]);
  for (int j = 0; j < 3; j++) {
    for (int i = 0; i < j; i++) {
      R[i][j] = sn_dot(q[i], q[j]);
      sn_axpy(q[j], -R[i][j], q[i]);
    }
    R[j][j] = sn_normalize(q[j]);
  }
  for (int j = 0; j < 3; j++)
    for (int i = j; i >= 0; i--) {
      double sum = i == j;
      for (int k = i + 1; k <= j; k++) sum -= R[i][k] * I[k][j];
      I[i][j] = sum / R[i][i];
    }
  double order[6] = {I[0][0], I[0][1], I[1][1], I[0][2], I[1][2], I[2][2]};
  memcpy(L, order, sizeof order);
  return R[0][0] * R[1][1] * R[2][2];
}

static void set_volume(const element *a) {
  int all = a->points + 1, stations = a->reference ? SN_BEAM_STATIONS : 1;
  for (int i = 0; i < stations; i++)
    for (int k = 0; k < all; k++) {
      int field = SN_BEAM_REST + a->n * (i * all + k);
      for (int j = 0; j < a->n - 1; j++) set(a, field + j, a->point[i][k][j] / a->l);
      set(a, field + a->n - 1, a->point[i][k][2]);
    }
  for (int i = 0; a->reference && i < SN_BEAM_STATIONS; i++)
    for (int k = 0; k < all; k++) {
      double L[6], det = reference_at(a, sn_gauss5_points[i], a->point[i][k], L);
      int field = SN_BEAM_REST + a->n * SN_BEAM_STATIONS * all + SN_BEAM_REFERENCE * (i * all + k);
      for (int c = 0; c < 6; c++) set(a, field + c, L[c]);
      set(a, field + 6, det);
    }
}

/* Twist of the reference (beam_twist.h): cosine and sine of psi, and S. */
static void reference_twist(const element *a, double twist[3]) {
  const double(*e)[3] = a->node[0].e, (*f)[3] = a->node[1].e;
  const double s = sn_dot(e[3], f[2]) - sn_dot(e[2], f[3]), c = sn_dot(e[2], f[2]) + sn_dot(e[3], f[3]);
  double d[3], across[3];
  sn_sub(d, f[0], e[0]);
  sn_cross(across, e[1], d);
  twist[0] = c / hypot(s, c);
  twist[1] = s / hypot(s, c);
  twist[2] = sn_dot(across, f[1]) / (sn_norm(e[1]) * sn_norm(d) * sn_norm(f[1]));
}

/* Length of r_y (k = 0) or r_z in the curvatures, sn_line_length of beam_line_step.h. */
static double section_length(double X[6][3], int k, double s) {
  const double t = (sn_dot(X[4], X[1]) - sn_dot(X[3], X[2])) / 2;
  return sqrt(sn_dot(X[3 + k], X[3 + k]) + s * (1 - s) * (sn_dot(X[1 + k], X[1 + k]) - t * t));
}

/* Strains of the reference; and EA, E Iyy, E Izz, G J where they are taken. */
static void set_line(const element *a) {
  const sn_material_spec *m = (const sn_material_spec *)(const void *)a->line->material;
  double X[6][3], k[3], twist[3], E = m->young, G = E / (2 * (1 + m->poisson));
  sn_section_space space;
  reference_twist(a, twist);
  for (int i = 0; i < SN_BEAM_STATIONS; i++) {
    gradients(a, sn_gauss5_points[i], X);
    set(a, SN_BEAM_REST + i, (sn_dot(X[0], X[0]) - 1) / 2);
    set(a, SN_BEAM_REST + SN_BEAM_LINE_NUMBERS + i, E * sn_section(section_at(a, sn_gauss5_points[i], &space)).A);
  }
  for (int i = 0; i < SN_BEAM_BENDING; i++) {
    int field = SN_BEAM_REST + SN_BEAM_STATIONS + 3 * i, stiffness = field + SN_BEAM_LINE_NUMBERS;
    sn_section_values v = sn_section(section_at(a, sn_gauss3_points[i], &space));
    gradients(a, sn_gauss3_points[i], X);
    set(a, stiffness, E * v.Iyy);
    set(a, stiffness + 1, E * v.Izz);
    set(a, stiffness + 2, G * v.J);
    sn_cross(k, X[0], X[5]);
    sn_scale(k, 1 / sn_dot(X[0], X[0]), k);
    set(a, field, sn_dot(k, X[3]) / section_length(X, 0, sn_gauss3_points[i]));
    set(a, field + 1, sn_dot(k, X[4]) / section_length(X, 1, sn_gauss3_points[i]));
    set(a, field + 2, twist[i]);
  }
}

/* ---- mass: int rho S'S det J0 dx dA; the quadrature is exact for a straight element, also when its
 * sizes change linearly ---- */

static void set_mass(const element *a) {
  double M[SN_BEAM_VECTORS][SN_BEAM_VECTORS] = {{0}}, L[6];
  int n = a->n, vectors = 2 * (n + 1), field = SN_BEAM_MASS;
  for (int i = 0; i < SN_BEAM_STATIONS; i++) {
    sn_section_space space;
    sn_section_values v = sn_section(section_at(a, sn_gauss5_points[i], &space));
    double wider[2] = {sqrt(v.Rzz / v.Izz), sqrt(v.Ryy / v.Iyy)}; /* radii of gyration of mass and area */
    for (int k = 0; k < a->points; k++) {
      double s = sn_gauss5_points[i], p[4], d[4], w[4], S[SN_BEAM_VECTORS];
      hermite(s, a->l, p, d, w);
      for (int node = 0; node < 2; node++) {
        S[(n + 1) * node] = p[2 * node];
        S[(n + 1) * node + 1] = p[2 * node + 1];
        for (int j = 0; j < n - 1; j++) S[(n + 1) * node + 2 + j] = (node ? s : 1 - s) * wider[j] * a->point[i][k][j];
      }
      double weight = a->rho * a->l * sn_gauss5_weights[i] * a->point[i][k][2];
      if (a->curved) weight *= reference_at(a, s, a->point[i][k], L);
      for (int x = 0; x < vectors; x++)
        for (int y = 0; y < vectors; y++) M[x][y] += weight * S[x] * S[y];
    }
  }
  for (int x = 0; x < vectors; x++)
    for (int y = 0; y <= x; y++) set(a, field++, M[x][y]);
}

void sn_beam_set_element(sn_beam_elements *e, int i, const sn_spec *spec, sn_beam_sort sort, int number, double l,
                         const sn_beam_node node[2]) {
  assert(i >= 0 && i < e->capacity && sort < SN_BEAM_SORTS && e->fields == sn_beam_fields(sort));
  const sn_line_spec *s = sn_line_of(spec);
  element a = {.value = e->value + i, .step = (size_t)e->capacity, .line = s, .number = number, .l = l, .node = node};
  a.n = is_plane(sort) ? 2 : 3;
  a.points = a.n == 3 ? SN_BEAM_POINTS : SN_BEAM_PLANE_POINTS;
  a.curved = sn_beam_rests_curved(spec, a.n);
  a.rho = ((const sn_material_spec *)(const void *)s->material)->density;
  a.reference = sort == SN_BEAM_CURVED || sort == SN_BEAM_PLANE_CURVED;
  choose_points(&a);
  set(&a, SN_BEAM_LENGTH, l);
  set(&a, SN_BEAM_ALPHA, s->mass_damping);
  set(&a, SN_BEAM_BETA, s->stiffness_damping);
  set_material(&a, sort);
  set_mass(&a);
  if (sort == SN_BEAM_LINE)
    set_line(&a);
  else
    set_volume(&a);
}
