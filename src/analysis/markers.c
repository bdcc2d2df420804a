/* markers.c - points of bodies that a host program names: where they are, and forces that it applies there. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hooks.h"
#include "force/applied.h"
#include "model/compile.h"
#include "model/reader.h"

typedef struct call {
  sn_simulation *simulation;
  const char *text;
  size_t number;
} call;

/* ---- "body", "body.point", "body.at(a, b, c)" ---- */

static sn_status refuse(const sn_simulation *s, const char *text, const char *why) {
  return sn_fail(s->context, SN_USAGE, "'%.100s' is not a marker: %s\n  expected: body, body.point or body.at(...)",
                 text, why);
}

/* Numbers in parentheses, up to the end of the text. */
static bool read_numbers(const char *at, sn_marker_ref *ref) {
  while (ref->count < 3) {
    char *end;
    ref->number[ref->count] = strtod(at, &end);
    if (end == at || !isfinite(ref->number[ref->count])) return false;
    ref->count++;
    for (at = end; isspace((unsigned char)*at); at++) {
    }
    if (*at == ')') return at[1] == 0;
    if (*at++ != ',') return false;
  }
  return false;
}

static sn_status read_marker(const sn_simulation *s, sn_arena *arena, const char *text, sn_marker_ref *ref) {
  const size_t dot = strcspn(text, "."), open = strcspn(text, "("), length = strlen(text);
  *ref = (sn_marker_ref){.body = sn_copy_text(arena, text, dot)};
  if (dot == 0 || open < dot) return refuse(s, text, "it names no body");
  if (dot < length) ref->point = sn_copy_text(arena, text + dot + 1, open - dot - 1);
  if (ref->point && !ref->point[0]) return refuse(s, text, "it names no point");
  if (open < length && !read_numbers(text + open + 1, ref)) return refuse(s, text, "it has no numbers in parentheses");
  if (sn_model_find(s->model, SN_LIST_BODIES, ref->body) >= 0) return SN_OK;
  return sn_fail(s->context, SN_USAGE, "the model has no body '%.100s'", ref->body);
}

/* As the compiler finds it, which reports to the context. */
static sn_status find_marker(sn_simulation *s, const char *text, sn_marker *marker) {
  sn_marker_ref *ref = SN_NEW(&s->arena, sn_marker_ref, 1);
  sn_status status = read_marker(s, &s->arena, text, ref);
  if (status) return status;
  sn_compiler c = {.context = s->context,
                   .arena = &s->arena,
                   .model = (sn_model *)(uintptr_t)s->model, /* it is not changed */
                   .q0 = (double *)(uintptr_t)s->model->q0,
                   .v0 = (double *)(uintptr_t)s->model->v0};
  c.reader = sn_reader_for(s->context, &s->arena, s->model->document);
  sn_clear_message(s->context);
  return sn_resolve(&c, ref, marker) && !c.reader.errors ? SN_OK : SN_USAGE;
}

static sn_status add_marker(void *argument) {
  call *c = argument;
  sn_simulation *s = c->simulation;
  sn_host *host = s->host;
  sn_marker marker;
  for (c->number = 0; c->number < (size_t)host->markers; c->number++)
    if (strcmp(host->load[c->number].at, c->text) == 0) return SN_OK;
  sn_status status = find_marker(s, c->text, &marker);
  if (status) return status;
  if (host->markers == host->capacity) {
    const int capacity = 2 * host->capacity + 4;
    sn_applied *load = SN_NEW(&s->arena, sn_applied, capacity);
    if (host->markers) memcpy(load, host->load, (size_t)host->markers * sizeof *load);
    host->load = load;
    host->capacity = capacity;
  }
  sn_applied *x = &host->load[host->markers];
  sn_make_applied(s->model, &marker, x);
  x->at = sn_copy_text(&s->arena, c->text, strlen(c->text));
  host->markers++;
  return SN_OK;
}

sn_status sn_find_marker(sn_simulation *s, const char *text, size_t *number) {
  call c = {s, text, 0};
  sn_status status = sn_alive(s);
  *number = SIZE_MAX;
  if (status == SN_OK) status = sn_guard(s->context, s->pool, add_marker, &c);
  if (status == SN_OK) *number = c.number;
  return status;
}

static sn_status check_number(const sn_simulation *s, size_t marker) {
  sn_status status = sn_alive(s);
  if (status || marker < (size_t)s->host->markers) return status;
  return sn_fail(s->context, SN_USAGE, "there is no marker number %zu: %d were found (sn_find_marker)", marker,
                 s->host->markers);
}

/* ---- where it is ---- */

sn_status sn_marker_motion(sn_simulation *s, size_t marker, double position[3], double velocity[3]) {
  const sn_status status = check_number(s, marker);
  if (status) return status;
  const sn_probe *p = &s->host->load[marker].load[0].point;
  if (position) p->ops->value(p, s->state.q, position);
  if (velocity) p->ops->rate(p, s->state.q, s->state.v, velocity);
  return SN_OK;
}

/* ---- forces ---- */

static bool is_something(const double x[3]) {
  return x && (x[0] != 0 || x[1] != 0 || x[2] != 0);
}

static bool is_number(const double x[3]) {
  return !x || (isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]));
}

static sn_status check_force(const sn_simulation *s, const sn_applied *x, const double force[3],
                             const double moment[3]) {
  if (!is_number(force) || !is_number(moment))
    return sn_fail(s->context, SN_USAGE, "the force at '%s' has values that are not finite", x->at);
  if ((is_something(force) || is_something(moment)) && x->load[0].point.groups == 0)
    return sn_fail(s->context, SN_USAGE, "a force at '%s' acts on the ground", x->at);
  if (is_something(moment) && !x->turns)
    return sn_fail(s->context, SN_USAGE, "'%s' has no frame for a moment to act on", x->at);
  return SN_OK;
}

static sn_status follow(void *argument) {
  const call *c = argument;
  return sn_follow_change(c->simulation);
}

sn_status sn_apply_force(sn_simulation *s, size_t marker, const double force[3], const double moment[3]) {
  const double *const given[2] = {force, moment};
  sn_status status = check_number(s, marker);
  if (status) return status;
  sn_applied *x = &s->host->load[marker];
  status = check_force(s, x, force, moment);
  if (status) return status;
  bool change = false;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 3; i++) {
      const double value = given[k] ? given[k][i] : 0;
      change |= value != x->value[k][i];
      x->value[k][i] = value;
    }
  if (!change) return SN_OK;
  call c = {s, NULL, marker};
  s->host->applied = s->host->markers;
  s->viewed = NAN;
  return sn_guard(s->context, s->pool, follow, &c);
}
