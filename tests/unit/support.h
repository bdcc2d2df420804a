/* support.h - what the physics tests share: a model from text with its equations, noise, differences, dense matrices.
 */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/simulation.h"
#include "result/result.h"

#define PI 3.14159265358979323846

/* Bodies and joints of a planar four-bar of revolute joints in space: three of its equations repeat others. */
#define SWINGING_FOUR_BAR                                                                             \
  "  a: {type: rigid, from: [0, 0, 0], to: [0.2, 0.6, 0], mass: 1, inertia: [0.01, 0.03, 0.03]}\n"    \
  "  b: {type: rigid, from: [0.2, 0.6, 0], to: [1.3, 0.9, 0], mass: 2, inertia: [0.02, 0.2, 0.21]}\n" \
  "  c: {type: rigid, from: [1.3, 0.9, 0], to: [1, 0, 0], mass: 1.5, inertia: [0.01, 0.1, 0.1]}\n"    \
  "joints:\n"                                                                                         \
  "  i: {type: revolute, between: [ground, a.start], axis: [0, 0, 1]}\n"                              \
  "  j: {type: revolute, between: [a.end, b.start], axis: [0, 0, 1]}\n"                               \
  "  k: {type: revolute, between: [b.end, c.start], axis: [0, 0, 1]}\n"                               \
  "  l: {type: revolute, between: [c.end, ground], axis: [0, 0, 1]}\n"

/* ---- one table of small models: a new kind, or a new variant of one, is a new line in cases.c ---- */

typedef enum symmetry {
  GROUNDED, /* tied to the ground, or loaded by dead forces */
  FREE,     /* turning and moving the whole model changes nothing but its coordinates */
  PLANAR,   /* so does turning it about z */
} symmetry;

typedef struct sn_case {
  const char *name;
  symmetry symmetry;
  const char *text; /* behind the common head: bodies, joints, forces */
} sn_case;

extern const sn_case sn_model_cases[];
extern const int sn_case_count;
/* The whole model text of a case; the caller frees it. */
char *case_text(const sn_case *it);

/* ---- a model and its equations ---- */

typedef struct fixture {
  sn_context *context;
  sn_model *model;
  sn_system *system;
  sn_state state; /* as in the file, not yet consistent */
  /* for functions that are differentiated */
  double c[4];   /* ci, cm, cd, ck */
  double s;      /* parameter of a path through ... */
  sn_state base; /* ... this state */
} fixture;

/* Parse a text, or a file NAME.yaml; a wrong model fails the test with its message. */
sn_model *parse(sn_context *context, const char *text);
void open_fixture(fixture *f, const char *text, const char *solver);
void close_fixture(fixture *f);

/* A simulation of a text or file (it ends in .yaml) with settings; fails the test when it cannot be made. */
typedef struct run {
  sn_context *context;
  sn_model *model;
  sn_simulation *simulation;
} run;

void open_run(run *r, const char *model, const sn_options *options);
void close_run(run *r);
void advance(run *r, double time);          /* fails the test when the run fails */
double go_to(run *r, double time);          /* the same; returns the time reached, a little further */
void run_to_end(run *r, const char *model); /* all stages to their end */
/* The verdict on a run that is recorded step by step to its end, or to where it fails as expected. */
sn_verdict verdict_of(run *r, sn_status expected);
/* The first `count` numbers of an output at the present time; the largest energy error. */
void read_output(run *r, const char *output, double *y, size_t count);
double energy_error_of(run *r);

/* ---- numbers ---- */

/* In [-1, 1], the same sequence every time. */
double noise(uint64_t *seed);
void add_noise(uint64_t *seed, double size, double *x, int count);

/* |x|, the largest of |x[i]|, and of |x[i] - y[i]| */
double largest(const double *x, int count);
double distance(const double *x, const double *y, int count);
double inner(const double *x, const double *y, int count);

/* d function/dx at x, x part of the fixture: central differences, extrapolated to order 6. */
typedef void (*vector_function)(fixture *f, double *y);
void difference(fixture *f, vector_function function, int size, double *x, double h, double *slope);

/* state = base moved along q + v s + a s^2/2, v + a s, t + s; take_base makes the state the base. */
void take_base(fixture *f);
void move_along(fixture *f);

/* The assembled matrix as rows x rows numbers, column major; the caller frees them. */
double *dense(const sn_matrix *A);

/* Rigid bodies in space, and a driver: Phi depends on time. */
#define DRIVEN                                                                                                       \
  "sinew: 1\ngravity: [0, -9.81, 0]\n"                                                                               \
  "bodies:\n"                                                                                                        \
  "  a: {type: rigid, from: [0, 0, 0], to: [0.6, 0, 0.3], mass: 1.5, shape: {type: box, size: [0.6, 0.2, 0.1]}}\n"   \
  "  b: {type: rigid, from: [0.6, 0, 0.3], to: [1.1, 0.4, 0], mass: 1, shape: {type: box, size: [0.5, 0.1, 0.2]}}\n" \
  "joints:\n"                                                                                                        \
  "  pin: {type: revolute, between: [ground, a.start], axis: [0, 0, 1]}\n"                                           \
  "  drive: {type: motion, between: [ground, a.start], axis: [0, 0, 1], rotation: 0.3*sin(4*t)}\n"                   \
  "  hinge: {type: spherical, between: [a.end, b.start]}\n"

/* Nothing failed if `value` is at most `limit`; otherwise say what it was. A NaN fails. */
#define assert_below(value, limit, ...) check_below((value), (limit), __FILE__, __LINE__, __VA_ARGS__)
void check_below(double value, double limit, const char *file, int line, const char *format, ...) SN_PRINTF(5, 6);

/* Rows in what is left of a result; -1: it is none yet. All series can be read, and times are those of the whole run.
 */
long readable_rows(const char *path, const sn_series *whole);

/* ---- attacks: programs that tests/torture runs often, and the tests a few times ---- */

long attack_count(long usual); /* TORTURE_COUNT, or as many as usual */
uint64_t attack_seed(void);    /* TORTURE_SEED, or the same every time */
/* The line that tests/torture reads; fails the test unless all was survived. */
void attack_tally(long tried, long survived);

/* log2 |y(h) - y(h/2)|/|y(h/2) - y(h/4)| at the end of `duration`, the order of a method with fixed steps; y: the first
 * `columns` (at most 6) of the outputs, a list that ends with NULL. method: "newmark, step: %g". */
double observed_order(const char *model, const char *method, double h, double duration, const char *const *outputs,
                      int columns);

#endif
