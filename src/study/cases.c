/* cases.c - the folder of a study: names of cases, claims, outcomes; see cases.h. */
#include "study/cases.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"

/* ---- names ---- */

typedef struct hash {
  uint64_t a, b; /* FNV-1a from two starts */
} hash;

/* With its final 0, so that "ab" "c" is not "a" "bc". */
static void add_bytes(hash *h, const char *text, size_t length) {
  h->a = sn_hash(sn_hash(h->a, text, length), "", 1);
  h->b = sn_hash(sn_hash(h->b, text, length), "", 1);
}

static void add_text(hash *h, const char *text) {
  add_bytes(h, text, strlen(text));
}

static void add_number(hash *h, double value) {
  char text[32];
  snprintf(text, sizeof text, "%.17g", value);
  add_text(h, text);
}

/* A measure by all its fields. */
static void add_measure(hash *h, const sn_measure_spec *spec) {
  const sn_kind *kind = spec->spec.kind;
  add_text(h, spec->spec.name);
  add_text(h, kind->name);
  for (const sn_field *f = kind->fields; f->name; ++f) {
    const char *at = (const char *)spec + f->at;
    add_text(h, sn_given(spec, f->name) ? f->name : "");
    if (f->type == SN_TEXT)
      add_text(h, *(const char *const *)(const void *)at ? *(const char *const *)(const void *)at : "");
    double number;
    if (sn_type_number(f->type, at, &number)) add_number(h, number);
  }
}

/* Large data, 32 bytes at a time: byte by byte, the program alone would take 20 ms. */
static void add_large(hash *h, const char *data, size_t length) {
  uint64_t lane[4] = {1, 2, 3, 4};
  size_t at = 0;
  for (; length - at >= sizeof lane; at += sizeof lane) {
    uint64_t word[4];
    memcpy(word, data + at, sizeof word);
    for (int k = 0; k < 4; ++k) {
      lane[k] = (lane[k] ^ word[k]) * 0x9E3779B97F4A7C15u; /* odd: no two words become one */
      lane[k] ^= lane[k] >> 29;
    }
  }
  add_bytes(h, (const char *)lane, sizeof lane);
  add_bytes(h, data + at, length - at);
}

/* The program itself, where the system shows it; its version is added in any case. */
static void add_program(hash *h) {
  size_t length = 0;
  char *program = sn_read_file("/proc/self/exe", SIZE_MAX, &length);
  if (program) add_large(h, program, length);
  sn_free(program);
  add_text(h, SINEW_VERSION);
}

/* What all cases share. */
static hash common_hash(const sn_sweep *c) {
  const sn_study *study = c->study;
  hash h = {0xCBF29CE484222325u, 0x84222325CBF29CE4u};
  add_program(&h);
  add_bytes(&h, c->model_text, c->model_length);
  add_number(&h, study->until);
  add_number(&h, study->cpu_limit);
  add_number(&h, study->keep);
  add_number(&h, c->measures);
  for (int i = 0; i < c->measures; ++i) add_measure(&h, sn_study_measure(study, i));
  for (int i = 0; i < study->sets; ++i) add_text(&h, study->set[i]);
  return h;
}

static void name_cases(sn_sweep *c) {
  const hash common = common_hash(c);
  const char **name = SN_NEW(&c->arena, const char *, c->count);
  unsigned long long *at = SN_NEW(&c->arena, unsigned long long, c->count);
  const int n = c->study->variations;
  for (int i = 0; i < c->count; ++i) {
    hash h = common;
    for (int k = 0; k < n; ++k) {
      add_text(&h, c->study->variation[k].name);
      add_text(&h, c->value[(size_t)i * (size_t)n + (size_t)k].text);
    }
    name[i] = sn_format(&c->arena, "%016llx%016llx", (unsigned long long)h.a, (unsigned long long)h.b);
    at[i] = h.a >> 2; /* offsets are signed, and one byte more must fit */
  }
  c->name = name;
  c->at = at;
}

/* ---- the folder ---- */

static sn_status make_folder(sn_context *context, const char *path) {
  struct stat info;
  if (!mkdir(path, 0777)) return SN_OK;
  const int error = errno;
  if (error == EEXIST && !stat(path, &info) && S_ISDIR(info.st_mode)) return SN_OK;
  return sn_fail(context, SN_IO, "cannot create the folder %s: %s", path, strerror(error));
}

static sn_status open_claims(sn_sweep *c) {
  char *path = sn_format(&c->arena, "%s/cases/claims", c->folder);
  if (c->claims >= 0) close(c->claims);
  c->claims = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  return c->claims >= 0 ? SN_OK : sn_fail(c->context, SN_IO, "cannot open %s: %s", path, strerror(errno));
}

sn_status sn_sweep_reopen(sn_sweep *c, int log) {
  if (c->log >= 0 && c->log != log) close(c->log);
  c->log = log;
  return open_claims(c);
}

sn_status sn_sweep_open(sn_context *context, const sn_study *study, const char *model_text, size_t model_length,
                        const char *folder, sn_sweep **out) {
  sn_arena arena = {0};
  sn_sweep *c = SN_NEW(&arena, sn_sweep, 1);
  *c = (sn_sweep){.context = context,
                  .arena = arena,
                  .study = study,
                  .model_text = model_text,
                  .model_length = model_length,
                  .measures = study->document->list[SN_MEASURED].count,
                  .claims = -1,
                  .log = -1};
  c->folder = sn_format(&c->arena, "%s", folder);
  c->count = sn_sample_cases(study, &c->arena, &c->value);
  name_cases(c);
  const char *logs = sn_format(&c->arena, "%s/cases", folder);
  c->logs = sn_logs_create(logs, c->count, c->name);
  sn_status status = make_folder(context, folder);
  if (!status) status = make_folder(context, logs);
  if (!status && study->keep) status = make_folder(context, sn_format(&c->arena, "%s/results", folder));
  if (!status) status = open_claims(c);
  if (!status) sn_logs_read(c->logs);
  *out = c;
  return status;
}

