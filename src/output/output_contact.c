/* output_contact.c - total contact force on a body, number of contacts and largest overlap. */
#include <string.h>

#include "output/outputs.h"

static const char *const contact_names[] = {"fx", "fy", "fz", "contacts", "penetration"};
static const char *const contact_units[] = {"N", "N", "N", "", "m"};
static const char *const contact2_names[] = {"fx", "fy", "contacts", "penetration"};
static const char *const contact2_units[] = {"N", "N", "", "m"};

static void contact_compile(sn_compiler *c, const sn_output_spec *spec, sn_output *out) {
  const sn_names *names = &spec->contact;
  sn_output_take(out, c->model->dim == 2 ? SN_HEADINGS_OF(contact2_names, contact2_units)
                                         : SN_HEADINGS_OF(contact_names, contact_units));
  /* errors of surfaces have been reported */
  if (names->count > 2 || (!c->model->surfaces && c->reader.errors == 0))
    sn_field_error(
        &c->reader, &spec->spec, "contact", names->count > 2 ? "one or two bodies" : "'surfaces' and 'contacts'",
        names->count > 2 ? "output '%s' names more than two bodies" : "output '%s': the model has no contact",
        spec->spec.name);
  for (int k = 0; k < 2; k++) {
    const sn_body *body = k < names->count ? sn_find_body(c, names->name[k]) : NULL;
    out->body[k] = body ? (int)(body - c->model->body) : -1;
  }
}

static void contact_fill(const sn_model *m, const sn_output *o, const sn_eval *ev, const sn_touching *touching,
                         sn_output_memory *memory, double *y) {
  assert(o->columns == m->dim + 2);
  (void)ev;
  (void)memory;
  sn_contact_sum sum;
  sn_contacts_sum(touching->contacts, touching->count, touching->contact, o->body[0], o->body[1], &sum);
  memcpy(y, sum.force, (size_t)m->dim * sizeof(double));
  y[m->dim] = sum.number;
  y[m->dim + 1] = sum.penetration;
}

const sn_output_ops sn_output_contact = {
    .about = "contact force on ", .compile = contact_compile, .fill = contact_fill};
