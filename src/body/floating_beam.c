/* floating_beam.c - see floating_beam.h. */
#include "body/floating_beam.h"

#include <math.h>
#include <string.h>

#include "body/beam_shape.h"
#include "math/gauss.h"

enum { FREEDOM = SN_BEAM_FREEDOM };

sn_frame_beam sn_frame_beam_of(int dim, const sn_material_spec *m, const sn_section_values *v, double l, double shear,
                               bool rotary) {
  assert(dim == 2 || dim == 3);
  sn_frame_beam b = {.dim = dim, .node = dim == 2 ? 3 : 6, .l = l, .mass = m->density * v->A};
  b.EA = m->young * v->A;
  b.EIz = m->young * v->Izz;
  b.EIy = m->young * v->Iyy;
  b.GJ = m->young / (2 * (1 + m->poisson)) * v->J;
  if (shear > 0) {
    b.Pz = sn_beam_shear(m->young, m->poisson, v->Izz, v->A, shear, l);
    b.Py = sn_beam_shear(m->young, m->poisson, v->Iyy, v->A, shear, l);
  }
  if (rotary) {
    b.ry = v->Rzz / v->A;
    b.rz = v->Ryy / v->A;
  }
  return b;
}

/* Deflections along z come with rotations about -y: w' = -ty. */
void sn_frame_beam_shape(const sn_frame_beam *b, double s, double S[3][FREEDOM], double W[3][FREEDOM]) {
  double v[4], t[4];
  int n = b->node, turn = n == 3 ? 2 : 5; /* degree of freedom that bends in the x-y plane */
  memset(S, 0, sizeof(double) * 3 * FREEDOM);
  memset(W, 0, sizeof(double) * 3 * FREEDOM);
  S[0][0] = 1 - s, S[0][n] = s;
  sn_beam_deflection(s, b->l, b->Pz, v);
  sn_beam_rotation(s, b->l, b->Pz, t);
  for (int k = 0; k < 2; k++) {
    S[1][n * k + 1] = v[2 * k], S[1][n * k + turn] = v[2 * k + 1];
    W[2][n * k + 1] = t[2 * k], W[2][n * k + turn] = t[2 * k + 1];
  }
  if (n == 3) return;
  sn_beam_deflection(s, b->l, b->Py, v);
  sn_beam_rotation(s, b->l, b->Py, t);
  for (int k = 0; k < 2; k++) {
    S[2][n * k + 2] = v[2 * k], S[2][n * k + 4] = -v[2 * k + 1];
    W[1][n * k + 2] = -t[2 * k], W[1][n * k + 4] = t[2 * k + 1];
  }
  W[0][3] = 1 - s, W[0][n + 3] = s;
}

void sn_frame_beam_stiffness(const sn_frame_beam *b, double K[FREEDOM][FREEDOM]) {
  double k[4][4];
  int n = b->node, turn = n == 3 ? 2 : 5;
  memset(K, 0, sizeof(double) * FREEDOM * FREEDOM);
  K[0][0] = K[n][n] = b->EA / b->l;
  K[0][n] = K[n][0] = -b->EA / b->l;
  int bend[4] = {1, turn, n + 1, n + turn};
  sn_beam_stiffness(b->EIz, b->l, b->Pz, k);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) K[bend[i]][bend[j]] += k[i][j];
  if (n == 3) return;
  K[3][3] = K[9][9] = b->GJ / b->l;
  K[3][9] = K[9][3] = -b->GJ / b->l;
  int other[4] = {2, 4, 8, 10};
  sn_beam_stiffness(b->EIy, b->l, b->Py, k);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) K[other[i]][other[j]] += (i + j) % 2 ? -k[i][j] : k[i][j];
}

/* X[3][nf] = S Z */
static void follow(const sn_frame_beam *b, double S[3][FREEDOM], const double *Z, int nf, double *X) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < nf; j++) {
      double sum = 0;
      for (int k = 0; k < 2 * b->node; k++) sum += S[i][k] * Z[k * nf + j];
      X[i * nf + j] = sum;
    }
}

/* A section of mass dm is as heavy, in all first and second moments, as equal points at distances sqrt(2 ry) along +-y
 * and sqrt(2 rz) along +-z (in the plane: two at sqrt(ry)); they move by S z + (W z) x (0, y, z). */
