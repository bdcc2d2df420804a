/* expression_text.c - what expressions may use: functions and quantities of the motion, for the reference and for a terminal. */
#include <string.h>

#include "model/field_text.h"
#include "model/registry.h"

typedef struct quantity {
  const char *names, *meaning; /* in Markdown */
} quantity;

static const quantity quantities[] = {
    {"`hinge.angle`, `hinge.rate`", "angle of a joint from the start (rad), which counts turns, and its rate"},
    {"`slide.position`, `slide.velocity`", "displacement of a joint along its axis from the start (m), and its rate"},
    {"`hinge.angle_rate`, `slide.travel`, `slide.travel_rate`",
     "the same by the names of outputs; `plot`, `export` and studies know both names of a quantity too"},
    {"`beam.end.x`, `.y`, `.z`, `.vx`, `.vy`, `.vz`", "position and velocity of a marker, global"},
    {"`tip.x`, `hinge.angle`", "the same of an output `tip: {point: ...}`, `hinge: {joint: ...}`"},
    {"`distance(a.end, b.start)`, `distance(a, b).rate`", "distance of two markers, and its rate"},
    {"`relative(a, b.end).x`, ..., `.vx`, ...",
     "position of the second marker from the first, in axes that are global at the start and move with the "
     "body of the first, and its rate of change there"},
    {"`beam.at(0.5).N`, `beam.start.M`, ...",
     "stress resultants and strains of a flexible body at a marker, the columns of an output `resultant`"},
    {"`hinge.reaction.fx`, ..., `.mz`, `.force`, `.moment`",
     "force and moment that a joint exerts on its second body, global components (`x`, `y`, `z` are `fx`, "
     "`fy`, `fz`), and their magnitudes"},
    {"`damper.force`, `.length`, `.rate`", "of a `spring`; `.moment`, `.angle`, `.rate` of a `torsion-spring`"},
    {"`box.energy`, `box.kinetic_energy`, `box.potential_energy`",
     "of a body: kinetic, and strain and gravity together"},
    {"`model.energy`, ...", "the same of the whole model with its springs, without contacts"},
    {"`root.M`, `w.fx`, `o.value`",
     "columns of outputs `resultant` (with its `about`), `reaction` (with its `frame`), `spring` and "
     "`expression`"},
    {"names of `variables`, `inputs` and `controllers`",
     "their values; `c.y1`, `c.y2` of several outputs, `c.integral`, ... of quantities of a controller"},
};

static const char rules[] =
    "\nNames of joints, bodies and outputs with a dash cannot be used in expressions. Derivatives of these "
    "expressions are part of the matrices of implicit methods, which are unsymmetric then. They are exact; those of "
    "resultants, reactions and energies are differences of fourth order, exact for polynomials up to the fourth "
    "degree and otherwise right to about ten digits. Methods with a mass matrix alone, and steps of contact by "
    "complementarity (`method: dvi`), take the forces explicitly, except laws of a spring that depend on its own "
    "`stretch` or `angle` and `rate` alone.\n\n*Reactions* in a force are those of the same instant: the multipliers "
    "are unknowns of the step, and the matrix contains the derivatives with respect to them. Methods keep their "
    "order, except `radau` and `gam`, which then have that of their multipliers, the third. `symplectic-euler`, "
    "`hht-add`, modes and buckling refuse them. Reactions of joints that slide along a line, and contact forces, "
    "cannot be used. An *energy* of more than 24 nodes or bodies may stand in outputs and in variables that are "
    "recorded, not in forces.\n\nThe work of forces by expressions is counted as applied. Where an expression has no "
    "finite value (1/0, or outside a table with `extrapolation: error`), the step fails. Adaptive steps end where an "
    "expression jumps or has a kink in the course of the motion (`min`, `max`, `abs`, `sign`, `if`, knots of "
    "tables), and are short enough that nothing narrow in it is stepped over; fixed steps stay as they are, and a "
    "run in which they miss something is doubtful. Formulas that depend on themselves (variables, laws of springs, "
    "outputs of expressions) are an error that names the circle.\n\nFunctions of t (`rotation` and `translation` of "
    "`motion`, `value` of `tie`, `feed` of `reeving`, `default` of inputs) and functions of x, y, z and t (`wind`, "
    "`level`, `pressure`) may not use quantities of the motion, variables or inputs: a joint that followed them "
    "would need their derivatives. Measured motions come from tables of a file, and what follows the motion is a "
    "force: `torsion-spring` or `spring` with a law.\n";

/* ---- the reference ---- */

void sn_write_expressions(FILE *out) {
  fputs("| Name | Meaning |\n|---|---|\n", out);
  for (const char *const *f = sn_expr_functions(); *f; f += 2) {
    fprintf(out, "| `%s` | ", f[0]);
    sn_put_cell(out, f[1]);
    fprintf(out, " |\n");
  }
  fputs(
      "\nFields of type *expression* (forces, laws of springs, variables, outputs) may also use quantities of the "
      "motion:\n\n| Name | Meaning |\n|---|---|\n",
      out);
  for (size_t i = 0; i < SN_COUNT(quantities); i++)
    fprintf(out, "| %s | %s |\n", quantities[i].names, quantities[i].meaning);
  fputs(rules, out);
}

/* ---- a terminal ---- */

/* Markdown without its quotes of code. */
static void put_plain(FILE *out, const char *text, int indent) {
  char plain[512];
  size_t length = 0;
  for (; *text && length + 1 < sizeof plain; text++)
    if (*text != '`') plain[length++] = *text;
  plain[length] = 0;
  sn_put_wrapped(out, plain, indent);
}

void sn_describe_expressions(FILE *out) {
  fputs("Operators, the loosest first: ||, &&, < <= > >= == != (value 1 or 0), + -, * /, signs and !, ^\n", out);
  fputs("\nNames and functions, in every expression:\n\n", out);
  for (const char *const *f = sn_expr_functions(); *f; f += 2) {
    fprintf(out, "  %s\n", f[0]);
    sn_put_wrapped(out, f[1], 6);
  }
  fputs("\nQuantities of the motion, in fields of type expression (forces, laws of springs, variables, outputs):\n\n",
        out);
  for (size_t i = 0; i < SN_COUNT(quantities); i++) {
    put_plain(out, quantities[i].names, 2);
    put_plain(out, quantities[i].meaning, 6);
  }
}
