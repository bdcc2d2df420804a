/* fiber.c - stress on the surface of a section from stress resultants, by the theories of bending, torsion and shear.
 *
 *   sigma = N/A - Mz y/Izz + My z/Iyy
 *
 * Shear stress along the surface, positive counterclockwise from y to z:
 *
 *   circle, tube (radii R, r), at the angle p from y:
 *     T R/J + (R^2 + R r + r^2)/(3 I) (Qz cos p - Qy sin p)         Jourawski at the neutral axis
 *   rectangle, edge at the distance a from the center, x along the edge from its middle, 2 b long:
 *     2 T a/J (1 - 8/pi^2 sum over odd n of cosh(n pi x/2a)/(n^2 cosh(n pi b/2a)))    (St. Venant)
 *     + 3/2 Q/A (1 - (x/b)^2), Q along the edge                                       (Jourawski)
 */
#include "output/fiber.h"

#include <math.h>

#include "math/constants.h"
#include "math/vec3.h"

enum { N, QY, QZ, T, MY, MZ };
enum { AROUND = 72, ALONG = 16 }; /* points around a circle; intervals along an edge, even */

static void bend(sn_fiber *f, double y, double z, double A, double Iyy, double Izz) {
  *f = (sn_fiber){.y = y, .z = z};
  f->s[N] = 1 / A;
  f->s[MY] = z / Iyy;
  f->s[MZ] = -y / Izz;
}

static void round_fiber(double R, double r, double y, double z, sn_fiber *f) {
  double A = SN_PI * (R * R - r * r), I = A * (R * R + r * r) / 4, k = (R * R + R * r + r * r) / (3 * I);
  bend(f, R * y, R * z, A, I, I);
  f->t[T] = R / (2 * I);
  f->t[QY] = -k * z;
  f->t[QZ] = k * y;
}

/* cosh(x)/cosh(b), 0 <= x <= b of any size */
static double cosh_ratio(double x, double b) {
  return (exp(x - b) + exp(-x - b)) / (1 + exp(-2 * b));
}

/* tau/T on the edge at the distance a, over 1/J */
static double twist(double a, double b, double x) {
  double sum = 0;
  for (int n = 999; n > 0; n -= 2)
    sum += cosh_ratio(n * SN_PI * fabs(x) / (2 * a), n * SN_PI * b / (2 * a)) / ((double)n * n);
  return fabs(x) < b ? 2 * a * (1 - 8 / (SN_PI * SN_PI) * sum) : 0;
}

/* Torsion constant, as in section.c: J = 16 a^3 b (1/3 - 64 a/(pi^5 b) sum over odd n of tanh(n pi b/2a)/n^5), a <= b */
static double torsion(double a, double b) {
  double low = fmin(a, b), high = fmax(a, b), sum = 0;
  for (int n = 199; n > 0; n -= 2) sum += tanh(n * SN_PI * high / (2 * low)) / pow(n, 5);
  return 16 * low * low * low * high * (1.0 / 3 - 64 * low / high / pow(SN_PI, 5) * sum);
}

/* Edge k = 0 top, 1 right, 2 bottom, 3 left, counted from y to z; x from -1 to 1 along it, counterclockwise. */
static void edge_fiber(const double size[2], int k, double x, sn_fiber *f) {
  double h = size[0] / 2, w = size[1] / 2, A = 4 * h * w, sign = k < 2 ? 1 : -1;
  bool level = k % 2 == 0; /* its points have one y */
  double a = level ? h : w, b = level ? w : h;
  bend(f, level ? sign * h : -sign * b * x, level ? sign * b * x : sign * w, A, A * w * w / 3, A * h * h / 3);
  f->t[T] = twist(a, b, b * x) / torsion(h, w);
  f->t[level ? QZ : QY] = (level ? sign : -sign) * 1.5 / A * (1 - x * x);
}

int sn_section_fibers(const sn_geometry *g, int which, sn_fiber *fiber) {
  static const double named[5][2] = {{0}, {1, 0}, {-1, 0}, {0, -1}, {0, 1}};
  static const int edge[5] = {0, 0, 2, 3, 1};
  bool round = g->section == SN_OUTLINE_CIRCLE;
  int count = which ? 1 : round ? AROUND : 4 * ALONG;
  for (int k = 0; fiber && k < count; k++) {
    double p = 2 * SN_PI * k / AROUND;
    if (round && which)
      round_fiber(g->size[0], g->size[1], named[which][0], named[which][1], &fiber[k]);
    else if (round)
      round_fiber(g->size[0], g->size[1], cos(p), sin(p), &fiber[k]);
    else
      edge_fiber(g->size, which ? edge[which] : k / ALONG, which ? 0 : 2.0 * (k % ALONG) / ALONG - 1, &fiber[k]);
  }
  return count;
}
