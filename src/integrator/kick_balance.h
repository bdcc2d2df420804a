/* kick_balance.h - energy balance of a step of symplectic Euler with implicit forces.
 *
 * For linear forces no step gains energy (theory.md): with f = dU/dq - (loads) = -Q(t0, q, 0),
 *
 *   H = T + U - h/2 v.f + (1 + e^2)/8 h^2 v.K v,    H1 - H0 - W = -e h^2 w.K w <= 0,    w = (v0 + v1)/2
 *
 * H is T + U with positions half a step later and additional inertia for frequencies above 1/h; for e = 1, the backward
 * Euler method, H = T + U decreases as well. W is the work of loads over h v1 (e = 1: h w), and of the impulses of
 * dampers, joints and contacts over w. K v is a difference of f along v, so that rotation of bodies causes no strain in
 * it.
 *
 * If the left side grows nevertheless, forces have rotated more within the step than their tangent represents. The sum
 * over such steps since the last one that lost energy must stay below 1 % of the largest energies of the run.
 */
#ifndef SN_KICK_BALANCE_H
#define SN_KICK_BALANCE_H

#include "base/history.h"
#include "system/system.h"

typedef struct sn_kick_balance {
  double gained;   /* since energy was last lost [J] */
  double scale;    /* largest energy there was [J] */
  bool backward;   /* the last step was one of e = 1 */
  double trial[2]; /* both after the step that was weighed */
  double contacts; /* work of contacts before the step */
  double *q, *f, *v;
} sn_kick_balance;

void sn_kick_balance_create(sn_kick_balance *balance, sn_system *system);
/* After steps of e = 1: would one of e and h start with no more H than there is T + U? */
bool sn_kick_balance_settled(sn_kick_balance *balance, sn_system *system, double e, const sn_state *state, double h);
/* Before a step: what has been counted of contacts. */
void sn_kick_balance_begin(sn_kick_balance *balance, const sn_system *system);
/* May the step of the method e from a to b, with x = (dv[n], impulses p[m] of joints), be taken? */
bool sn_kick_balance_holds(sn_kick_balance *balance, sn_system *system, double e, const sn_state *a, const sn_state *b,
                           const double *x);
/* It is taken. */
void sn_kick_balance_accept(sn_kick_balance *balance, double e);
void sn_kick_balance_history(sn_kick_balance *balance, sn_history *history);

#endif