void sn_sweep_free(sn_sweep *c) {
  if (!c) return;
  if (c->claims >= 0) close(c->claims);
  if (c->log >= 0) close(c->log);
  sn_logs_free(c->logs);
  sn_arena arena = c->arena;
  sn_arena_free(&arena);
}

void sn_sweep_remove(const sn_sweep *c) {
  char path[4096];
  snprintf(path, sizeof path, "%s/cases", c->folder);
  DIR *folder = opendir(path);
  for (struct dirent *e; folder && (e = readdir(folder));) unlinkat(dirfd(folder), e->d_name, 0);
  if (folder) closedir(folder);
  rmdir(path);
  snprintf(path, sizeof path, "%s/results", c->folder);
  rmdir(path);
  rmdir(c->folder);
}

/* ---- claims ---- */

static struct flock byte_of(const sn_sweep *c, int i) {
  assert(i >= 0 && i < c->count);
  return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)c->at[i], .l_len = 1};
}

bool sn_case_claim(sn_sweep *c, int i) {
  struct flock lock = byte_of(c, i);
  return fcntl(c->claims, F_SETLK, &lock) == 0 || (errno != EACCES && errno != EAGAIN);
}

void sn_case_release(sn_sweep *c, int i) {
  struct flock lock = byte_of(c, i);
  lock.l_type = F_UNLCK;
  fcntl(c->claims, F_SETLK, &lock);
}

bool sn_case_claimed(const sn_sweep *c, int i) {
  struct flock lock = byte_of(c, i);
  return fcntl(c->claims, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/* ---- outcomes ---- */

char *sn_case_text(const sn_sweep *c, const sn_outcome *o, sn_arena *arena, size_t *length) {
  const size_t room = 1024 + strlen(o->host) + strlen(o->message) + 32 * (size_t)c->measures;
  char *text = SN_NEW(arena, char, room);
  size_t at = (size_t)snprintf(
      text, room, "status %s\nreached %.17g\ncpu %.17g\nwall %.17g\nhost %s\nmessage %s\ntrust %s\naudit %s\nvalues",
      o->status, o->reached, o->cpu, o->wall, o->host, o->message, o->trust, o->audit);
  for (int k = 0; k < c->measures; ++k) at += (size_t)snprintf(text + at, room - at, " %.17g", o->value[k]);
  at += (size_t)snprintf(text + at, room - at, "\nend\n");
  assert(at < room);
  *length = at;
  return text;
}

sn_status sn_case_store(sn_sweep *c, int i, const char *text, size_t length, double seconds) {
  assert(i >= 0 && i < c->count);
  if (c->log < 0) c->log = sn_log_begin(c->logs);
  if (c->log >= 0 && sn_log_add(c->logs, c->log, i, text, length, seconds)) return SN_OK;
  return sn_fail(c->context, SN_IO, "cannot write the outcome of case %d to %s/cases: %s", i + 1, c->folder,
                 strerror(errno));
}

sn_status sn_case_write(sn_sweep *c, int i, const sn_outcome *o) {
  sn_arena arena = {0};
  size_t length;
  const char *text = sn_case_text(c, o, &arena, &length);
  const sn_status status = sn_case_store(c, i, text, length, o->wall);
  sn_arena_free(&arena);
  return status;
}

/* The rest of the next line, if it begins with the word; NULL: it does not. */
static char *line_of(char **text, const char *word) {
  char *line = *text, *end = strchr(line, '\n');
  const size_t length = strlen(word);
  if (!end || strncmp(line, word, length) || (line[length] != ' ' && line[length] != '\n')) return NULL;
  *end = 0;
  *text = end + 1;
  return line + length + (line[length] == ' ');
}

static bool parse_outcome(const sn_sweep *c, char *text, sn_arena *arena, sn_outcome *o) {
  double *value = SN_NEW(arena, double, c->measures + 1);
  char *reached, *cpu, *wall, *values, *status = line_of(&text, "status");
  if (!status || !(reached = line_of(&text, "reached")) || !(cpu = line_of(&text, "cpu"))) return false;
  if (!(wall = line_of(&text, "wall")) || !(o->host = line_of(&text, "host"))) return false;
  if (!(o->message = line_of(&text, "message")) || !(o->trust = line_of(&text, "trust"))) return false;
  if (!(o->audit = line_of(&text, "audit")) || !(values = line_of(&text, "values"))) return false;
  o->status = status;
  o->reached = strtod(reached, NULL);
  o->cpu = strtod(cpu, NULL);
  o->wall = strtod(wall, NULL);
  o->value = value;
  for (int k = 0; k < c->measures; ++k) {
    char *end;
    value[k] = strtod(values, &end);
    if (end == values) return false;
    values = end;
  }
  return line_of(&text, "end") != NULL;
}

bool sn_case_read(const sn_sweep *c, int i, sn_arena *arena, sn_outcome *o) {
  size_t length;
  const char *text = sn_logs_text(c->logs, i, &length);
  return text && parse_outcome(c, sn_copy_text(arena, text, length), arena, o);
}

bool sn_case_finished(const sn_sweep *c, int i) {
  size_t length;
  return sn_logs_text(c->logs, i, &length) != NULL;
}
