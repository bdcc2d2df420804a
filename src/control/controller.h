/* controller.h - what controllers share: fields, limits, sampling.
 *
 * A controller without a period is continuous: its equations are variables (joint/compose.h). With a period it is
 * evaluated at the instants k period; its outputs are held until the next ones, which act `delay` after their instant. */
#ifndef SN_CONTROLLER_H
#define SN_CONTROLLER_H

#include "joint/compose.h"
#include "joint/sampled.h"

typedef struct sn_controller_spec { /* first member of every controller's spec */
  sn_spec spec;
  double period, delay;
  const char *unit;
} sn_controller_spec;

#define SN_CONTROLLER_FIELDS                                                                                    \
  {"period",                                                                                                    \
   SN_REAL,                                                                                                     \
   SN_AT(sn_controller_spec, period),                                                                           \
   .unit = "s",                                                                                                 \
   .limits = SN_POSITIVE,                                                                                       \
   .help =                                                                                                      \
       "sampled: evaluated at the multiples of this time, which are ends of steps, and held between; default: " \
       "continuous"},                                                                                           \
      {"delay",                                                                                                 \
       SN_REAL,                                                                                                 \
       SN_AT(sn_controller_spec, delay),                                                                        \
       .def = "0",                                                                                              \
       .unit = "s",                                                                                             \
       .limits = SN_NOT_NEGATIVE,                                                                               \
       .help = "sampled: time from an instant until its output acts, at most the period"},                      \
  {                                                                                                             \
    "unit", SN_TEXT, SN_AT(sn_controller_spec, unit), .def = "", .help = "unit of its outputs"                  \
  }

bool sn_is_sampled(const sn_spec *spec);
/* Delay and period fit; part of each controller's check. */
void sn_controller_check(sn_reader *reader, const sn_spec *spec);
sn_composer sn_controller_composer(sn_compiler *compiler, const sn_spec *spec);

/* ---- linear controllers ---- */

typedef struct sn_linear_control {
  int states, inputs, outputs;
  double *A, *B, *C, *D; /* row by row: x' = A x + B u, y = C x + D u; or the next x */
  const double *start;   /* [states]; NULL: zeros */
} sn_linear_control;

typedef enum sn_discretization {
  SN_DISCRETE_NONE,
  SN_ZERO_ORDER_HOLD,
  SN_TUSTIN,
  SN_BACKWARD_EULER,
  SN_FORWARD_EULER
} sn_discretization;
#define SN_DISCRETIZATIONS "none|zero-order-hold|tustin|backward-euler|forward-euler"
#define SN_DISCRETIZATION_FIELD(at)                                                                                 \
  {                                                                                                                 \
    "discretization", SN_CHOICE, at,                                                                                \
        .choices = SN_DISCRETIZATIONS,                                                                              \
        .help =                                                                                                     \
            "with a period, required: none (the coefficients are those of the sampled system: next x = A x + B u, " \
            "a function of z) or the rule that makes them of the continuous one"                                    \
  }
/* Was the rule written where it has a meaning? */
void sn_check_discretization(sn_reader *reader, const sn_spec *spec);
/* False: a matrix of the rule is singular. */
bool sn_discretize(sn_arena *arena, sn_linear_control *control, sn_discretization rule, double period);
/* Equations of a linear controller with these inputs, continuous or sampled. */
void sn_add_linear_control(sn_compiler *compiler, const sn_spec *spec, const sn_linear_control *control,
                           sn_discretization rule, const sn_expr *const *input);

/* All controllers of the model: variables and discrete values, then formulas. */
void sn_declare_controllers(sn_compiler *compiler);
void sn_compile_controllers(sn_compiler *compiler);

#endif
