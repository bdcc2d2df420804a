/* law_dvi.c - contact by complementarity: impulses that prevent the approach of surfaces in contact (ccp.h). */
#include "contact/law.h"

static const char *const dvi_keys[] = {"activation", NULL};

static void dvi_compile(const sn_surfaces *all, const sn_contact_spec *s, sn_law *law) {
  if (!sn_given(s, "restitution")) law->restitution = 0;
  law->activation = sn_given(s, "activation") ? s->activation : all->margin / 2;
}

const sn_law_ops sn_law_dvi = {.name = "dvi", .impulsive = true, .keys = dvi_keys, .compile = dvi_compile};
