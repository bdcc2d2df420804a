/* simbody.cpp - Simbody's driver of bench/peers.
 *
 * Methods of chain and fourbar: Merson, RK3, Feldberg, CPodes (adaptive, SETTING is the accuracy), SemiEuler (fixed step),
 * all in joint coordinates; two point-in-plane constraints close the loop. Method of spheres: Merson, with compliant
 * contacts (Hunt and Crossley). It chooses its steps; SETTING is the accuracy and the unit of the times that are counted as
 * steps. Penetration follows from the stiffness, which is chosen here: it is not comparable with rigid contacts.
 */
#include <Simbody.h>
#include <memory>
#include <vector>

#include "problem.h"

const char *const peer_engine = "Simbody";

using SimTK::MobilizedBody;
using SimTK::Transform;
using SimTK::Vec3;

/* A system with gravity. */
struct Scene {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  SimTK::Force::Gravity gravity{forces, matter, Vec3(0, -PEER_GRAVITY, 0)};
  Scene() { matter.setShowDefaultGeometry(false); }
};

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

/* Run it to the end; where points of two bodies are then. */
static int run(Scene &scene, const peer_task *task, const MobilizedBody body[2], const Vec3 point[2], Vec3 place[2],
               peer_answer *answer) {
  SimTK::State state = scene.system.realizeTopology();
  std::unique_ptr<SimTK::Integrator> integrator = choose(scene.system, task);
  if (!integrator) return 2;
  integrator->setFinalTime(DURATION);
  SimTK::TimeStepper stepper(scene.system, *integrator);
  stepper.initialize(state);
  double start = peer_cpu();
  stepper.stepTo(DURATION);
  answer->cpu = peer_cpu() - start;
  answer->steps = integrator->getNumStepsTaken();
  scene.system.realize(integrator->getState(), SimTK::Stage::Position);
  for (int k = 0; k < 2; k++) place[k] = body[k].findStationLocationInGround(integrator->getState(), point[k]);
  return 0;
}

static int peer_chain(const peer_task *task, peer_answer *answer) {
  Scene scene;
  const Vec3 half(ROD_LENGTH / 2, 0, 0);
  SimTK::Body::Rigid rod(
      SimTK::MassProperties(ROD_MASS, Vec3(0), SimTK::Inertia(ROD_AXIAL, ROD_TRANSVERSE, ROD_TRANSVERSE)));
  MobilizedBody last = scene.matter.updGround();
  for (int i = 0; i < task->n; i++) last = MobilizedBody::Ball(last, i ? half : Vec3(0), rod, Vec3(-half));
  const MobilizedBody body[2] = {last, last};
  const Vec3 point[2] = {half, half};
  Vec3 place[2];
  int code = run(scene, task, body, point, place, answer);
  for (int a = 0; a < 3; a++) answer->tip[a] = place[0][a];
  return code;
}

static int peer_fourbar(const peer_task *task, peer_answer *answer) {
  Scene scene;
  peer_bar bar[BARS];
  peer_bars(bar);
  MobilizedBody body[BARS];
  Vec3 half[BARS];
  for (int k = 0; k < BARS; k++) {
    half[k] = Vec3(bar[k].half[0], bar[k].half[1], bar[k].half[2]);
    SimTK::Body::Rigid rigid(SimTK::MassProperties(bar[k].mass, Vec3(0), SimTK::Inertia(bar[k].inertia)));
    MobilizedBody before = k ? body[k - 1] : MobilizedBody(scene.matter.updGround());
    body[k] = MobilizedBody::Pin(before, Transform(k ? half[k - 1] : Vec3(0)), rigid, Transform(Vec3(-half[k])));
  }
  const double *end = bar[BARS - 1].to;
  SimTK::Constraint::PointInPlane(scene.matter.updGround(), SimTK::UnitVec3(1, 0, 0), end[0], body[BARS - 1],
                                  half[BARS - 1]);
  SimTK::Constraint::PointInPlane(scene.matter.updGround(), SimTK::UnitVec3(0, 1, 0), end[1], body[BARS - 1],
                                  half[BARS - 1]);
  SimTK::Force::MobilityConstantForce(scene.forces, body[0], SimTK::MobilizerUIndex(0), MOTOR_MOMENT);
  SimTK::Force::MobilityLinearDamper(scene.forces, body[0], SimTK::MobilizerUIndex(0), MOTOR_DROP);
  const MobilizedBody seen[2] = {body[1], body[BARS - 1]};
  const Vec3 point[2] = {Vec3(0), half[BARS - 1]};
  Vec3 place[2];
  int code = run(scene, task, seen, point, place, answer);
  if (!code) peer_linkage(bar, &place[0][0], &place[1][0], answer);
  return code;
}

