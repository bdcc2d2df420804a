/* trust.h - can the results of a run be trusted? One verdict per run, by stated rules.
 *
 * A run measures energy, constraints, steps and contacts (evidence.h). Rules (tables in trust_run.c and trust_model.c) turn these numbers
 * and the counters of sn_statistics into reasons; findings that only one part of the program can detect are reported by
 * sn_add_doubt. The verdict is the worst of the reasons.
 */
#ifndef SN_TRUST_H
#define SN_TRUST_H

#include <stdbool.h>
#include <stdio.h>

#include "sinew/sinew.h"

typedef enum sn_trust { SN_GOOD, SN_DOUBTFUL, SN_BAD } sn_trust;
extern const char *const sn_trust_names[3]; /* "good", "doubtful", "bad" */

/* Doubts reported during the run. */
enum { SN_MOST_DOUBTS = 16 };
typedef struct sn_doubts {
  int count, more; /* kept; not kept for lack of space */
  sn_trust level;  /* of the worst, kept or not */
  sn_trust audit;  /* the same of those about the run */
  struct {
    sn_trust level;
    const char *text;
  } doubt[SN_MOST_DOUBTS];
} sn_doubts;

/* Something makes the run doubtful or bad: one line of plain text with the reason, the place and, if known, a possible
 * remedy. Between steps only; a repeated text is kept once, and only the first texts are kept. */
void sn_add_doubt(sn_simulation *simulation, sn_trust level, const char *text);
/* The same about the model, whatever solves it: its mesh, or a body beyond what it describes. */
void sn_add_model_doubt(sn_simulation *simulation, sn_trust level, const char *text);

typedef struct sn_verdict {
  sn_trust level;
  sn_trust audit;      /* the same without what is about the model (mesh, start, overlap): how it was solved */
  const char *reasons; /* one line each, worst first: "bad: ...\n"; "" where all is well. In the simulation's arena. */
} sn_verdict;
/* The verdict on the run so far; `status` is how it ended. */
sn_verdict sn_judge(sn_simulation *simulation, sn_status status);

/* The reason where joints that repeat each other at the start are violated by `value` of the size of the model because
 * they contradict each other, whatever the method; "": they do not. */
const char *sn_say_conflict(sn_simulation *simulation, double value);

/* What a checkpoint keeps of doubts. */
struct sn_history;
void sn_doubts_history(sn_simulation *simulation, struct sn_history *history);

/* The rules, as text for a terminal or as a table in Markdown. */
void sn_describe_trust(FILE *out, bool markdown);

#endif
