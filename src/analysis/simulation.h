/* simulation.h - a model in motion: system, stages, audit. */
#ifndef SN_SIMULATION_H
#define SN_SIMULATION_H

#include "analysis/analysis.h"
#include "analysis/loads.h"
#include "analysis/trust.h"
#include "integrator/integrator.h"
#include "model/host.h"
#include "model/settings.h"
#include "output/output.h"
#include "system/system.h"

/* ---- one recorded moment ---- */

/* Columns of the energy audit, in this order. total = kinetic + strain + gravity + spring + contact;
 * error = total - total at the start - all work done since. */
enum {
  SN_E_KINETIC,
  SN_E_STRAIN,
  SN_E_GRAVITY,
  SN_E_SPRING,
  SN_E_CONTACT,
  SN_E_APPLIED,
  SN_E_DRIVER,
  SN_E_DAMPING,
  SN_E_FRICTION,
  SN_E_TOTAL,
  SN_E_ERROR,
  SN_ENERGIES
};
enum { SN_WORKS = SN_E_TOTAL - SN_E_APPLIED };
extern const char *const sn_energy_names[SN_ENERGIES]; /* "kinetic", ..., "applied_work", ... */
/* Of a point of an equilibrium path (analysis/path.c): lowest eigenvalue of K u = w2 M u on G u = 0, number of those
 * below zero. */
enum { SN_STABILITIES = 2 };
extern const char *const sn_stability_names[SN_STABILITIES], *const sn_stability_units[SN_STABILITIES];
enum { SN_LEVELS = 3 };
extern const char *const sn_level_names[SN_LEVELS]; /* "position", "velocity", "acceleration" */

typedef struct sn_row {
  double t, step;                   /* time; size of the step it lies in */
  double load;                      /* load factor: 1 except in statics */
  int stage;                        /* number of its stage, from 0 */
  double stability[SN_STABILITIES]; /* on an equilibrium path; else NaN */
  double *values;                   /* [output_columns] all outputs, one after the other, in the model's order */
  double *q, *v;                    /* [n] */
  double energy[SN_ENERGIES];
  double constraint[SN_LEVELS]; /* largest |Phi|, |Phi'|, |Phi''| */
  double momentum[6];
  sn_touching touching; /* valid until the simulation goes on or the next row is made */
} sn_row;

/* A part of the last step, and the rates of work at the nodes of a rule in it; see work.c. */
enum { SN_WORK_NODES = 13, SN_WORK_HALVINGS = 2 };
typedef struct sn_work_piece {
  double from, to; /* times */
  const struct sn_work_rule *rule;
  double p[SN_WORK_NODES][SN_WORKS];
} sn_work_piece;

