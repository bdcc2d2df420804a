/* memory_need.c - see memory_need.h.
 *
 * A body of e elements with c coordinates per node has
 *
 *     line:    N = e + 1 nodes,            each coupled to 3 nodes, itself included
 *     grid:    N = (e1 + 1)(e2 + 1) nodes, each coupled to 9 nodes
 *     n = c N coordinates, z = (3 or 9) c n nonzeros
 *
 * and a run takes
 *
 *     bytes = base + 1100 n + 123 z f      the run (radau, the most demanding of the usual methods: real and complex
 *                                          factors; others take a third). f is fill-in: 1 for lines; log2(e)/7 for
 *                                          grids, where nested dissection leaves z log(e) numbers; a third of it
 *                                          where time stands still
 *           + as much again                the finer run beside it, without contacts
 *           + 40,000 per object            body, joint, force, output: what HDF5 keeps of its group and attributes
 *           + rows                         unfinished chunks of the result, 64 MB at most, and no more than all rows
 *           + 800 per sphere, 5,000 per surface        contact
 *           + modes                        dense: 6 n^2 numbers; Lanczos: (3 count + 25) n
 *
 * A heap of N bodies that touch by penalties couples them in space: an implicit method takes 10,300 N^1.5 more for its
 * factors. The file does not tell whether they touch, so that this part is said, but refuses nothing.
 * The factors were measured as the growth of the resident memory from 1,000 to 4,000 elements of cable and beam, from
 * 256 to 4,096 of plate, from 500 to 2,000 rigid bodies, joints and outputs, and with heaps of 125 to 1,000 spheres;
 * tests/unit/test_memory.c compares them with what runs take.
 */
#include "model/memory_need.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "model/model.h"
#include "model/registry.h"

static const double base_bytes = 20e6, per_coordinate = 1100, per_nonzero = 123, per_sphere = 800;
static const double per_object = 40e3, per_surface = 5e3, per_heap = 10.3e3;
static const double most_chunks = 64e6, largest_chunk = 256e3; /* of the result, see result/track.c */

/* The value of a field of a type; NULL: there is no such field, or its value is not given and has no default. */
static const void *value_of(const sn_spec *spec, const char *name, sn_type type) {
  for (const sn_field *field = spec->kind->fields; field && field->name; field++)
    if (strcmp(field->name, name) == 0 && field->type == type && (field->def || sn_given(spec, name)))
      return (const char *)spec + field->at;
  return NULL;
}

/* Two numbers of a field of whole numbers, the second 0 unless it is a grid; false: there is no such field. */
static bool counts_of(const sn_spec *spec, const char *name, double count[2]) {
  assert(sn_is_field(spec->kind, name));
  for (const sn_field *field = spec->kind->fields; field && field->name; field++) {
    if (strcmp(field->name, name) != 0 || (field->type != SN_INT && field->type != SN_GRID)) continue;
    const int *value = (const int *)(const void *)((const char *)spec + field->at);
    count[0] = value[0];
    count[1] = field->type == SN_GRID ? value[1] : 0;
    return true;
  }
  return false;
}

static void add_body(sn_need *need, const sn_spec *spec, bool planar) {
  const sn_body_ops *ops = (const sn_body_ops *)(const void *)spec->kind;
  if (planar && ops->planar) ops = ops->planar;
  if (!ops->node_coordinates) return; /* the ground */
  double e[2], c = ops->node_coordinates, nodes = 1, neighbors = 1, elements = 1, fill = 1;
  if (planar && ops->planar == ops && !spec->kind->planar_only) c *= 2.0 / 3; /* one table for space and plane */
  if (counts_of(spec, "elements", e)) {
    const bool grid = e[1] > 0;
    elements = grid ? e[0] * e[1] : e[0];
    nodes = grid ? (e[0] + 1) * (e[1] + 1) : e[0] + 1;
    neighbors = grid ? 9 : 3;
    if (ops->dense) neighbors = nodes;
    if (grid) fill = fmax(1, log2(elements) / 7);
  }
  const double n = c * nodes, z = neighbors * c * n;
  need->coordinates += n;
  need->elements += elements;
  need->nonzeros += z;
  need->bytes += per_coordinate * n + per_nonzero * z * fill;
}

double sn_memory_of_spheres(double count) {
  assert(count >= 0);
  return per_sphere * count;
}

/* Where the file gives a spacing, the number is known when the surface is compiled, and looked at there. */
static void add_surface(sn_need *need, const sn_spec *spec) {
  double count[2];
  if (!sn_given(spec, "count") || !counts_of(spec, "count", count)) return;
  const double spheres = count[1] > 0 ? count[0] * count[1] : count[0];
  need->spheres += spheres;
  need->bytes += sn_memory_of_spheres(spheres);
}

/* Does the choice of a field begin with this word? The first one does not need to be given. */
static bool chooses(const sn_spec *spec, const char *name, const char *word) {
  const int *chosen = value_of(spec, name, SN_CHOICE);
  if (!chosen) return false;
  for (const sn_field *field = spec->kind->fields; field->name; field++) {
    if (strcmp(field->name, name) != 0) continue;
    const char *at = field->choices;
    for (int i = 0; at && i < *chosen; i++) at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL;
    return at && strncmp(at, word, strlen(word)) == 0;
  }
  return false;
}

