/* system.h - interface between mechanics and integrators.
 *
 *     M(q) a + G(q,t)' l = Q(t,q,v)        Phi(q,t) = 0
 *     G v + Phi_t = 0                      G a = gamma(t,q,v)
 *
 * An integrator uses these functions and does not depend on bodies or joints. All vectors are sized at creation; no
 * function here allocates except sn_system_create.
 */
#ifndef SN_SYSTEM_H
#define SN_SYSTEM_H

#include "base/threads.h"
#include "contact/contact.h"
#include "model/model.h"
#include "sparse/linsolve.h"

typedef struct sn_state {
  double t;
  double *q, *v, *a; /* [n] */
  double *l;         /* [m] */
} sn_state;

/* Contact by complementarity, over all steps. */
typedef struct sn_contact_statistics {
  long solutions;         /* problems solved */
  long contacts;          /* in all of them together */
  int most;               /* in one of them */
  long iterations;        /* of the solver: the most of any island */
  double work;            /* contacts times their iterations */
  long misses;            /* steps with solutions worse than the tolerance */
  long again;             /* steps in which small islands that apgd left above it were solved by interior-point */
  long impacts;           /* rebounds, all of a moment together */
  long impacts_left;      /* steps in which not all were resolved */
  long weakened;          /* impacts whose restitution would have added energy */
  long recoveries;        /* steps in which overlaps were taken back */
  double total;           /* sum of residuals, m/s */
  double residual;        /* largest, m/s ... */
  double time;            /* ... at this time ... */
  const char *between[2]; /* ... between these bodies */
  double time_detect, time_solve;
  double crept; /* by penalty: at most so far has any contact slid below its slip speed, m */
} sn_contact_statistics;

/* What a run cost; comparable across methods. Times in seconds. */
typedef struct sn_statistics {
  long steps;             /* accepted */
  long error_rejections;  /* steps repeated because the local error was too large */
  long newton_rejections; /* steps repeated because Newton did not converge */
  long iterations;        /* Newton iterations */
  long most_iterations;   /* of them in one attempt at a step */
  long rounded_steps;     /* where rounding ended them above their target, as near singular positions */
  long residuals;         /* evaluations of the equations */
  long jacobians;         /* evaluations of the iteration matrix */
  long factorizations;
  long solves;
  long short_steps;    /* fixed steps that had to be divided: number of their parts up to the next grid point */
  long least_steps;    /* adaptive steps as short as they may be */
  long cut_steps;      /* taken back and repeated to end where the motion changes the forces, or to resolve them */
  long unseen_loads;   /* fixed steps within which a load or motion changed more than its ends show */
  long unsettled;      /* solutions for accelerations in which friction of joints did not settle */
  long unseen_impacts; /* fixed steps too long for an impact of penalty contacts that they meet */
  /* Sum of the local errors of all steps, relative to max(1, |q|), for low-order methods, whose errors are proportional
   * to it; others continue with a solution far better than their estimate, and leave 0. */
  double local_error;
  /* By a run beside this one with a tenth of the tolerance (analysis/companion.h); 0 where there is none. */
  double estimated_error;                              /* of positions, in tolerances; fixed steps: in thousandths */
  double estimated_until;                              /* time up to which it went */
  double reaction_difference, acceleration_difference; /* of outputs, in parts of their largest */
  double output_difference;                            /* of all others */
  double smallest_step, largest_step;
  double time_residual, time_jacobian, time_factor, time_solve, time_output; /* by phase, without inner ones */
  double time_method, time_analysis, time_start, time_companion;
  double cpu, wall; /* of the whole run */
  sn_contact_statistics contact;
  double cpu_output; /* part of cpu: outputs, audit, writing */
} sn_statistics;

/* What is open to all: sizes, memory, counters, and what integrators and analyses tell each other. The matrix, its
 * linear solver, the pattern, kicks and work vectors are private to this folder (equations.h). */