/* Quantities for the rules of trust_rules.h; see evidence.h. */
typedef struct sn_evidence {
  long rows;                                /* of the current stage */
  double low[SN_E_TOTAL], high[SN_E_TOTAL]; /* of each energy and each work in it */
  double error;                             /* its largest energy error, with the sign */
  /* of stages that are over: that over the energy exchanged, and over the tolerance besides */
  double energy, energy_tolerance;
  long swings;           /* rises of the kinetic energy by more than a tenth of its largest, after falls of as much */
  double slowest;        /* the least kinetic energy between them */
  double turning;        /* its last extreme, and */
  bool falling;          /* where it goes since */
  double *points;        /* where the points of outputs (without any, the coordinates) were at the start of the stage */
  double displacement;   /* largest displacement of any of them, */
  double late;           /* what the shift in time moved them by, at most, */
  double shift;          /* the shift up to now [s], */
  double shift_t, rate;  /* when it was looked at last, and how it grew then */
  double late_tolerance; /* of stages that are over: late/way in tolerances */
  double size;           /* of the model at the start [m] */
  double unit;           /* kinetic energy of all velocities 1, for the size of what is not resolved [J] */
  double velocity_change; /* at the start, of velocities that were given, relative to their largest */
  double bend, turn;      /* most that slopes turn along an element, and a node in a floating frame [rad] ... */
  int bent, turned;       /* ... in these bodies */
  /* Floating bodies (analysis/axial.h): largest axial force over the Euler load, of which body, and the force [N]; the
   * Euler loads [bodies] that were needed, and memory to find them. NULL: there is no such body. */
  double axial, axial_force;
  int pressed;
  double *euler;
  int *parent;
  /* Strain energy that the mesh lacks (analysis/mesh_error.h): most in a row of the stage, in which body most of it;
   * most and least since the last swing began, the swings until then, and the sum of what all of them lacked; and of
   * stages that are over, over the energy exchanged. Memory. */
  double missing, most_missing, least_missing, swing_missing, mesh, plates_missing; /* the last: of plates, in a row */
  int coarse;
  long swings_before;
  double *mesh_loads;
  /* Beams that resist torsion or bending otherwise than their section (analysis/formulation.h): most strain energies of
   * each body up to now. NULL: there is none. Too much energy of bending in stages that are over, and of which body. */
  double *formulation, locked;
  int locking;
  double depth, overlap; /* largest overlap of contacts [m]; of penalty contacts, in radii, ... */
  int pair[2];           /* ... between these bodies */
  double stored,
      released;        /* energy of contacts at the start [J]; what the motion got of it, over the energy exchanged */
  double spun, spun_t; /* angle by which flat parts turned on each other [rad], up to this row, ... */
  int spinning[2];     /* ... last of these bodies (analysis/spinning.h) */
  /* Surfaces: half the width of the holes between spheres (analysis/holes.h), NULL: there are none; did one come near
   * another that it fits through: these, and half the width of a hole that it does not fit through. */
  double *hole, closed;
  bool fits;
  int through[2];
  double *rolling;    /* of each body: rolling that lines lack (analysis/rolling.h); NULL: there is none */
  double *free_twist; /* of each body: torsion that curved cables lack (analysis/twisting.h); NULL: there is none */
  bool blown_up;      /* some energy is not a number */
  double sound;       /* energy exchanged when its error was last a small part of it, ... */
  double diverged;    /* ... and the error once it is many times that; 0: it is not */
  long rejections;    /* of Newton's method up to the last step */
  bool least;         /* the last step was as short as it may be */
  bool limited;       /* the last fixed step ended where the motion, a controller or the program made it end */
  /* Companion: what it is apart from the run, in recorded points [m] or else in coordinates [tolerances]; up to when by
   * less than ten tolerances, and not since; its energy error over the energy exchanged. */
  double apart, far_from, finer_energy;
  double variables_apart; /* the same of differential variables and recorded angles [tolerances] */
  double earlier;         /* estimated error of the stages before [tolerances], whose points went other ways */
  double open[2]; /* largest position error of the constraints: lengths and angles of joints [m, rad], numbers [1] */
  const bool *number; /* [m] which are numbers (rows.c) */
  bool far;
  bool not_compared; /* there was none for all rows of dynamics */
  double growth;     /* by which differences of its outputs grow up to the end of a run that goes on after it; 0: no */
} sn_evidence;

