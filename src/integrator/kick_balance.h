/* kick_balance.h - does a step of symplectic Euler with implicit forces make energy of nothing?
 *
 * For linear forces, and whatever the step, it does not (theory.md): with f = dU/dq - (loads) = -Q(t0, q, 0),
 *
 *   H = T + U - h/2 v.f + (1 + e^2)/8 h^2 v.K v,    H1 - H0 - W = -e h^2 w.K w <= 0,    w = (v0 + v1)/2
 *
 * T + U where a position is known half a step late, and more inertia where frequencies are above 1/h; for e = 1, the
 * backward Euler method, H = T + U falls as well. W is the work of loads over h v1 (e = 1: h w), and of the impulses of
 * dampers, joints and contacts over w. K v is a difference of f along v, so that bodies that turn are not strained by
 * it.
 *
 * Where the left side grows all the same, forces have turned more within the step than their tangent knows. What such
 * steps add up to since the last that lost energy has to stay below 1 % of the energies there were in the run.
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
