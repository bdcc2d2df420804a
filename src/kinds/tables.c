/* tables.c - the kinds and the pages made from their tables, for programs. */
#include "sinew/tables.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/trust.h"
#include "base/isa.h"
#include "model/field_text.h"
#include "model/registry.h"
#include "sinew/machine.h"

size_t sn_kind_count(void) {
  size_t count = 0;
  while (sn_kinds[count]) count++;
  return count;
}

sn_status sn_kind_at(size_t number, sn_kind_info *info) {
  *info = (sn_kind_info){0};
  if (number >= sn_kind_count()) return SN_USAGE;
  const sn_kind *kind = sn_kinds[number];
  *info = (sn_kind_info){kind->name, kind->summary, sn_category_key(kind->category),
                         sn_belongs_to(SN_MODEL_FILE, kind->category)};
  return SN_OK;
}

int sn_name_distance(const char *a, const char *b, int limit) {
  return a && b && limit > 0 ? sn_edit_distance(a, b, limit) : limit;
}

/* ---- pages ---- */

typedef struct page {
  sn_page_of of;
  const sn_kind *kind;
  FILE *out;
} page;

static sn_status write_page(void *argument) {
  const page *p = argument;
  switch (p->of) {
    case SN_PAGE_KINDS:
      return sn_describe_all(p->out), SN_OK;
    case SN_PAGE_KIND:
      return sn_describe(p->out, p->kind), SN_OK;
    case SN_PAGE_EXAMPLE:
      return sn_write_model(p->out, p->kind), SN_OK;
    case SN_PAGE_MODEL_SCHEMA:
      return sn_write_schema(p->out), SN_OK;
    case SN_PAGE_STUDY_SCHEMA:
      return sn_write_study_schema(p->out), SN_OK;
    case SN_PAGE_REFERENCE:
      return sn_write_reference(p->out), SN_OK;
    case SN_PAGE_EXPRESSIONS:
      return sn_describe_expressions(p->out), SN_OK;
    case SN_PAGE_TRUST:
      return sn_describe_trust(p->out, false), SN_OK;
    case SN_PAGE_TRUST_MARKDOWN:
      return sn_describe_trust(p->out, true), SN_OK;
  }
  return SN_USAGE;
}

sn_status sn_page(sn_page_of of, size_t kind, char **text) {
  const bool of_kind = of == SN_PAGE_KIND || of == SN_PAGE_EXAMPLE;
  page p = {.of = of};
  size_t length = 0;
  *text = NULL;
  if (of_kind && kind >= sn_kind_count()) return SN_USAGE;
  if (of_kind) p.kind = sn_kinds[kind];
  if (of == SN_PAGE_EXAMPLE && !sn_belongs_to(SN_MODEL_FILE, p.kind->category)) return SN_USAGE;
  p.out = open_memstream(text, &length);
  if (!p.out) return SN_MEMORY;
  sn_pool *pool = sn_pool_create();
  sn_status status = pool ? sn_guard(NULL, pool, write_page, &p) : SN_MEMORY;
  sn_pool_free(pool);
  if (!status && ferror(p.out)) status = SN_MEMORY;
  if (fclose(p.out) && !status) status = SN_MEMORY;
  if (!status) return SN_OK;
  free(*text);
  *text = NULL;
  return status;
}

/* ---- the machine ---- */

const char *sn_instructions(void) {
  return sn_isa();
}

const char *sn_instructions_at(size_t number) {
  const char *names[SN_ISA_SETS];
  const int count = sn_isa_sets(names);
  return number < (size_t)count ? names[number] : NULL;
}

const char *sn_instructions_refused(void) {
  return sn_isa_refused();
}
