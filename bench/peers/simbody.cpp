/* simbody.cpp - Simbody's driver of bench/peers.
 *
 * Methods of chain: Merson, RK3, Feldberg, CPodes (adaptive, SETTING is the accuracy), SemiEuler (fixed step), all in
 * joint coordinates with ball mobilizers. There is no driver of the spheres.
 */
#include <Simbody.h>
#include <memory>

#include "problem.h"

const char *const peer_engine = "Simbody";

static std::unique_ptr<SimTK::Integrator> choose(const SimTK::System &system, const peer_task *task) {
  std::unique_ptr<SimTK::Integrator> chosen;
  if (peer_is(task, "SemiEuler")) {
    chosen = std::make_unique<SimTK::SemiExplicitEulerIntegrator>(system, task->setting);
    return chosen;
  }
  if (peer_is(task, "Merson")) chosen = std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system);
  if (peer_is(task, "RK3")) chosen = std::make_unique<SimTK::RungeKutta3Integrator>(system);
  if (peer_is(task, "Feldberg")) chosen = std::make_unique<SimTK::RungeKuttaFeldbergIntegrator>(system);
  if (peer_is(task, "CPodes")) chosen = std::make_unique<SimTK::CPodesIntegrator>(system, SimTK::CPodes::Adams);
  if (chosen) chosen->setAccuracy(task->setting);
  return chosen;
}

static int peer_chain(const peer_task *task, peer_answer *answer) {
  using SimTK::Vec3;
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter(system);
  SimTK::GeneralForceSubsystem forces(system);
  SimTK::Force::Gravity gravity(forces, matter, Vec3(0, -PEER_GRAVITY, 0));
  matter.setShowDefaultGeometry(false);
  const Vec3 half(ROD_LENGTH / 2, 0, 0);
  SimTK::Body::Rigid rod(
      SimTK::MassProperties(ROD_MASS, Vec3(0), SimTK::Inertia(ROD_AXIAL, ROD_TRANSVERSE, ROD_TRANSVERSE)));
  SimTK::MobilizedBody last = matter.updGround();
  for (int i = 0; i < task->n; i++) last = SimTK::MobilizedBody::Ball(last, i ? half : Vec3(0), rod, Vec3(-half));
  SimTK::State state = system.realizeTopology();
  std::unique_ptr<SimTK::Integrator> integrator = choose(system, task);
  if (!integrator) return 2;
  integrator->setFinalTime(CHAIN_DURATION);
  SimTK::TimeStepper stepper(system, *integrator);
  stepper.initialize(state);
  double start = peer_cpu();
  stepper.stepTo(CHAIN_DURATION);
  answer->cpu = peer_cpu() - start;
  answer->steps = integrator->getNumStepsTaken();
  system.realize(integrator->getState(), SimTK::Stage::Position);
  const Vec3 tip = last.findStationLocationInGround(integrator->getState(), half);
  for (int a = 0; a < 3; a++) answer->tip[a] = tip[a];
  return 0;
}

static int peer_spheres(const peer_task *task, peer_answer *answer) {
  (void)task;
  (void)answer;
  return 2;
}
