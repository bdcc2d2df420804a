/* memory_need.c - see memory_need.h.
 *
 * A body of e elements with c coordinates per node has
 *
 *     line:    N = e + 1 nodes,            each coupled to 3 nodes, itself included
 *     grid:    N = (e1 + 1)(e2 + 1) nodes, each coupled to 9 nodes
 *     n = c N coordinates, z = (3 or 9) c n nonzeros
 *
 * and a run takes  bytes = base + 1100 n + 123 z f + 800 spheres  (radau, the most demanding of the usual methods: real
 * and complex factors; others take a third). f is fill-in: 1 for lines; log2(e)/7 for grids, where nested dissection
 * leaves z log(e) numbers. The factors were measured as the growth of the resident memory from 1,000 to 4,000 elements
 * of cable and beam and from 256 to 4,096 of plate; tests/unit/test_memory.c compares them with what runs take.
 */
#include "model/memory_need.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "model/model.h"

static const double base_bytes = 20e6, per_coordinate = 1100, per_nonzero = 123, per_sphere = 800;

/* Two numbers of a field of whole numbers, the second 0 unless it is a grid; false: there is no such field. */
static bool counts_of(const sn_spec *spec, const char *name, double count[2]) {
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

sn_need sn_memory_needed(const sn_document *document) {
  sn_need need = {.bytes = base_bytes};
  const sn_list *bodies = &document->list[SN_BODIES], *surfaces = &document->list[SN_SURFACES];
  for (int i = 0; i < bodies->count; i++) add_body(&need, bodies->item[i], document->planar);
  for (int i = 0; i < surfaces->count; i++) add_surface(&need, surfaces->item[i]);
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
  const sn_need need = sn_memory_needed(document);
  const double available = sn_memory_available(context);
  if (need.bytes <= available) return SN_OK;
  return sn_fail(context, SN_USAGE,
                 "%s needs about %s of memory (%.3g elements, %.3g coordinates, %.3g nonzeros), and %s are %s\n"
                 "  possible remedy: fewer elements, or a higher limit (--memory or SINEW_MEMORY)",
                 document->path, sn_bytes_text(need.bytes).text, need.elements, need.coordinates, need.nonzeros,
                 sn_bytes_text(available).text, context->memory > 0 ? "allowed" : "available");
}
