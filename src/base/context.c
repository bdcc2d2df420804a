/* context.c - the message of the current failure and the interrupt flag. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/handles.h"
#include "base/sized.h"
#include "sinew/message.h"

sn_context *sn_context_create(void) {
  sn_context *context = calloc(1, sizeof(sn_context));
  sn_handle_made(context);
  return context;
}

void sn_context_free(sn_context *context) {
  if (!context || sn_handle_check(context)) return;
  sn_handle_freed(context, "context", NULL);
  free(context->message);
  free(context);
}

const char *sn_message(const sn_context *context) {
  if (!context) return "";
  return context->brief[0] || !context->message ? context->brief : context->message;
}

/* Runs inside signal handlers: it may do nothing but set the flag. */
void sn_interrupt(sn_context *context) {
  context->interrupted = 1;
}

void sn_clear_interrupt(sn_context *context) {
  context->interrupted = 0;
}

int sn_interrupted(const sn_context *context) {
  return context->interrupted != 0;
}

sn_status sn_set_message(sn_context *context, sn_status status, const char *text) {
  if (status == SN_OK)
    sn_clear_message(context);
  else
    sn_fail(context, status, "%s", text ? text : "");
  return status;
}

void sn_give(void *to, const void *all, size_t size) {
  size_t known;
  memcpy(&known, to, sizeof known);
  if (known > size) known = size;
  if (known > sizeof known) memcpy((char *)to + sizeof known, (const char *)all + sizeof known, known - sizeof known);
}

char *sn_give_text(const char *text, size_t length) {
  char *own = malloc(length + 1);
  if (!own) return NULL;
  memcpy(own, text, length);
  own[length] = 0;
  return own;
}

/* Texts of the caller come from malloc: they belong to no pool. */
void sn_release(char *text) {
  free(text);
}

void sn_on_remark(sn_context *context, sn_listener listener, void *user) {
  context->listener = listener;
  context->listener_user = user;
}

void sn_remark_on(const sn_context *context, sn_remark kind, const char *text) {
  if (context->listener) context->listener(context->listener_user, kind, text);
}

void sn_limit_memory(sn_context *context, double bytes) {
  assert(bytes >= 0);
  context->memory = bytes;
}

/* The formatted text in memory of its own, NULL when there is none to be had. A text is always formatted apart
 * from the message before it goes in, because the arguments may quote the message itself. */
static char *format_text(size_t *length, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int needed = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (needed < 0) return NULL;
  char *text = malloc((size_t)needed + 1);
  if (!text) return NULL;
  vsnprintf(text, (size_t)needed + 1, format, arguments);
  sn_make_plain(text, true); /* it may quote what a file says */
  *length = strlen(text);
  return text;
}

void sn_clear_message(sn_context *context) {
  context->length = 0;
  context->brief[0] = 0;
  if (context->message) context->message[0] = 0;
}

sn_status sn_fail(sn_context *context, sn_status status, const char *format, ...) {
  assert(context && status != SN_OK && format);
  va_list arguments;
  size_t length = 0;
  va_start(arguments, format);
  char *text = format_text(&length, format, arguments);
  va_end(arguments);
  char brief[sizeof context->brief] = ""; /* formatted apart, like the text */
  va_start(arguments, format);
  if (!text) vsnprintf(brief, sizeof brief, format, arguments);
  va_end(arguments);
  memcpy(context->brief, brief, sizeof brief);
  free(context->message);
  context->message = text;
  context->length = length;
  context->capacity = text ? length + 1 : 0;
  return status;
}

void sn_append(sn_context *context, const char *format, ...) {
  assert(context && format && (!context->message || context->length < context->capacity));
  va_list arguments;
  size_t length = 0;
  va_start(arguments, format);
  char *text = format_text(&length, format, arguments);
  va_end(arguments);
  if (!text) sn_out_of_memory(sizeof(char));

  const size_t needed = context->length + length + 1;
  if (needed > context->capacity) {
    const size_t capacity = needed > 2 * context->capacity ? needed : 2 * context->capacity;
    char *grown = realloc(context->message, capacity);
    if (!grown) {
      free(text);
      sn_out_of_memory(capacity);
    }
    context->message = grown;
    context->capacity = capacity;
  }
  memcpy(context->message + context->length, text, length + 1);
  context->length += length;
  free(text);
}
