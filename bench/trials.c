/* trials.c - what the studies of integrators share; see trials.h. */
#define _XOPEN_SOURCE 700
#include "trials.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static sn_context *volatile running;

static void stop(int signal_number) {
  (void)signal_number;
  if (running) sn_interrupt(running);
}

/* CPU time, after which the run is asked to stop. */
static void set_limit(sn_context *context, double seconds) {
  struct itimerval timer = {.it_value = {(time_t)seconds, (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6)}};
  struct sigaction action = {.sa_handler = stop};
  running = context;
  sigaction(SIGVTALRM, &action, NULL);
  setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

/* The text of a model up to its analysis, and ours. */
static char *text_of(const study_run *run) {
  char path[200], ours[500];
  snprintf(path, sizeof path, "models/%s.yaml", run->model);
  int length =
      snprintf(ours, sizeof ours, "\nanalysis: {type: dynamics, duration: %.17g, output_step: %.17g, integrator: %s}\n",
               run->duration, run->output_step, run->integrator);
  FILE *in = fopen(path, "r");
  char *text = calloc(1, 65536);
  if (!in || !text || length >= (int)sizeof ours) {
    fprintf(stderr, "cannot read %s: start this in the root of the repository\n", path);
    exit(4);
  }
  size_t size = fread(text, 1, 65000, in);
  fclose(in);
  text[size] = 0;
  char *end = strstr(text, "\nanalysis:");
  if (end) *end = 0;
  strcat(text, ours);
  return text;
}

void study_trial(const study_run *run, sn_trial *trial) {
  sn_context *context = sn_context_create();
  sn_model *model;
  char *text = text_of(run);
  const char *const set[] = {run->set, run->also};
  size_t count = run->set == NULL ? 0 : run->also == NULL ? 1 : 2;
  if (sn_model_parse(context, run->model, text, strlen(text), set, count, &model)) {
    fputs(sn_message(context), stderr);
    exit(2);
  }
  set_limit(context, run->limit);
  sn_trial_run(model, NULL, trial);
  set_limit(NULL, 0);
  sn_model_free(model);
  sn_context_free(context);
  free(text);
}

const char *study_end(const sn_trial *trial, char *text, size_t size) {
  if (!trial->status)
    snprintf(text, size, "done");
  else if (trial->status == SN_INTERRUPTED)
    snprintf(text, size, "stopped at t = %.3g s", trial->reached);
  else
    snprintf(text, size, "failed: %s", trial->message);
  return text;
}

FILE *study_csv(int argc, char **argv, int at) {
  if (argc <= at) return NULL;
  FILE *out = fopen(argv[at], "w");
  if (out) return out;
  perror(argv[at]);
  exit(4);
}
