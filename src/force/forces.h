/* forces.h - what the kinds of forces share. */
#ifndef SN_FORCES_H
#define SN_FORCES_H

#include "model/coordinate.h"
#include "model/model.h"

/* A compiled spring: tension F = k (L - L0) + c L' along e = (r_j - r_i)/L. */
typedef struct sn_spring_item {
  const char *name;
  sn_probe probe[2];
  double k, c, L0;
} sn_spring_item;

extern const sn_force_ops sn_torsion_spring; /* which outputs can record */

/* A spring-damper on one coordinate: F = k (phi - phi0) + c phi', Q = -F dphi/dq. */
typedef struct sn_coordinate_spring {
  const char *name;
  sn_coordinate phi;
  double k, c, phi0;
  const char *warning; /* made when it is added */
  bool recorded;       /* an output has its coordinate */
} sn_coordinate_spring;

void sn_add_coordinate_spring(sn_compiler *compiler, const sn_coordinate_spring *spring);
/* The first one of that name, for an output; NULL: none. */
const sn_coordinate_spring *sn_find_coordinate_spring(const sn_model *model, const char *name);
void sn_coordinate_spring_state(const sn_coordinate_spring *spring, const double *q, const double *v, double *phi,
                                double *force);

/* Points along a flexible line: elements and length of each; false after reporting that `on` is none. */
bool sn_force_line(sn_compiler *compiler, const sn_spec *spec, const sn_marker_ref *on, const sn_body **body,
                   int *elements, double *element_length);
/* The marker at s in [0, 1] of it. */
bool sn_line_marker(sn_compiler *compiler, const sn_marker_ref *on, double s, sn_marker *marker);
enum { SN_LINE_POINTS = 4 }; /* Gauss points per element, exact for the products of cubics */

/* A dead force f per probe, for distributed loads: appended to the point loads. */
void sn_add_dead_load(sn_compiler *compiler, const char *owner, const sn_probe *probe, const sn_expr *const f[3]);

/* The force or moment f(t, phi, phi', ...) against phi, an expression whose first two variables are phi and phi'. */
void sn_add_law(sn_compiler *compiler, const char *name, const sn_coordinate *phi, const sn_expr *f);
/* The force of the first law of that name; 0: none. */
double sn_law_force(const sn_model *model, const char *name, const sn_eval *eval);

/* Variables and inputs of the model (variable.c): coordinates and names, then equations. */
void sn_declare_variables(sn_compiler *compiler);
void sn_compile_variables(sn_compiler *compiler);

/* Length and tension. */
void sn_spring_state(const sn_spring_item *spring, const double *q, const double *v, double *length, double *force);

#endif