typedef struct sn_system {
  const sn_model *model;
  sn_context *context;
  sn_arena arena;
  int n, m;
  sn_contacts *contacts; /* NULL: nothing can touch */
  sn_threads *threads;
  double impact_speed; /* of impacts that the next step is to follow, the slowest [m/s] ... */
  double impact_depth; /* ... and the least deep [m]; INFINITY or 0: none */
  /* -eps row_unit on the multipliers' diagonal when constraints are redundant; else eps = 0. row_unit [m]: g M^-1 g' of
   * each equation over that of the heaviest body, where they are far apart; else 1. */
  double regularization, *row_unit;
  double *zero; /* [n + m] zeros */
  /* Memory that nothing keeps, shared with twins and audits. The first belongs to the integrator within a step, and to
   * the simulation between steps, for its sample. The second: within a step to the integrator, between steps to what
   * looks at a state without moving it; projections of states use it. */
  double *room[2];        /* [3 (n + m)], [2 n + m] */
  double contact_work[2]; /* of impulses up to now: along normals, and by friction */
  struct sn_equations *own;
  sn_statistics statistics;
  sn_statistics *count; /* where costs are counted: its own statistics, or those of the system it is a twin of */
} sn_system;

sn_status sn_system_create(const sn_model *model, int threads, const char *solver, sn_system **system);
void sn_system_copy_regularization(sn_system *to, const sn_system *from);
/* Use one set of contacts, what the one has detected the other need not, and one pool of threads. */
void sn_system_share(sn_system *system, sn_system *with);
/* The same but for the contacts, which stay its own: it is to be elsewhere than the other. */
void sn_system_join(sn_system *system, sn_system *with);
/* A second matrix for the same equations (NULL: the same solver), counted with the first. */
sn_status sn_system_twin(sn_system *system, const sn_linsolve_ops *solver, sn_system **twin);
/* A system for the same equations elsewhere, between the calls of the first, whose threads, contacts and scratch it
 * shares: it has no matrix until one is needed. */
sn_system *sn_system_beside(sn_system *system);
/* Make the matrix now, not in a step; false: it cannot be analyzed, the context says so. */
bool sn_system_need_matrix(sn_system *system);
void sn_system_free(sn_system *system);
/* Use another linear solver (a name, or NULL for auto); no effect if it is already in use. */
sn_status sn_system_use_solver(sn_system *system, const char *solver);
/* The linear solver as it was when the system was made: orders and pivots of earlier factorizations are forgotten. */
sn_status sn_system_refresh(sn_system *system);
/* Factor of gravity and of prescribed forces in all that is evaluated from now on. */
void sn_system_set_load(sn_system *system, double load);
double sn_system_load(const sn_system *system);

/* Which expression has no finite value at a state, and why (model/formula.h). False: all have one. */
bool sn_system_fault(const sn_system *system, const sn_state *state, char *text, size_t size);
/* Values of the model's inputs, [inputs], that live on; NaN: not set. Systems that share with this one have them too. */
void sn_system_set_inputs(sn_system *system, const double *inputs);
/* The same for its discrete values, [discrete]. */
void sn_system_set_discrete(sn_system *system, const double *discrete);
/* What a host program adds (model/host.h), which lives on; systems that share with this one have it too. */
void sn_system_set_host(sn_system *system, struct sn_host *host);
/* Does anything do work, so that it has to be integrated? */
bool sn_system_has_power(const sn_system *system);
/* Contacts with friction whose sliding an iteration turns are held in the next one (contact/turned.c), while this is on;
 * `held`: how many were when the equations were evaluated last, which are not those of the model then. False: there is
 * no friction of contacts. */
bool sn_system_watch_contacts(sn_system *system, bool watch);
int sn_system_held_contacts(const sn_system *system);
/* Differential variables keep the values that they have in v[n] (statics, modes); NULL: they do not. */
void sn_system_hold(sn_system *system, const double *v);

/* Dry friction of joints is solved for by impulses (joint_impulses.h): it is not among the forces. */
void sn_system_set_set_valued(sn_system *system, bool set_valued);

/* New zeroed state in the system's arena; copy. */
void sn_state_create(sn_system *system, sn_state *state);
void sn_state_copy(const sn_system *system, sn_state *to, const sn_state *from);

