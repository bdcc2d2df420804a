/* impacts.c - rebounds within a step, impact after impact.
 *
 * A contact impacts if it would close within the step at the current velocities, and approaches faster than `rebound`.
 * All impacting contacts rebound together, by Newton's law:
 *
 *   0 <= u1 + e u0  _|_  gn >= 0          u0 before (the first time: at the start of the step), u1 after, along n
 *
 * with friction. Contacts that touch without impact:
 *
 *   simultaneous   contacts with gap < h rebound remain closed, u1 + gap/h >= 0: a row of
 *                  balls in contact, hit by another, separates with the velocities (-1/3, 2/3, 2/3)
 *   sequential     they take part only when they are hit themselves: (0, 0, 1)
 *
 * Then the contacts that approach because of the impact are resolved, and so on until there are none. Open contacts
 * never take part before their own impact. Thus no energy is lost for e = 1 without friction, at any time of the
 * impacts within the step.
 *
 * Newton's law with friction may add kinetic energy if the direction of sliding changes. The rebound is then reduced: e
 * is multiplied by p in [0, 1], for which the work g'(u0 + u1)/2, nearly linear in p, is not positive.
 */
#include <math.h>
#include <string.h>

#include "system/impulses_problem.h"

enum { MOST = 100, JOIN = 10 }; /* impacts one after the other in a step; after so many those that were hit join */

static double restitution(const sn_impulses *w, int i) {
  assert(i >= 0 && i < w->count);
  return w->contacts->surfaces->law[w->contact[i]->law].restitution;
}

/* Which contacts hit; u: their approach. */
static int find_hits(sn_impulses *w, double h, const double *u) {
  int count = 0;
  for (int i = 0; i < w->count; i++) {
    bool closes = w->contact[i]->gap + h * w->rate[3 * i] < 0;
    w->hits[i] = closes && u[3 * i] < -w->settings.rebound && restitution(w, i) > 0;
    w->struck[i] = w->struck[i] || w->hits[i];
    count += w->hits[i];
  }
  return count;
}

static bool is_hit(const sn_impulses *w, int island) {
  assert(island >= 0 && island < w->islands->count);
  for (int i = w->islands->start[island]; i < w->islands->start[island + 1]; i++)
    if (w->hits[i]) return true;
  return false;
}

/* Contacts out of it get an r for which their impulses vanish. */
static sn_ccp_result strike(sn_impulses *w, double h, const double *u, bool join) {
  sn_ccp_settings settings = w->settings.solver;
  settings.apart = true;
  memcpy(w->r, w->rate, 3 * (size_t)w->count * sizeof *w->r);
  for (int k = 0; k < w->islands->count; k++) {
    bool hit = is_hit(w, k);
    for (int i = w->islands->start[k]; i < w->islands->start[k + 1]; i++) {
      double gap = w->contact[i]->gap;
      bool touches = (!w->settings.sequential && gap < h * w->settings.rebound) || (join && w->struck[i]);
      if (w->hits[i])
        w->r[3 * i] += w->e_factor[i] * restitution(w, i) * u[3 * i];
      else
        w->r[3 * i] += hit && touches ? fmax(gap, 0) / h : SN_CCP_FAR;
    }
  }
  return sn_ccp_solve(w->ccp, w->r, &settings);
}

/* Kinetic energy that the impulses would add to each island, g'(u0 + u1)/2, less what the tolerance of the solution may
 * make of it. True: to some. */
static bool adds_energy(sn_impulses *w, const double *u, double *gain) {
  const double *g = sn_ccp_impulses(w->ccp);
  bool some = false;
  memset(w->f, 0, (size_t)(w->system->n + w->system->m) * sizeof *w->f);
  sn_ccp_forces(w->ccp, w->f);
  sn_system_solve(w->system, w->f);
  sn_ccp_rates(w->ccp, w->f, w->r);
  for (int k = 0; k < w->islands->count; k++) {
    gain[k] = 0;
    for (int i = 3 * w->islands->start[k]; i < 3 * w->islands->start[k + 1]; i++)
      gain[k] += g[i] * (u[i] + w->rate[i] + w->r[i]) / 2 - 2 * w->settings.solver.tolerance * fabs(g[i]);
    some = some || gain[k] > 0;
  }
  return some;
}

static void scale_restitution(sn_impulses *w, int island, double factor) {
  assert(factor >= 0 && factor <= 1);
  for (int i = w->islands->start[island]; i < w->islands->start[island + 1]; i++) w->e_factor[i] = factor;
}

/* Less restitution in the islands that would gain energy: none, then as much as a line between the two allows, and none
 * where that is still too much. */
static sn_ccp_result weaken(sn_impulses *w, double h, const double *u, bool join) {
  double *full = w->gain, *none = full + w->islands->count;
  for (int k = 0; k < w->islands->count; k++)
    if (full[k] > 0) scale_restitution(w, k, 0);
  strike(w, h, u, join);
  adds_energy(w, u, none);
  for (int k = 0; k < w->islands->count; k++) {
    if (!(full[k] > 0)) continue;
    scale_restitution(w, k, none[k] < 0 ? -none[k] / (full[k] - none[k]) : 0);
    w->system->count->contact.weakened++;
  }
  sn_ccp_result result = strike(w, h, u, join);
  if (!adds_energy(w, u, none)) return result;
  for (int k = 0; k < w->islands->count; k++)
    if (none[k] > 0) scale_restitution(w, k, 0);
  return strike(w, h, u, join);
}

void sn_impulses_impacts(sn_impulses *w, double t, double h, double *x) {
  memset(w->struck, 0, (size_t)w->count * sizeof *w->struck);
  for (int k = 0; k < MOST; k++) {
    const double *u = k == 0 ? w->rate0 : w->rate;
    if (find_hits(w, h, u) == 0) return;
    for (int i = 0; i < w->count; i++) w->e_factor[i] = 1;
    sn_ccp_result result = strike(w, h, u, k >= JOIN);
    if (adds_energy(w, u, w->gain)) result = weaken(w, h, u, k >= JOIN);
    w->system->count->contact.impacts++;
    sn_impulses_count(w, t, &result);
    sn_impulses_apply(w, x);
  }
  w->system->count->contact.impacts_left++;
}