struct sn_simulation {
  sn_pool *pool; /* of all its memory; NULL: a fork, whose memory is that of its original */
  sn_arena arena;
  const sn_model *model;
  sn_context *context;
  sn_system *system;        /* the integrator's */
  double *inputs;           /* [inputs of the model] that were set; NaN: none was */
  struct sn_host *host;     /* what the host program adds (model/host.h) */
  struct sn_hooks *hooks;   /* functions that it calls between steps (analysis/hooks.h); NULL: none */
  double *samples;          /* [discrete values] before an instant (analysis/samples.c), and inputs of a controller */
  double *discrete;         /* [discrete values of the model] held since the last event or sample */
  sn_system *audit;         /* for outputs: a second matrix, so that the integrator keeps its own */
  struct sn_pencil *pencil; /* for stability and modes; made when first needed (analysis/pencil.h) */
  struct sn_modes *modes;   /* found so far, last stage first (analysis/modes.h) */
  struct sn_linear *linear; /* likewise (analysis/linearize.h) */
  struct sn_noise *noise;   /* NULL: it is not watched (analysis/noise.h) */
  sn_options options;
  /* the stages, and the current one */
  int stages, stage;
  const sn_spec *const *stage_spec; /* [stages]; an entry is NULL where the model has no analysis */
  const sn_analysis_ops *analysis;
  void *progress;                   /* the analysis' own memory */
  bool finished;                    /* the stage is */
  bool cut;                         /* and the run ends in it, if requested by the caller */
  double load;                      /* load factor of the state */
  double stability[SN_STABILITIES]; /* likewise; NaN: not on a path */
  const sn_integrator_ops *ops;     /* dynamics: its integrator; NULL: another analysis */
  void *integrator;                 /* its own memory, and */
  sn_arena integrator_arena;        /* what it took from the system's arena when it was made */
  sn_state state, before;           /* at the end and at the start of the last step */
  sn_state sample;                  /* within the last step: for its work, and for outputs; lost in the next step */
  sn_state near;                    /* the sample on its constraints, where those are redundant */
  sn_state held;                    /* the sample where stiffness would hold it, where the integrator is off there */
  const char **open;                /* [outputs] columns of reactions that are not unique, as text; NULL: none */
  sn_start start;
  bool left;              /* the state is no longer the start of the file: stepped, set or restored */
  sn_loads loads;         /* functions of time, and how far they are resolved */
  double power[SN_WORKS]; /* rates of work at `state`: applied, driver, damping, friction */
  double work[SN_WORKS];  /* up to `state` */
  double work_before[SN_WORKS];
  double impulses; /* work of those of contact in the last step */
  int pieces;      /* of the last step; 0: there is none, or nothing has power */
  sn_work_piece piece[1 << SN_WORK_HALVINGS];
  double energy_start;
  double largest_energy_error, largest_kinetic, largest_constraint[SN_LEVELS]; /* over all rows made */
  sn_evidence evidence;
  struct sn_differences *differences; /* of outputs from those of the companion (analysis/differences.h) */
  struct sn_kept *kept;               /* of a companion, at a checkpoint (analysis/companion.h) */
  struct sn_companion *companion;     /* NULL: there is none (analysis/companion.h) */
  bool is_fork;                       /* it is a trial or a companion of another one */
  sn_doubts doubts;                   /* reported so far (analysis/trust.h) */
  sn_verdict verdict;                 /* when the run is over */
  int passed;                         /* steps that things may have passed through each other in (analysis/overlap.h) */
  double impact_step;                 /* the last step, where an impact has kept it short; else 0 */
  struct sn_impacts *impacts;         /* of the stage; NULL: none are followed (analysis/impact.h) */
  struct sn_stop_masses *stops;       /* NULL: the model has no stops (analysis/stops.h) */
  struct sn_crossings *crossings;     /* NULL: nothing ends steps by the motion (analysis/crossings.h) */
  struct sn_events *events;           /* NULL: the model has none, or none has begun (analysis/events.h) */
  int at_event;                       /* the last step ended at a jump, and has a row there: 1 near side, 2 far side */
  bool stopped;                       /* an event has ended the run */
  struct sn_live *live;               /* NULL: no expressions of the state (analysis/live.h) */
  struct sn_guided *guided;           /* NULL: no points that follow curves (analysis/guided.h) */
  double begin, end;                  /* of the stage: times */
  double pause;                       /* steps end there at the latest, because the caller says so */
  sn_state view;                      /* what outputs are read from (analysis/access.c), */
  double viewed;                      /* at this time; NaN: the state has changed */
  double output_step;                 /* of the stage */
  const char *integrator_name;
  const char *chosen; /* the method `auto` decided for in this stage; NULL: none */
  double share;       /* of the requested tolerance, in its settings */
  double asked;       /* settings of `auto` that it was chosen for, as a number (sn_identity) */
  /* work of the last trial of methods; work, and local errors in tolerances, of the run by then (analysis/choice.h) */
  double trial_work, tried_at, tried_error;
  sn_integrator_spec *settings; /* in force, overrides included: the head of the method's spec */
  sn_integrator_spec *given;    /* those of `auto`, as requested; NULL: none */
  int output_columns;
  /* rows of the current stage in the result (run/record.c) */
  long first_row, next_row; /* number of its first row in the file; of its next on the grid begin + k output_step */
  double last_row;          /* time of its last row */
  bool resumed;             /* the rows up to here are in the file: the stage has begun */
  sn_output_memory *memory; /* [outputs] */
  double *scratch;          /* [n + m], for one call */
  double cpu_start, wall_start;
};

/* Options of a caller, who may know fewer fields; SN_USAGE: or more. */
sn_status sn_take_options(sn_context *context, const sn_options *given, sn_options *options);

/* Another analysis (as in a model file) of the same model from the present state of `at`; and what makes it so, before it
 * begins. */
sn_status sn_simulation_create_at(sn_simulation *at, const char *analysis, sn_simulation **simulation);
void sn_take_over(sn_simulation *simulation, const sn_simulation *of);

/* Fill a row for time t, start of the last step <= t <= its end, without disturbing the integration. Memory of
 * the row: sn_row_create. */
void sn_row_create(sn_simulation *simulation, sn_row *row);
void sn_sample(sn_simulation *simulation, double t, sn_row *row);

/* Accelerations and reactions as outputs have them, for a state that was interpolated; one output there. */
void sn_solve_for_outputs(sn_simulation *simulation, sn_state *state);
void sn_fill_output(sn_simulation *simulation, int output, const sn_state *state, double *values);
/* Contacts with forces there; valid until the next call. */
sn_touching sn_touching_at(sn_simulation *simulation, const sn_state *state);
/* Energies there, and work up to there. */
void sn_audit_energy(sn_simulation *simulation, const sn_state *state, double energy[SN_ENERGIES]);
/* All outputs at a state, [output_columns]; what follows angles is left as it is. */
void sn_fill_outputs(sn_simulation *simulation, const sn_state *state, double *values);

/* End time of the stage; or the requested end of the run (options.until): within this stage if it is the last in time,
 * or if time continues from it through all that follow. */