/* ---- spheres ---- */

static const double stiffness = 1e7;   /* [Pa], plane strain modulus: 0.2 mm under the weight of ten spheres */
static const double dissipation = 5;   /* [s/m] */
static const double transition = 1e-3; /* [m/s] below which friction is less than Coulomb's */

static void add_walls(SimTK::GeneralContactSubsystem &contacts, SimTK::ContactSetIndex set, Scene &scene, double side) {
  /* a half space fills x > 0 of its frame: the x axis points into the wall */
  const Vec3 into[5] = {Vec3(0, -1, 0), Vec3(-1, 0, 0), Vec3(0, 0, -1), Vec3(1, 0, 0), Vec3(0, 0, 1)};
  for (const Vec3 &direction : into) {
    const double at = direction[0] + direction[2] > 0 ? side : 0;
    const Transform frame(SimTK::Rotation(SimTK::UnitVec3(direction), SimTK::XAxis), at * direction);
    contacts.addBody(set, scene.matter.updGround(), SimTK::ContactGeometry::HalfSpace(), frame);
  }
}

static int peer_spheres(const peer_task *task, peer_answer *answer) {
  const int count = task->n * task->n * task->n, walls = 5;
  if (!peer_is(task, "Merson")) return 2;
  Scene scene;
  SimTK::GeneralContactSubsystem contacts(scene.system);
  const SimTK::ContactSetIndex set = contacts.createContactSet();
  SimTK::Body::Rigid ball(SimTK::MassProperties(SPHERE_MASS, Vec3(0), SimTK::Inertia(SPHERE_INERTIA)));
  std::vector<MobilizedBody> body;
  add_walls(contacts, set, scene, peer_side(task->n));
  for (int i = 0; i < count; i++) {
    body.push_back(MobilizedBody::Free(scene.matter.updGround(), Transform(), ball, Transform()));
    contacts.addBody(set, body.back(), SimTK::ContactGeometry::Sphere(SPHERE_RADIUS), Transform());
  }
  SimTK::HuntCrossleyForce force(scene.forces, contacts, set);
  for (int i = 0; i < walls + count; i++)
    force.setBodyParameters(SimTK::ContactSurfaceIndex(i), stiffness, dissipation, SPHERE_FRICTION, SPHERE_FRICTION, 0);
  force.setTransitionVelocity(transition);
  SimTK::State state = scene.system.realizeTopology();
  uint64_t seed = 1;
  for (int i = 0; i < count; i++) {
    double r[3];
    peer_place(task->n, i, &seed, r);
    body[(size_t)i].setQToFitTranslation(state, Vec3(r[0], r[1], r[2]));
  }
  std::unique_ptr<SimTK::Integrator> integrator = choose(scene.system, task);
  const double settled = SETTLE_STEPS * task->setting, last = settled + TIMED_STEPS * task->setting;
  SimTK::TimeStepper stepper(scene.system, *integrator);
  stepper.initialize(state);
  try {
    stepper.stepTo(settled);
    double start = peer_cpu();
    stepper.stepTo(last);
    answer->cpu = peer_cpu() - start;
  } catch (const std::exception &error) {
    fprintf(stderr, "%s\n", error.what());
    return 3;
  }
  answer->steps = TIMED_STEPS;
  const SimTK::State &now = integrator->getState();
  scene.system.realize(now, SimTK::Stage::Velocity);
  for (int i = 0; i < count; i++)
    for (int a = 0; a < 3; a++) {
      answer->place[i][a] = body[(size_t)i].getBodyOriginLocation(now)[a];
      answer->run[i][a] = body[(size_t)i].getBodyOriginVelocity(now)[a];
    }
  return 0;
}
