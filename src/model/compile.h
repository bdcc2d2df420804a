/* compile.h - what kinds use to turn their specs into groups, batches and probes. */
#ifndef SN_COMPILE_H
#define SN_COMPILE_H

#include "model/formula.h"
#include "model/map.h"
#include "model/model.h"

typedef struct sn_quantity_entry { /* of a list */
  sn_quantity *quantity;
  struct sn_quantity_entry *next;
} sn_quantity_entry;

typedef struct sn_open_variable { /* its formula is being made, for that of the one above */
  const char *name;
  const void *what; /* the variable, or the spec of a spring or output */
  const struct sn_open_variable *up;
} sn_open_variable;

struct sn_compiler {
  sn_context *context;
  sn_arena *arena;
  sn_arena growth; /* of arrays whose size is not known before the end */
  sn_model *model;
  sn_reader reader; /* for errors */
  sn_map bodies;    /* by name; empty: of a model that is compiled already */
  /* growing while compiling */
  int groups, group_capacity;
  int *group_size, *group_first;
  bool *group_is_constraint;
  const char **group_name;
  int batch_capacity;
  int coordinate_capacity;
  double *q0, *v0;
  double *discrete0;
  /* Sections of beams that joints hold, for each body: [bodies] lists, made on first use (joint.c). */
  struct sn_held_section **held;
  sn_quantity_entry *quantities; /* that expressions refer to, found so far (joint/quantity.c) */
  const sn_open_variable *open;  /* whose formulas are being made */
};

/* A new group of coordinates (its values follow in q0, v0) or of multipliers. Coordinates come before all
 * multipliers. Returns its number. */
int sn_add_coordinates(sn_compiler *compiler, const char *name, int size, const double *q0, const double *v0);
int sn_add_multipliers(sn_compiler *compiler, const char *name, int size);
/* A new value that changes only between steps; returns its number. */
int sn_add_discrete(sn_compiler *compiler, double start);

/* The batch with this table; NULL: the model has none. */
sn_batch *sn_batch_find(const sn_model *model, const sn_batch_ops *ops);
/* The same, made on first use with `size` zeroed bytes of data. */
sn_batch *sn_batch_get(sn_compiler *compiler, const sn_batch_ops *ops, size_t size);
/* A new zeroed instance at the end of a batch that is a plain array of structs. */
void *sn_batch_append(sn_compiler *compiler, const sn_batch_ops *ops, size_t size);

const sn_body *sn_find_body(const sn_compiler *compiler, const char *name);
sn_joint *sn_find_joint(const sn_model *model, const char *name);

/* Resolve a marker; false after reporting an error. */
bool sn_resolve(sn_compiler *compiler, const sn_marker_ref *ref, sn_marker *marker);
/* Two markers of a joint or force; one of them may name only a body, meaning its point where the other one starts. */
bool sn_resolve_pair(sn_compiler *compiler, const sn_marker_ref ref[2], sn_marker marker[2]);
/* The same, but either may stand for a row of points (points > 1). Elsewhere such markers are an error. */
bool sn_resolve_rows(sn_compiler *compiler, const sn_marker_ref ref[2], sn_marker marker[2]);
/* A marker on a body with a frame at a given global place. */
void sn_marker_at(const sn_body *body, const double position[3], sn_marker *marker);

/* Give a line without section axes a frame: its tangent and the direction `reference` of a carrier, normal to the
 * tangent at the start; in a planar model the normal of the plane, without carrier (line_frame.c). */
void sn_complete_frame(sn_compiler *compiler, sn_marker *line, const double reference[3], const sn_marker *carrier);

/* What of the start stays as written (keep.c). */
void sn_compile_keep(sn_compiler *compiler);
/* The units of all coordinates, once they are known; see sn_model. */
void sn_compile_units(sn_compiler *compiler);

/* In a planar model vectors must have z = 0; reports at the field otherwise. */
void sn_check_plane(sn_compiler *compiler, const sn_spec *spec, const char *field, const double vector[3]);

static inline void sn_marker_point(const sn_marker *marker, sn_probe *probe) {
  assert(marker->body);
  marker->body->ops->point(marker, probe);
  assert(sn_is_probe(probe));
}

#endif
