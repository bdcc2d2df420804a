/* summary.c - what a run cost and how far its numbers can be trusted, as a table. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

/* `still`: time stood still, steps were those of the load factor. */
static void print_cost(FILE *out, const sn_summary *s, bool quasi_static) {
  const double steps = s->steps > 0 ? (double)s->steps : 1;
  fprintf(out, "  steps           %ld accepted; rejected: %ld by error, %ld by Newton", s->steps, s->error_rejections,
          s->newton_rejections);
  if (s->cut_steps > 0) fprintf(out, "; cut: %ld where forces change with the motion", s->cut_steps);
  fprintf(out, "\n");
  if (s->largest_step > 0) {
    fprintf(out, "  step size       %.3g to %.3g%s\n", s->smallest_step, s->largest_step,
            quasi_static ? " of the load factor" : " s");
  }
  if (s->short_steps > 0) {
    fprintf(out, "  cut             %ld of the %ld steps are parts of fixed steps that had to be cut\n", s->short_steps,
            s->steps);
  }
  if (s->unseen_loads > 0) {
    fprintf(out, "  unresolved      %ld fixed steps%s do not resolve a load or a prescribed motion\n", s->unseen_loads,
            s->unseen_loads >= 1000 ? " or more" : "");
  }
  fprintf(out, "  iterations      %ld (%.2f per step, at most %ld), %ld residuals\n", s->iterations,
          (double)s->iterations / steps, s->most_iterations, s->residuals);
  if (s->rounded_steps > 0)
    fprintf(out, "                  limited by rounding in %ld steps (nearly singular position)\n", s->rounded_steps);
  fprintf(out, "  matrices        %ld evaluated, %ld factorized, %ld solutions\n", s->jacobians, s->factorizations,
          s->solves);
}

static void print_estimate(FILE *out, const sn_summary *s) {
  if (!(s->estimated_error > 0)) return;
  if (s->step > 0)
    fprintf(out, "  error estimate  %.2g of the largest displacement of a point", 1e-3 * s->estimated_error);
  else
    fprintf(out, "  error estimate  %.2g tolerances", s->estimated_error);
  if (s->reaction_difference > 0) fprintf(out, ", reactions %.2g of their largest value", s->reaction_difference);
  if (s->output_difference > 10 * (s->step > 0 ? 1e-3 : s->tolerance))
    fprintf(out, ", other outputs %.2g of their largest value", s->output_difference);
  if (s->acceleration_difference > 0)
    fprintf(out, ", accelerations %.2g of their largest value", s->acceleration_difference);
  if (s->estimated_until < s->reached) fprintf(out, ", up to t = %.4g s", s->estimated_until);
  fprintf(out, " (by a more accurate companion run)\n");
}

static void print_contact(FILE *out, const sn_summary *s) {
  if (s->creep > 0)
    fprintf(
        out,
        "  creep           at most %.2g m at a sticking contact, joint or rope (slower than 'slip' or 'creep_speed')\n",
        s->creep);
  if (s->contact_solutions == 0) return;
  const double solutions = (double)s->contact_solutions;
  fprintf(out, "  contacts        %.1f per step, at most %ld; %.1f iterations per step\n",
          (double)s->contacts / solutions, s->most_contacts, (double)s->contact_iterations / solutions);
  fprintf(out, "  complementarity residual at most %.2g m/s", s->contact_residual);
  if (s->contact_residual > 0)
    fprintf(out, ", at t = %g s between '%s' and '%s'", s->contact_time, s->contact_between[0], s->contact_between[1]);
  if (s->contact_again > 0) fprintf(out, "; by interior-point in %ld steps", s->contact_again);
  if (s->contact_misses > 0) fprintf(out, "; tolerance missed in %ld steps", s->contact_misses);
  fprintf(out, "\n");
  if (s->rebounds > 0) {
    fprintf(out, "  rebounds        %ld", s->rebounds);
    if (s->rebounds_weakened > 0)
      fprintf(out, ", %ld with reduced restitution to avoid a gain of energy", s->rebounds_weakened);
    if (s->rebounds_left > 0) fprintf(out, ", unresolved in %ld steps", s->rebounds_left);
    fprintf(out, "\n");
  }
  if (s->recoveries > 0) fprintf(out, "  overlaps        corrected in %ld steps\n", s->recoveries);
}

