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

/* body.name or body.at(x, y, z) in body axes; the origin when no point is named and none is needed. */
bool sn_local_point(sn_compiler *compiler, const sn_body *body, const sn_marker_ref *ref, const sn_point_map *points,
                    double local[3]);

/* body.start, body.end or body.at(s), s from 0 to 1 along a line of equal elements: which element, and where in it (0
 * to 1). */
bool sn_line_point(sn_compiler *compiler, const sn_body *body, const sn_marker_ref *ref, int elements, int *element,
                   double *s);

/* Resultants at a marker on such a line: `in` gives those of an element at s; at a node, where they jump a little, the
 * mean of both sides. */
void sn_line_resultants(const sn_marker *marker, int elements, const sn_eval *eval, int columns,
                        void (*in)(const sn_marker *, int, double, const sn_eval *, double *), double *values);

#endif