/* r[n] = ci M a - Q + G'l */
void sn_system_residual(sn_system *system, const sn_state *state, double ci, double *r);
/* ---- steps of energy-momentum methods ----
 * From (q0, v0) to (q1, v1) in time h, `middle` with q = (q0 + q1)/2, v = (q1 - q0)/h, a = 2 (v - v0)/h and the
 * multipliers of the step: r[n] of
 *   (inertia) + DU + DG'l = Q(middle),    DU.(q1 - q0) = U1 - U0,   DG (q1 - q0) = Phi1 - Phi0 (time apart)
 * with discrete gradients, and inertia forces that do the work T1 - T0: r = 0 and Phi1 = Phi0 keep the energy.
 * Gradients made of invariants, and moments of forces at mean points, keep momentum as well; kinds that know nothing of
 * steps are corrected to keep energy. Uses the system's work vectors. */
void sn_system_step_residual(sn_system *system, const sn_state *middle, const double *q0, const double *q1, double h,
                             double *r);
/* v1[n] of that step: 2 v - v0, for rigid bodies by the mean of their angular velocities. */
void sn_system_end_velocity(sn_system *system, const sn_state *middle, const double *q0, const double *q1, double h,
                            double *v1);
/* False: bodies may touch, and contact forces have no step residual; the context has the message. */
bool sn_system_supports_steps(sn_system *system);

/* ---- steps that carry momentum ----
 * A kick changes velocities at q. From begin to end residual and matrix are those of the kick of a step h; of D and K
 * the positive semidefinite parts of each element, so that the matrix is never less than that of M; both at `place`
 * [n], where the forces that they belong to are taken (NULL: where M and G are). Dampers push with v + c dv. */
void sn_system_begin_kick(sn_system *system, double h, double *place);
void sn_system_end_kick(sn_system *system);
void sn_system_set_kick_damping(sn_system *system, double c);
/* Of the last kick. */
double *sn_system_kick_place(const sn_system *system);
double sn_system_kick_damping(const sn_system *system);
/* Then bodies move freely for the time h, with the mean velocity u = v + dv that the kick gave: */
void sn_system_advance(sn_system *system, const sn_state *from, double h, const double *dv, sn_state *to);
/* Move positions by h w, w a velocity at q0, and leave velocities as they are (as bodies that turn see them). */
void sn_system_shift(sn_system *system, const double *q0, double h, const double *w, sn_state *state);

/* y[n] = M(q) x; uses the system's work vector */
void sn_system_mass_times(sn_system *system, const sn_state *state, const double *x, double *y);
/* y[n + m] = (M x, ...) by the matrix of the last sn_system_factor_mass, which was at this state; x: [n + m], zeros after
 * the coordinates. */
void sn_system_kept_mass_times(sn_system *system, const sn_state *state, const double *x, double *y);
/* r[n] = G(q)'l for any l; uses nothing else of the state */
void sn_system_reaction(sn_system *system, const sn_state *state, const double *l, double *r);
/* phi[m] at the three levels: Phi; G v + Phi_t; G a - gamma */
void sn_system_position(sn_system *system, const sn_state *state, double *phi);
void sn_system_velocity(sn_system *system, const sn_state *state, double *rate);
void sn_system_acceleration(sn_system *system, const sn_state *state, double *accel);

/* What steps at index 3 satisfy: Phi, and for nonholonomic rows, which have none, r (G v + Phi_t), r = dq/dv of the
 * method, so that the derivative by q is G in all rows. */
void sn_system_constraints(sn_system *system, const sn_state *state, double r, double *phi);

/* Extend the matrix for the contacts near this state. Assembling with D or K does this automatically; a caller that
 * keeps data derived from the pattern calls it first and checks sn_system_revision. False: the new pattern cannot be
 * analyzed; the context has the message. */
bool sn_system_prepare(sn_system *system, const sn_state *state);
/* Assemble [cm M + cd D + ck K, G'; G, 0], K = d(ci M a - Q + G'l)/dq; and factorize it: false when singular, with a
 * message in the context. */