void sn_set_end(sn_simulation *simulation, double end);
/* Begin the next stage, from the present state. */
sn_status sn_next_stage(sn_simulation *simulation);
/* Is the last stage over? */
static inline bool sn_all_finished(const sn_simulation *simulation) {
  return simulation->finished && (simulation->cut || simulation->stage + 1 >= simulation->stages);
}
/* Has it a stage that follows an equilibrium path? */
bool sn_has_path(const sn_simulation *simulation);
/* The table of a stage's analysis. */
const sn_analysis_ops *sn_stage_ops(const sn_spec *spec);
/* Is there anything in the model that the analysis of this stage, or of one to come, does not support? And, once the end of
 * a stage is known: has it too many steps, or too many rows for any disk? The context has the message. (stage_checks.c) */
sn_status sn_check_stages(sn_simulation *simulation);
/* An equilibrium is found, at rest: velocities that the file gives do not reach the stage that needs them. */
void sn_doubt_lost_velocities(sn_simulation *simulation);
sn_status sn_check_length(sn_simulation *simulation);
/* Audit from here: what the stage starts with counts as right. */
void sn_begin_audit(sn_simulation *simulation);
/* A line for the summary and the result file. */
void sn_add_note(sn_simulation *simulation, const char *text);
/* A second simulation of the same model for trials, in the current stage; and set it to the state of `of`, with all
 * counters zero. Contacts are its own. */
sn_status sn_simulation_fork(sn_simulation *of, sn_simulation **fork);
void sn_simulation_rewind(sn_simulation *fork, const sn_simulation *of);
/* The whole spec of a method, which is numbers and choices, in the arena of the simulation. */
sn_integrator_spec *sn_copy_settings(sn_simulation *simulation, const sn_spec *method);
/* Let it use a method by name: its defaults, and of `given` what all methods share, tolerances times `share`. */
sn_status sn_use_method(sn_simulation *simulation, const char *name, const sn_integrator_spec *given, double share);
/* Settings with the requested tolerances. */
static inline const sn_integrator_spec *sn_asked(const sn_simulation *simulation) {
  return simulation->chosen ? simulation->given : simulation->settings;
}
/* A number, choice or switch of the method in force, by the table of its fields; 0: it has none of that name. */
static inline double sn_setting(const sn_simulation *simulation, const char *field) {
  return sn_number_of(&simulation->settings->spec, field);
}
/* Make the integrator that settings say, from the present state, in place of the one there is. */
/* A method and its settings as a number: what must agree for a memory or a decision to be of use. */
double sn_identity(const sn_integrator_spec *settings);
sn_status sn_make_integrator(sn_simulation *simulation);
/* The arguments of outputs at a state; kinetic energy plus all that is stored. */
sn_eval sn_eval_at(const sn_simulation *simulation, const sn_state *x);
/* Add to the message of a failed step which expression has no value where the motion was going. */
void sn_explain_failure(sn_simulation *simulation);
/* Energy error where the simulation is [J]. */
double sn_energy_error(sn_simulation *simulation);
double sn_total_energy(sn_system *system, const sn_state *state, sn_energy *energy);
/* The state at a time within the last step. */
void sn_interpolate(const sn_simulation *simulation, double t, sn_state *x);
/* The same, and beyond its end with constant acceleration. */
void sn_continue(const sn_simulation *simulation, double t, sn_state *x);
/* Do velocities jump, at contacts by impulses? a and l are then the means over the step. */
bool sn_velocities_jump(const sn_simulation *simulation);
/* Do its velocities take a projection onto their constraints, as those at the ends of steps did? */
bool sn_is_projected(const sn_simulation *simulation, const sn_state *x);
/* Are accelerations at the ends of steps as good as positions, so that quintics through them serve between? */
static inline bool sn_is_quintic(const sn_simulation *simulation) {
  return !simulation->ops || simulation->ops->quintic;
}

/* ---- work of forces, drivers, dampers and friction (work.c) ---- */

/* Start from the present state with the work done so far. */
void sn_begin_work(sn_simulation *simulation);
/* That of the last step is added. */
void sn_add_work(sn_simulation *simulation);
/* The state has gone on from this time without a step, to the far side of a jump: the power of the near side goes on. */
void sn_add_work_until_now(sn_simulation *simulation, double from);
/* The last step is finished: nothing is evaluated within it any more. */
void sn_end_work(sn_simulation *simulation);
/* Work up to a time within the last step. */
void sn_work_at(const sn_simulation *simulation, double t, double work[SN_WORKS]);

/* Statistics of the run so far, times included. */
const sn_statistics *sn_simulation_statistics(sn_simulation *simulation);

#endif
