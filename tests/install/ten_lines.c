/* ten_lines.c - the smallest program that uses an installed Sinew. */
#include <sinew/sinew.h>
#include <stdio.h>

int main(int argc, char **argv) {
  sn_context *context = sn_context_create();
  sn_model *model = NULL;
  sn_simulation *simulation = NULL;
  double tip[3] = {0};
  sn_status status = sn_model_load(context, argc > 1 ? argv[1] : "models/pendulum.yaml", NULL, 0, &model);
  if (!status) status = sn_simulation_create(model, NULL, &simulation);
  if (!status) status = sn_step(simulation);
  if (!status && sn_read(simulation, "tip", tip, 3) < 3) status = SN_USAGE;
  if (status)
    printf("%s\n", sn_message(context));
  else
    printf("Sinew %s, t = %g s: tip at %g %g %g m\n", SINEW_VERSION, sn_time(simulation), tip[0], tip[1], tip[2]);
  sn_simulation_free(simulation);
  sn_model_free(model);
  sn_context_free(context);
  return (int)status;
}