void sn_system_assemble(sn_system *system, const sn_state *state, double ci, double cm, double cd, double ck);
bool sn_system_factor(sn_system *system, const sn_state *state, double ci, double cm, double cd, double ck);
/* The second half of that, for what has been assembled, at time t (for the message). */
bool sn_system_factor_assembled(sn_system *system, double t);
/* Work of a factorization over that of a solution; it follows from the pattern. */
double sn_system_factor_cost(const sn_system *system);
/* What has been assembled, and a number that changes with its pattern. */
sn_matrix *sn_system_matrix(const sn_system *system);
long sn_system_revision(const sn_system *system);
/* The linear solver: what it can do; and its factors (NULL: not asked for). */
const sn_linsolve_ops *sn_system_solver(const sn_system *system, void **factors);
/* Does [M G'; G 0] stay as it is in any motion? */
bool sn_system_steady(const sn_system *system);
/* x[n+m] := A^-1 x */
void sn_system_solve(sn_system *system, double *x);
/* The same with iterative refinement against the assembled matrix, for solves that must be accurate; multipliers of
 * redundant constraints are those of least norm. */
void sn_system_solve_refined(sn_system *system, double *x);

void sn_system_energy(sn_system *system, const sn_state *state, sn_energy *energy);
void sn_system_power(sn_system *system, const sn_state *state, sn_power *power);
void sn_system_momentum(sn_system *system, const sn_state *state, double p[6]);

/* ---- a consistent start (system/start.c) ---- */
typedef struct sn_start {
  double position_change; /* largest change of a coordinate by the projection */
  double velocity_change;
  double written_change; /* of velocities that are written, over the largest of them */
  int redundant;         /* equations that repeat others */
  char *notes;           /* one line each, in the system's arena; "" if none */
} sn_start;

/* Project q and v onto the constraints, solve for a and l. Redundant constraints are found, named in the notes
 * and made harmless; contradictory ones are an error. */
sn_status sn_make_consistent(sn_system *system, sn_state *state, sn_start *start);
/* The same from the q, v and t that are in the state. */
sn_status sn_make_consistent_from(sn_system *system, sn_state *state, sn_start *start);
/* a and l of a state whose q and v are known, from the acceleration-level equations. */
sn_status sn_solve_accelerations(sn_system *system, sn_state *state);
/* In two parts: factorize [M G'; G 0], which may leave no assembled matrix (twins do); then M a + G'l = Q, G a = gamma + extra[m] (NULL: 0) at the same q. */
bool sn_system_factor_mass(sn_system *system, const sn_state *state);
/* Does that need no matrix? Trees of rigid bodies do not. */
bool sn_system_is_tree(const sn_system *system);
void sn_system_accelerations(sn_system *system, sn_state *state, const double *extra);
/* Both, with Baumgarte's terms: M a + G'l = Q, G a = gamma - 2 alpha Phi' - beta^2 Phi; phi[2 m] is scratch. Trees of
 * rigid bodies need no matrix. False: the equations are singular. */
bool sn_system_stage(sn_system *system, sn_state *state, double alpha, double beta, double *phi);
/* The same after v has been projected onto G v + Phi_t = 0 with the smallest change in the mass norm; one
 * factorization. */
sn_status sn_project_rates(sn_system *system, sn_state *state);
/* The constraints are others than before, at the same q: v goes onto them by impulses mu[m] (filled) that keep the
 * balance of momentum, M (v+ - v-) + G'mu = 0, G v+ + Phi_t = 0; then a and l. Equations that repeat others are found
 * as at the start, with notes in *start. */
sn_status sn_change_constraints(sn_system *system, sn_state *state, double *mu, sn_start *start);
/* a and l of a state within or at the end of a step, which may be off its constraints by drift or interpolation. Where
 * constraints are redundant they are those of the nearest state on them, `near`: off them, equations that repeat each
 * other contradict each other. */
typedef struct sn_output_step {
  double h; /* > 0: the step was one of an implicit method of low order, whose a is in the state; motions it could
                      * not follow keep it */
  double held_error; /* positions that stiffness holds are off by minus this times h^2 a; 0: they are not */
  sn_state *room;    /* for that */
} sn_output_step;
sn_status sn_solve_reactions(sn_system *system, sn_state *state, const sn_output_step *step, sn_state *near);

/* Which joints and drivers contradict each other, one sentence, where phi[m] is what remains of the constraints (or of
 * their rates) as near as they can be met; "": no two of them. */
const char *sn_conflict_text(const sn_system *system, sn_arena *arena, const double *phi);

/* Any body that bends: it vibrates. */
bool sn_has_flexible_bodies(const sn_model *model);
/* Name of the body or joint an entry of the combined vector (q, l) belongs to, for messages. */
const char *sn_system_owner(const sn_system *system, int index);

#endif
