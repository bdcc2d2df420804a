/* turns.c - see turns.h. */
#include "joint/turns.h"

#include <math.h>

enum { ANGLE, RATE, TIME }; /* at the end of the last step */

void sn_list_turns(sn_compiler *c) {
  int count = 0;
  for (const sn_quantity_entry *x = c->quantities; x; x = x->next) count++;
  const sn_quantity **list = SN_NEW(c->arena, const sn_quantity *, count + 1);
  count = 0;
  for (const sn_quantity_entry *x = c->quantities; x; x = x->next) {
    if (x->quantity->type != SN_QUANTITY_PHI || x->quantity->phi.type != SN_PHI_ANGLE) continue;
    x->quantity->turns = sn_add_discrete(c, 0) + 1;
    sn_add_discrete(c, 0);
    sn_add_discrete(c, NAN);
    list[count++] = x->quantity;
  }
  c->model->turnings = count;
  c->model->turning = list;
}

double sn_follow_turns(const sn_model *m, const sn_eval *ev, double *discrete, const char **fastest) {
  double most = 0;
  for (int i = 0; i < m->turnings; i++) {
    const sn_quantity *x = m->turning[i];
    double *last = discrete + x->turns - 1;
    sn_phi p;
    sn_phi_at(&x->phi, ev->q, &p);
    const double rate = sn_phi_rate(&x->phi, &p, ev->q, ev->v);
    if (!isfinite(p.value) || !isfinite(rate)) continue;
    const double way = isnan(last[TIME]) ? 0 : (last[RATE] + rate) / 2 * (ev->t - last[TIME]);
    const double angle = sn_nearest_turn(p.value, last[ANGLE] + way);
    if (fabs(angle - last[ANGLE]) > most) most = fabs(angle - last[ANGLE]), *fastest = x->name;
    last[ANGLE] = angle;
    last[RATE] = rate;
    last[TIME] = ev->t;
  }
  return most;
}
