/* auto.c - selects a method for the model and states the reason.
 *
 * The rules for known properties of the model are here; the first one that applies is used. If none applies, a trial
 * decides (analysis/choice.c). The rules follow the literature and measurements on the models of this repository
 * (docs/choosing-an-integrator.md).
 */
#include "integrator/integrator.h"

static const char *choose(const sn_system *system, const sn_integrator_spec *settings, const char **reason) {
  const bool contact = system->contacts != NULL;
  const struct rule {
    bool holds;
    const char *method, *why;
  } rules[] = {
      {system->model->rigid_stops, "symplectic-euler", "stops are rigid, which only it supports"},
      {contact && system->model->surfaces->dvi, "symplectic-euler",
       "only this integrator supports contact by complementarity"},
      /* Hussein et al., Khude: damping at high frequencies keeps index 3 stable with any step */
      {settings->step > 0, "hht-i3", "steps are fixed, and it damps vibrations that they do not resolve"},
      /* a rebound, rolling and tipping last: errors of each contact stay in the motion */
      {contact && !sn_has_flexible_bodies(system->model), "radau",
       "rigid bodies may touch, and an accurate contact decides what follows it"},
      /* Khude: low order and damping; forces of contact have corners that a high order does not see coming */
      {contact, "hht-i3", "bodies may touch, and high order is not efficient where forces are not smooth"},
      {true, NULL, NULL},
  };
  const struct rule *rule = rules;
  while (!rule->holds) rule++;
  *reason = rule->why;
  return rule->method;
}

static const sn_field fields[] = {SN_STEP_FIELDS, {0}};

const sn_integrator_ops sn_auto = {
    .kind = {.name = "auto",
             .category = SN_INTEGRATORS,
             .summary = "automatic selection of an integrator for the model, with the reason in the summary",
             .fields = fields,
             .spec_size = sizeof(sn_integrator_spec),
             .check = sn_check_steps},
    .choose = choose,
};
