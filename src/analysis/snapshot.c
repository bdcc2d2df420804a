/* snapshot.c - the whole state of a simulation in memory, from which it continues bit by bit. */
#include <math.h>
#include <string.h>

#include "analysis/checkpoint.h"
#include "analysis/hooks.h"
#include "base/handles.h"
#include "force/applied.h"

struct sn_snapshot {
  size_t count; /* numbers of the simulation, then six of every marker: force, moment */
  size_t markers;
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
  c->simulation->left = true;
  return sn_checkpoint_load(c->simulation, &c->history);
}

static sn_status begin(sn_simulation *s) {
  const sn_status status = sn_alive(s);
  if (status) return status;
  s->viewed = NAN;
  return SN_OK;
}

static double *forces_of(const sn_snapshot *snapshot, size_t marker) {
  return (double *)(uintptr_t)snapshot->number + snapshot->count + 6 * marker;
}

/* Forces at markers; at those that the snapshot does not have, none. */
static sn_status restore_forces(sn_simulation *s, const sn_snapshot *snapshot) {
  static const double none[6] = {0};
  bool missing = false;
  const size_t here = (size_t)s->host->markers;
  for (size_t k = 6 * here; k < 6 * snapshot->markers; k++) missing |= forces_of(snapshot, 0)[k] != 0;
  if (missing)
    return sn_fail(s->context, SN_USAGE,
                   "the snapshot has forces at markers that were not found here (sn_find_marker)");
  if (snapshot->markers) s->host->applied = s->host->markers;
  for (size_t i = 0; i < here; i++)
    memcpy(s->host->load[i].value, i < snapshot->markers ? forces_of(snapshot, i) : none, sizeof none);
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
  const size_t bytes = c.history.count * sizeof(double), markers = (size_t)s->host->markers;
  sn_snapshot *snapshot = sn_try_new(1, sizeof *snapshot + bytes + markers * sizeof s->host->load->value);
  if (snapshot) {
    sn_handle_made(snapshot);
    snapshot->count = c.history.count;
    snapshot->markers = markers;
    memcpy(snapshot->number, c.history.data, bytes);
    for (size_t i = 0; i < markers; i++)
      memcpy(forces_of(snapshot, i), s->host->load[i].value, sizeof s->host->load[i].value);
  }
  sn_history_free(&c.history);
  *out = snapshot;
  return snapshot ? SN_OK : sn_fail(s->context, SN_MEMORY, "out of memory for a snapshot at t = %g s", s->state.t);
}

sn_status sn_snapshot_restore(sn_simulation *s, const sn_snapshot *snapshot) {
  sn_status status = begin(s);
  if (status == SN_OK && sn_handle_check(snapshot)) status = sn_fail(s->context, SN_USAGE, "this snapshot was freed");
  if (status == SN_OK) status = restore_forces(s, snapshot);
  if (status) return status;
  call c = {s, {.data = (double *)(uintptr_t)snapshot->number, .count = snapshot->count, .capacity = snapshot->count}};
  return sn_guard(s->context, s->pool, restore, &c); /* loading does not write to it */
}

void sn_snapshot_free(sn_snapshot *snapshot) {
  if (!snapshot || sn_handle_check(snapshot)) return;
  sn_handle_freed(snapshot, "snapshot", NULL);
  sn_free(snapshot);
}
