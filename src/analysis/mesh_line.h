/* mesh_line.h - the estimates of mesh_error.h for one body along a line, for its analyses (mesh_doubt.c). */
#ifndef SN_MESH_LINE_H
#define SN_MESH_LINE_H

#include "analysis/simulation.h"

/* The state, or small motions u about it as w2 of its mode; load: forces per element of loads along lines, or NULL. */
typedef struct sn_mesh_motion {
  const sn_simulation *simulation;
  sn_eval ev;
  const double *u;
  double w2, *load;
  /* Buckling: u is a shape at the load factor `more` beyond the state; coordinates change by `response` per factor. */
  const double *response;
  double more;
} sn_mesh_motion;

typedef struct sn_mesh_line {
  const sn_body *body;
  sn_geometry g;
  int index;
} sn_mesh_line;

/* Bodies along lines whose elements are known; reduced ones have modes instead (analysis/reduction.h). */
bool sn_mesh_take(const sn_model *model, int body, sn_mesh_line *line);
/* Resultants in an element at s; of a motion their change, by differences. */
void sn_mesh_resultants(const sn_mesh_motion *motion, const sn_mesh_line *line, int element, double s, double y[16]);
/* Strain energy that the elements lack, of the state or of a motion. */
double sn_mesh_missing(const sn_mesh_motion *motion, sn_mesh_line *line);
/* The same in motion, from how resultants change from element to element. */
double sn_mesh_waves(const sn_mesh_motion *motion, const sn_mesh_line *line);
/* Its strain energy. */
double sn_mesh_strain(const sn_mesh_motion *motion, const sn_mesh_line *line);

#endif
