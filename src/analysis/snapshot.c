/* snapshot.c - the whole state of a simulation in memory, from which it continues bit by bit. */
#include <math.h>
#include <string.h>

#include "analysis/checkpoint.h"

struct sn_snapshot {
  size_t count;
  double number[];
};

typedef struct call {
  sn_simulation *simulation;
  sn_history history;
} call;

/* The simulation continues from it as one does that it is restored to: from there the two cannot differ. */
static sn_status take(void *argument) {
  call *c = argument;
  sn_checkpoint_save(c->simulation, &c->history);
  return sn_checkpoint_load(c->simulation, &c->history);
}

static sn_status restore(void *argument) {
  call *c = argument;
  return sn_checkpoint_load(c->simulation, &c->history);
}

static sn_status begin(sn_simulation *s) {
  if (sn_pool_failed(s->pool)) return sn_fail(s->context, SN_MEMORY, "out of memory at t = %g s", s->state.t);
  s->viewed = NAN;
  return SN_OK;
}

sn_status sn_snapshot_take(sn_simulation *s, sn_snapshot **out) {
  call c = {.simulation = s};
  *out = NULL;
  sn_status status = begin(s);
  if (status == SN_OK && !sn_checkpoint_possible(s))
    return sn_fail(s->context, SN_USAGE, "only dynamics has snapshots; this is %s", s->analysis->kind.name);
  if (status == SN_OK) status = sn_guard(s->context, s->pool, take, &c);
  if (status) return status; /* what it took goes with the simulation */
  const size_t bytes = c.history.count * sizeof(double);
  sn_snapshot *snapshot = sn_try_new(1, sizeof *snapshot + bytes);
  if (snapshot) {
    snapshot->count = c.history.count;
    memcpy(snapshot->number, c.history.data, bytes);
  }
  sn_history_free(&c.history);
  *out = snapshot;
  return snapshot ? SN_OK : sn_fail(s->context, SN_MEMORY, "out of memory for a snapshot at t = %g s", s->state.t);
}

sn_status sn_snapshot_restore(sn_simulation *s, const sn_snapshot *snapshot) {
  sn_status status = begin(s);
  if (status) return status;
  call c = {s, {.data = (double *)(uintptr_t)snapshot->number, .count = snapshot->count, .capacity = snapshot->count}};
  return sn_guard(s->context, s->pool, restore, &c); /* loading does not write to it */
}

void sn_snapshot_free(sn_snapshot *snapshot) {
  sn_free(snapshot);
}