/* Without their inner phases: "integrator" are the vectors and norms of a method, "analysis" the checks and the work
 * of loads between its steps. */
static void print_times(FILE *out, const sn_summary *s) {
  /* phases are measured by the wall clock, which is cheap to read: their shares are of the wall time */
  fprintf(out, "  CPU             %.3g s (wall clock %.3g s, of which)\n", s->cpu, s->wall);
  const double whole = s->wall > 0 ? s->wall : 1;
  double rest = s->wall;
  for (size_t i = 0; i < SN_PHASE_COUNT; ++i) {
    const double time = s->phase_time[i];
    if (time > 0) fprintf(out, "    %-12s  %9.3g s  %3.0f %%\n", sn_phase_name(i), time, 100 * time / whole);
    rest -= time;
  }
  if (rest > 0) fprintf(out, "    %-12s  %9.3g s  %3.0f %%\n", "other", rest, 100 * rest / whole);
}

void cli_print_lines(FILE *out, const char *name, const char *text) {
  for (const char *line = text; line && *line;) {
    const size_t length = strcspn(line, "\n");
    fprintf(out, "  %-14s  %.*s\n", name, (int)length, line);
    line += length + (line[length] == '\n');
  }
}

static void print_audit(FILE *out, const sn_summary *summary) {
  const bool moved = summary->integrator[0]; /* statics, modes and kinematics have no energy error */
  if (moved) fprintf(out, "  energy error    %.3g J", summary->energy_error);
  const double nothing = 1e-30; /* J: rounding, of a model at rest */
  if (moved && summary->kinetic > nothing) {
    fprintf(out, ", %.2g of the largest kinetic energy (%.3g J)", summary->energy_error / summary->kinetic,
            summary->kinetic);
  }
  fprintf(out, "%s  constraints     %.2g position, %.2g velocity, %.2g acceleration\n", moved ? "\n" : "",
          summary->constraint[0], summary->constraint[1], summary->constraint[2]);
  if (summary->position_change > 0 || summary->velocity_change > 0) {
    fprintf(out, "  start           moved by %.2g in position and %.2g in velocity to satisfy the constraints\n",
            summary->position_change, summary->velocity_change);
  }
  if (summary->redundant) fprintf(out, "  redundant       %ld constraint equations\n", summary->redundant);
  cli_print_lines(out, "event", summary->events);
  cli_print_lines(out, "note", summary->notes);
}

/* The verdict with its reasons. */
static void print_trust(FILE *out, const sn_summary *summary) {
  if (!summary->trust || !summary->trust[0]) return;
  fprintf(out, "  trust           %s\n", summary->trust);
  cli_print_lines(out, "", summary->reasons);
}

void cli_print_summary(FILE *out, const sn_summary *summary) {
  const char *title = summary->title && summary->title[0] ? summary->title : NULL;
  fprintf(out, "  model           %s%s%s%s\n", summary->model, title ? " (" : "", title ? title : "", title ? ")" : "");
  if (summary->analysis[0]) fprintf(out, "  analysis        %s\n", summary->analysis);
  if (!summary->integrator[0]) {
    /* no stage moved in time */
  } else if (summary->step > 0) {
    fprintf(out, "  integrator      %s, fixed step %g s\n", summary->integrator, summary->step);
  } else {
    fprintf(out, "  integrator      %s, tolerance %g\n", summary->integrator, summary->tolerance);
  }
  const bool quasi_static = !(summary->reached > summary->begin) && !(summary->end > summary->begin);
  if (quasi_static) {
    fprintf(out, "  time            %g s\n", summary->begin);
  } else {
    fprintf(out, "  simulated       %g to %g s%s", summary->begin, summary->reached,
            summary->reached < summary->end ? "" : "\n");
    if (summary->reached < summary->end) fprintf(out, " of %g s\n", summary->end);
  }
  print_cost(out, summary, quasi_static);
  print_contact(out, summary);
  print_times(out, summary);
  print_estimate(out, summary);
  print_audit(out, summary);
  print_trust(out, summary);
}