static void add_section(const sn_frame_beam *b, double dm, double x, const double *S, const double *W,
                        sn_floating_item *item) {
  int nf = item->nf, points = b->ry > 0 ? (b->dim == 2 ? 2 : 4) : 1;
  double X[3 * SN_FLOATING_DEFORMATION];
  for (int p = 0; p < points; p++) {
    double sign = p % 2 ? -1 : 1, y = 0, z = 0;
    if (points == 2) y = sign * sqrt(b->ry);
    if (points == 4 && p < 2) y = sign * sqrt(2 * b->ry);
    if (points == 4 && p >= 2) z = sign * sqrt(2 * b->rz);
    double u0[3] = {x, y, z};
    for (int j = 0; j < nf; j++) {
      const double t[3] = {W[j], W[nf + j], W[2 * nf + j]};
      X[j] = S[j] + t[1] * z - t[2] * y;
      X[nf + j] = S[nf + j] - t[0] * z;
      X[2 * nf + j] = S[2 * nf + j] + t[0] * y;
    }
    sn_floating_point(item, dm / points, u0, X);
  }
}

void sn_frame_beam_add(const sn_frame_beam *b, double x, const double *Z, sn_floating_item *item) {
  assert(item->nf <= SN_FLOATING_DEFORMATION);
  double S[3][FREEDOM], W[3][FREEDOM], K[FREEDOM][FREEDOM];
  double SZ[3 * SN_FLOATING_DEFORMATION], WZ[3 * SN_FLOATING_DEFORMATION];
  int nf = item->nf, n = 2 * b->node;
  for (int g = 0; g < 4; g++) { /* the products of S have degree 6: exact */
    double s = sn_gauss4_points[g];
    sn_frame_beam_shape(b, s, S, W);
    follow(b, S, Z, nf, SZ);
    follow(b, W, Z, nf, WZ);
    add_section(b, sn_gauss4_weights[g] * b->mass * b->l, x + s * b->l, SZ, WZ, item);
  }
  sn_frame_beam_stiffness(b, K);
  for (int i = 0; i < nf; i++)
    for (int j = 0; j < nf; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++) sum += Z[k * nf + i] * K[k][l] * Z[l * nf + j];
      item->K[i * nf + j] += sum;
    }
}

const sn_floating_place *sn_frame_beam_place(sn_arena *arena, const sn_frame_beam *b, double x, double s,
                                             const double *Z, int nf) {
  double S[3][FREEDOM], W[3][FREEDOM];
  sn_floating_place *place = SN_NEW(arena, sn_floating_place, 1);
  double *SZ = SN_NEW(arena, double, 3 * nf), *WZ = SN_NEW(arena, double, 3 * nf);
  sn_frame_beam_shape(b, s, S, W);
  follow(b, S, Z, nf, SZ);
  follow(b, W, Z, nf, WZ);
  *place = (sn_floating_place){.nf = nf, .c = {x + s * b->l, 0, 0}, .S = SZ, .W = WZ};
  return place;
}

/* ---- stress resultants ---- */

static const char *const plane_columns[] = {"N", "Q", "M", "strain", "curvature"};
static const char *const plane_units[] = {"N", "N", "N m", "1", "1/m"};
static const char *const space_columns[] = {"N",  "Qy",     "Qz",    "Mx",          "My",
                                            "Mz", "strain", "twist", "curvature_y", "curvature_z"};
static const char *const space_units[] = {"N", "N", "N", "N m", "N m", "N m", "1", "1/m", "1/m", "1/m"};

const sn_headings sn_resultants_plane = {SN_RESULTANTS_PLANE, plane_columns, plane_units};
const sn_headings sn_resultants_space = {SN_RESULTANTS_SPACE, space_columns, space_units};

static double product4(const double *x, const double a, const double b, const double c, const double d) {
  return x[0] * a + x[1] * b + x[2] * c + x[3] * d;
}

void sn_frame_beam_resultants(const sn_frame_beam *b, double s, const double d[FREEDOM], double *y) {
  double k[4], kx[4], strain = (d[b->node] - d[0]) / b->l;
  sn_beam_curvature(s, b->l, b->Pz, k, kx);
  if (b->node == 3) {
    double curvature = product4(k, d[1], d[2], d[4], d[5]);
    y[0] = b->EA * strain;
    y[1] = -b->EIz * product4(kx, d[1], d[2], d[4], d[5]);
    y[2] = b->EIz * curvature;
    y[3] = strain;
    y[4] = curvature;
    return;
  }
  double z = product4(k, d[1], d[5], d[7], d[11]), zx = product4(kx, d[1], d[5], d[7], d[11]);
  sn_beam_curvature(s, b->l, b->Py, k, kx); /* w' = -ty */
  double c = product4(k, -d[2], d[4], -d[8], d[10]), cx = product4(kx, -d[2], d[4], -d[8], d[10]);
  double twist = (d[9] - d[3]) / b->l;
  double all[SN_RESULTANTS_SPACE] = {
      b->EA * strain, -b->EIz * zx, b->EIy * cx, b->GJ * twist, b->EIy * c, b->EIz * z, strain, twist, c, z};
  memcpy(y, all, sizeof all);
}