static void add_contacts(sn_need *need, const sn_document *document) {
  const sn_list *surfaces = &document->list[SN_SURFACES], *contacts = &document->list[SN_CONTACTS];
  bool penalty = false;
  for (int i = 0; i < surfaces->count; i++) add_surface(need, surfaces->item[i]);
  for (int i = 0; i < contacts->count; i++) penalty |= !chooses(contacts->item[i], "method", "dvi");
  need->bytes += per_surface * surfaces->count;
  if (penalty) need->touching = per_heap * pow(surfaces->count, 1.5);
}

/* Rows of a stage; 200 where the file does not say. */
static double rows_of(const sn_spec *spec) {
  const double *duration = value_of(spec, "duration", SN_REAL), *step = value_of(spec, "output_step", SN_REAL);
  return duration && step && *step > 0 ? *duration / *step + 2 : 200;
}

static void add_stages(sn_need *need, const sn_document *document) {
  const sn_list *stages = &document->list[SN_ANALYSES];
  const double objects = document->list[SN_BODIES].count + document->list[SN_JOINTS].count +
                         document->list[SN_FORCES].count + document->list[SN_OUTPUTS].count;
  const double width = need->coordinates + 10 * (document->list[SN_OUTPUTS].count + 3), n = need->coordinates;
  double rows = 0, modes = 0;
  for (int i = 0; i < stages->count; i++) {
    const sn_spec *stage = stages->item[i];
    const int *count = value_of(stage, "count", SN_INT);
    rows += rows_of(stage);
    if ((strcmp(stage->kind->name, "modes") != 0 && strcmp(stage->kind->name, "buckling") != 0) || !count) continue;
    const bool dense = chooses(stage, "method", "dense") || (chooses(stage, "method", "auto") && n <= 400);
    modes = fmax(modes, sizeof(double) * (dense ? 6 * n : fmin(3.0 * *count + 25, 3 * n)) * n);
  }
  need->bytes +=
      per_object * objects + fmin(sizeof(double) * rows * width, fmin(most_chunks, largest_chunk * (objects + 20)));
  need->bytes += modes;
}

/* Are all stages without time (statics, modes)? They have real factors only. */
static bool is_quasi_static(const sn_document *document) {
  const sn_list *stages = &document->list[SN_ANALYSES];
  for (int i = 0; i < stages->count; i++)
    if (value_of(stages->item[i], "duration", SN_REAL)) return false;
  return stages->count > 0;
}

/* Does a finer run go beside this one (analysis/companion.c)? */
static bool has_companion(const sn_document *document) {
  const sn_list *stages = &document->list[SN_ANALYSES];
  for (int i = 0; i < stages->count; i++) {
    const bool *companion = value_of(stages->item[i], "companion", SN_BOOL);
    if (companion && *companion) return true;
  }
  return false;
}

sn_need sn_memory_needed(const sn_document *document) {
  sn_need need = {0};
  const sn_list *bodies = &document->list[SN_BODIES];
  for (int i = 0; i < bodies->count; i++) add_body(&need, bodies->item[i], document->planar);
  need.bytes *= is_quasi_static(document) ? 1.0 / 3 : has_companion(document) ? 2 : 1;
  need.bytes += base_bytes;
  add_contacts(&need, document);
  add_stages(&need, document);
  return need;
}

/* ---- what there is ---- */

/* The number behind a word at the begin of a line of a file; INFINITY: there is none. */
static double number_in(const char *path, const char *word) {
  char line[256];
  double value = INFINITY;
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file))
    if (!strncmp(line, word, strlen(word)) && sscanf(line + strlen(word), "%lf", &value) == 1) break;
  if (file) fclose(file);
  return value;
}

double sn_memory_available(const sn_context *context) {
  if (context->memory > 0) return context->memory;
  struct rlimit limit;
  double bytes = 1024 * number_in("/proc/meminfo", "MemAvailable:"); /* Linux; elsewhere no limit is known */
  bytes = fmin(bytes, number_in("/sys/fs/cgroup/memory.max", ""));   /* of a container; "max" is no number */
  if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY) bytes = fmin(bytes, (double)limit.rlim_cur);
  return bytes;
}

sn_size_text sn_bytes_text(double bytes) {
  static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  size_t unit = 0;
  sn_size_text size;
  for (; bytes >= 999.5 && unit + 1 < SN_COUNT(units); unit++) bytes /= 1000;
  snprintf(size.text, sizeof size.text, "%.3g %s", bytes, units[unit]);
  return size;
}

sn_status sn_memory_check(sn_context *context, const sn_document *document) {
  enum { SMALL = 10000000 }; /* [bytes] not worth asking the system */
  const sn_need need = sn_memory_needed(document);
  if (context->memory <= 0 && need.bytes < SMALL) return SN_OK;
  const double available = sn_memory_available(context);
  if (need.bytes <= available) return SN_OK;
  return sn_fail(context, SN_USAGE,
                 "%s needs about %s of memory (%.3g elements, %.3g coordinates, %.3g nonzeros), and %s are %s\n"
                 "  possible remedy: fewer elements, or a higher limit (--memory or SINEW_MEMORY)",
                 document->path, sn_bytes_text(need.bytes).text, need.elements, need.coordinates, need.nonzeros,
                 sn_bytes_text(available).text, context->memory > 0 ? "allowed" : "available");
}
