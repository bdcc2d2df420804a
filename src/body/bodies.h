/* bodies.h - what the kinds of bodies share. */
#ifndef SN_BODIES_H
#define SN_BODIES_H

#include "model/model.h"

/* p.p - 1 = 0 for a group (r, p) of seven coordinates; while constraints are compiled. turns: let it turn in steps that
 * carry momentum, as the kind itself does not (see sn_batch_ops.advance). */
void sn_add_normalization(sn_compiler *compiler, const char *name, int first, int group, bool turns);
/* First coordinate of the body and row of the multiplier of all normalizations of a model, into first and row (NULL: only
 * counted); returns their number. */
int sn_normalizations(const sn_model *model, int *first, int *row);

/* body.name or body.at(x, y, z) in body axes; the origin when no point is named and none is needed. landmarks: the other
 * points that the body has, for messages; NULL: none. */
bool sn_local_point(sn_compiler *compiler, const sn_body *body, const sn_marker_ref *ref, const char *landmarks,
                    const sn_point_map *points, double local[3]);

/* For a message about a point that is none of `names` ("start, end, at(s)"): "did you mean 'end'?"; NULL: none is near. */
const char *sn_near_point(sn_compiler *compiler, const char *word, const char *names);
/* "tip", "at(1.5)": the point as it was written */
const char *sn_point_text(sn_compiler *compiler, const sn_marker_ref *ref);

/* body.start, body.end or body.at(s), s from 0 to 1 along a line of equal elements: which element, and where in it (0
 * to 1). */
bool sn_line_point(sn_compiler *compiler, const sn_body *body, const sn_marker_ref *ref, int elements, int *element,
                   double *s);

/* Resultants at a marker on such a line: `in` gives those of an element at s under a load per length (NULL: not known);
 * at a node, where they jump a little, the mean of both sides. load: see sn_body_ops.resultants. */
typedef void sn_line_resultants_in(const sn_marker *, int element, double s, const sn_eval *, const double *load,
                                   double *values);
void sn_line_resultants(const sn_marker *marker, int elements, const sn_eval *eval, const double (*load)[3],
                        int columns, sn_line_resultants_in *in, double *values);

/* The element next to the one of a marker at a node, or -1. */
int sn_line_neighbor(const sn_marker *marker, int elements);

/* What a load p per length, even over an element of length l, changes at s: the balance with the forces between the nodes
 * gives the force in the middle, and moments that are too large by p l^2/12 at both nodes. u: r_x.
 *
 *   n -= (s - 1/2) l p        m += l^2 (s^2/2 - s/2 + 1/12) u x p                  n' = -p,  m' = -u x n */
void sn_line_add_load(double s, double l, const double p[3], const double u[3], double n[3], double m[3]);
/* The same in columns N, Q, M or N, Qy, Qz, Mx, My, Mz, of kinds whose forces are those of a straight line;
 * without bending N alone. */
void sn_line_load_columns(const sn_marker *marker, int element, double s, double l, const double *q, const double p[3],
                          bool bends, double *values);

#endif
