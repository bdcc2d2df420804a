/* test_events.c - events: their times, what they change, momentum at locking, rows, resumed runs; against closed forms. */
#include "analysis/events.h"
#include "recorded.h"

#define HEAD "sinew: 1\n"
#define BY(duration) "analysis: {type: dynamics, duration: " duration ", integrator: {type: %s}}\n"

/* Every integrator, adaptive and with fixed steps; `order` of the fixed ones. */
static const struct {
  const char *method;
  double error; /* of times of events [s], as large as that of the motion */
} methods[] = {{"radau, tolerance: 1e-8", 1e-7},      {"radau5, tolerance: 1e-8", 1e-7},
               {"gam, tolerance: 1e-8", 1e-7},        {"hht-i3, tolerance: 1e-7", 1e-4},
               {"hht-add, tolerance: 1e-7", 1e-4},    {"hht-si2, tolerance: 1e-7", 1e-4},
               {"nstiff, tolerance: 1e-7", 1e-4},     {"nstiff-si2, tolerance: 1e-7", 1e-4},
               {"newmark, tolerance: 1e-7", 1e-3},    {"gssss, tolerance: 1e-7", 1e-4},
               {"ida, tolerance: 1e-8", 1e-5},        {"adams, tolerance: 1e-8", 1e-5},
               {"erk, tolerance: 1e-8", 1e-6},        {"tr-bdf2, tolerance: 1e-7", 1e-4},
               {"radau5, step: 0.01", 1e-7},          {"hht-i3, alpha: 0, step: 1e-3", 1e-6},
               {"newmark, step: 1e-3", 1e-4},         {"gssss, step: 1e-3", 1e-6},
               {"tr-bdf2, step: 1e-3", 1e-6},         {"nstiff, step: 1e-3", 1e-5},
               {"symplectic-euler, step: 1e-3", 2e-3}};

static void open_by(run *r, const char *model, const char *method) {
  char text[3000];
  snprintf(text, sizeof text, model, method);
  open_run(r, text, NULL);
}

static void finish(run *r) {
  if (sn_run(r->simulation)) fail_msg("%s", sn_message(r->context));
}

static const sn_event_info *events_of(const run *r, int count) {
  const sn_event_info *list;
  assert_int_equal(sn_events_list(r->simulation, &list), count);
  return list;
}

/* ---- what a lock holds ---- */

/* Closed form: a body of 2 kg, 1 m from its hinge, is locked at the angle a: the lock exerts m g cos a on it. A slider is
 * held by its weight. Before and after, neither does anything. */
static void test_lock_holds(void **state) {
  (void)state;
  static const char *const by[] = {"radau, tolerance: 1e-8", "hht-i3, tolerance: 1e-6", "gssss, step: 1e-3"};
  for (size_t i = 0; i < SN_COUNT(by); i++) {
    run r;
    double l[2], s[2], a[2];
    open_by(&r,
            HEAD
            "gravity: [0, -10, 0]\nbodies:\n"
            "  a: {type: rigid, position: [1, 0, 0], mass: 2, inertia: [0.1, 0.1, 0.1], points: {p: [-1, 0, 0]}}\n"
            "  s: {type: rigid, position: [0, 5, 0], mass: 2, inertia: [0.1, 0.1, 0.1]}\n"
            "joints: {h: {type: revolute, between: [ground, a.p]}, g: {type: prismatic, between: [ground, "
            "s.center], axis: [0, 1, 0]}}\n"
            "events: {hold: {when: t - 0.1, lock: [h, g]}, free: {when: t - 0.3, release: [h, g]}}\n"
            "outputs: {l: {lock: h}, s: {lock: g}, h: {joint: h}}\n" BY("0.4"),
            by[i]);
    for (int k = 0; k < 3; k++) {
      advance(&r, k == 0 ? 0.05 : k == 1 ? 0.2 : 0.4);
      read_output(&r, "l", l, 2);
      read_output(&r, "s", s, 2);
      read_output(&r, "h", a, 2);
      const double held = k == 1;
      assert_below(fabs(l[0] - held) + fabs(s[0] - held), 0, "%s: locked", by[i]);
      assert_below(fabs(l[1] - held * 20 * cos(a[0])), 1e-6, "%s: moment of the lock", by[i]);
      assert_below(fabs(s[1] - held * 20), 1e-6, "%s: force of the lock", by[i]);
    }
    close_run(&r);
  }
}

/* ---- times ---- */

#define FALL                                                                                                         \
  HEAD "gravity: [0, 0, -9.81]\nbodies: {ball: {type: point-mass, position: [0, 0, 1], mass: 2}}\n"                  \
       "events: {up: {when: ball.z - 0.5, direction: rising, stop: true}, ground: {when: ball.z, stop: true}}\n" BY( \
           "1")

/* Analytic: t = sqrt(2 z/g); the run ends there. */
static void test_fall(void **state) {
  (void)state;
  for (size_t i = 0; i < SN_COUNT(methods); i++) {
    run r;
    open_by(&r, FALL, methods[i].method);
    finish(&r);
    const sn_event_info *e = events_of(&r, 1);
    assert_int_equal(e->event, 1);
    assert_int_equal(e->direction, -1);
    const double off = fabs(e->t - sqrt(2 / 9.81));
    assert_below(off, fmax(methods[i].error, 4e-9), "%s: time of the fall", methods[i].method);
    assert_below(fabs(sn_time(r.simulation) - e->t), 0, "%s: the run ends there", methods[i].method);
    close_run(&r);
  }
}

#define PENDULUM                                                                                            \
  HEAD "gravity: [0, -9.81, 0]\nbodies: {bob: {type: point-mass, position: [1, 0, 0], mass: 1}}\n"          \
       "joints: {rod: {type: distance, between: ['ground.at(0, 0, 0)', bob]}}\nvariables: {n: {held: 0}}\n" \
       "outputs: {n: {expression: n}}\nevents: {low: {when: bob.x, direction: falling, set: {n: n + 1}},\n" \
       "  back: {when: bob.x, direction: rising, set: {n: n + 1}}}\n" BY("2")

/* Analytic: released at 90 degrees, a pendulum is at the bottom after K(1/2) sqrt(L/g), and again half a period later. */
static void test_pendulum(void **state) {
  (void)state;
  const double K = 1.8540746773013719, quarter = K / sqrt(9.81);
  for (size_t i = 0; i < SN_COUNT(methods); i++) {
    run r;
    double n;
    open_by(&r, PENDULUM, methods[i].method);
    finish(&r);
    const sn_event_info *e = events_of(&r, 2);
    for (int k = 0; k < 2; k++) {
      assert_int_equal(e[k].event, k);
      assert_below(fabs(e[k].t - (2 * k + 1) * quarter), 6 * methods[i].error + 4e-9, "%s: time at the bottom, %d",
                   methods[i].method, k);
    }
    read_output(&r, "n", &n, 1);
    assert_below(fabs(n - 2), 0, "%s: counted", methods[i].method);
    close_run(&r);
  }
}

/* ---- which crossings count ---- */

/* Analytic: x = cos(t) has zeros at pi/2 (falling) and 3/2 pi (rising), ...; x - 1 touches 0 and does not cross it. */
static void test_directions(void **state) {
  (void)state;
  static const char model[] = HEAD
      "gravity: [0, 0, 0]\nbodies: {m: {type: point-mass, position: [1, 0, 0], mass: 1}}\n"
      "forces: {k: {type: force, at: m, force: [-m.x, 0, 0]}}\n"
      "variables: {r: {held: 0}, f: {held: 0}, b: {held: 0}, o: {held: 0}, c: {held: 0}}\n"
      "outputs: {n: {expression: r + 10*f + 100*b + 1000*o + 10000*c}}\n"
      "events:\n"
      "  rising: {when: m.x, direction: rising, set: {r: r + 1}}\n"
      "  falling: {when: m.x, direction: falling, set: {f: f + 1}}\n"
      "  both: {when: m.x, set: {b: b + 1}}\n"
      "  once: {when: m.x, once: true, set: {o: o + 1}}\n"
      "  some: {when: m.x, if: m.vx > 0, set: {c: c + 1}}\n"
      "  never: {when: m.x - 1.01, stop: true}\n" BY("25");
  static const char *const by[] = {"radau, tolerance: 1e-8", "hht-i3, step: 1e-2", "symplectic-euler, step: 1e-2"};
  for (size_t i = 0; i < SN_COUNT(by); i++) {
    run r;
    double n;
    open_by(&r, model, by[i]);
    finish(&r);
    read_output(&r, "n", &n, 1);
    /* to 25 = 7.96 pi: falling at (2k + 1/2) pi, rising at (2k + 3/2) pi, k = 0 ... 3 */
    assert_below(fabs(n - (4 + 40 + 800 + 1000 + 40000)), 0, "%s: counts %g", by[i], n);
    close_run(&r);
  }
}

/* An event that another one causes happens at the same time, and once. */
static void test_chain(void **state) {
  (void)state;
  run r;
  double n;
  open_by(&r,
          HEAD
          "gravity: [0, 0, 0]\nbodies: {m: {type: point-mass, position: [1, 0, 0], mass: 1}}\n"
          "variables: {a: {held: 0}, b: {held: 0}}\noutputs: {n: {expression: a + 10*b}}\n"
          "events:\n  second: {when: a - 0.5, direction: rising, set: {b: b + 1}}\n"
          "  first: {when: t - 1/3, set: {a: 1}}\n" BY("1"),
          "radau");
  finish(&r);
  read_output(&r, "n", &n, 1);
  const sn_event_info *e = events_of(&r, 2);
  assert_below(fabs(n - 11), 0, "both have happened");
  assert_below(fabs(e[0].t - 1.0 / 3), 1e-8, "time of the cause");
  assert_below(fabs(e[1].t - e[0].t), 0, "time of what follows");
  close_run(&r);
}

/* ---- locks ---- */

#define ROTORS                                                                                                 \
  HEAD "planar: true\ngravity: [0, 0, 0]\nbodies:\n"                                                           \
       "  a: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 2], angular_velocity: [0, 0, 3]}\n"   \
       "  b: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 5], angular_velocity: [0, 0, -1]}\n"  \
       "joints: {ha: {type: revolute, between: [ground, a.center]}, hb: {type: revolute, between: [a.center, " \
       "b.center]}}\n"                                                                                         \
       "events: {clutch: {when: t - 0.5, lock: hb}, free: {when: t - 1, release: hb}}\n"                       \
       "outputs: {a: {joint: ha}, b: {joint: hb}}\n" BY("1.5")

/* Analytic: w = (I1 w1 + I2 w2)/(I1 + I2) = 1/7, the impulse I2 (w - w2) = 40/7, the loss 1/2 I1 I2/(I1 + I2) 4^2. */
static void test_rotors(void **state) {
  (void)state;
  for (size_t i = 0; i < SN_COUNT(methods); i++) {
    run r;
    double a[2], b[2];
    open_by(&r, ROTORS, methods[i].method);
    while (r.simulation->at_event != 2)
      if (sn_step(r.simulation)) fail_msg("%s", sn_message(r.context));
    const sn_event_info *e = events_of(&r, 1);
    assert_below(fabs(e->t - 0.5), 3e-9, "%s: time", methods[i].method);
    assert_below(fabs(fabs(e->impulse) - 40.0 / 7), 1e-12, "%s: impulse", methods[i].method);
    assert_below(fabs(e->energy + 80.0 / 7), 1e-11, "%s: loss", methods[i].method);
    read_output(&r, "a", a, 2);
    read_output(&r, "b", b, 2);
    assert_below(fabs(a[1] - 1.0 / 7), 1e-12, "%s: common speed", methods[i].method);
    assert_below(fabs(b[1]), 1e-12, "%s: locked", methods[i].method);
    finish(&r);
    read_output(&r, "b", b, 2);
    assert_below(fabs(b[0] + 2), 2e-8, "%s: relative angle", methods[i].method);
    assert_below(energy_error_of(&r), 1e-9, "%s: energy", methods[i].method);
    close_run(&r);
  }
}

#define IN_SPACE                                                                                                      \
  HEAD "gravity: [0, 0, 0]\nbodies:\n"                                                                                \
       "  a: {type: rigid, from: [0, 0, 0], to: [1, 0.2, 0], mass: 2, shape: {type: box, size: [1, 0.3, 0.2]},\n"     \
       "    angular_velocity: [0, 0, 2], velocity: [0.3, 0, 0.1]}\n"                                                  \
       "  b: {type: rigid, from: [1, 0.2, 0], to: [1.5, 1, 0], mass: 1, shape: {type: box, size: [0.9, 0.1, 0.2]},\n" \
       "    angular_velocity: [0, 0.3, -3], velocity: [0.2, 0.4, 0]}\n"                                               \
       "joints: {hinge: {type: revolute, between: [a.end, b.start], axis: [0, 0.3, 1]}}\n"                            \
       "events: {latch: {when: hinge.angle + 0.5, once: true, lock: hinge}, free: {when: t - 0.6, release: hinge},\n" \
       "  again: {when: t - 0.8, lock: hinge}}\noutputs: {hinge: {joint: hinge}}\n" BY("1")

/* Free bodies in space: linear and angular momentum do not change where a joint is locked or released. */
static void test_momentum_in_space(void **state) {
  (void)state;
  static const char *const by[] = {"radau, tolerance: 1e-9", "hht-i3, tolerance: 1e-7", "erk, tolerance: 1e-9",
                                   "symplectic-euler, step: 1e-3"};
  for (size_t i = 0; i < SN_COUNT(by); i++) {
    run r;
    double before[6] = {0}, after[6], angle = 0, y[2], turn = 0;
    int events = 0;
    open_by(&r, IN_SPACE, by[i]);
    sn_simulation *s = r.simulation;
    while (!sn_all_finished(s)) {
      if (sn_step(s)) fail_msg("%s", sn_message(r.context));
      if (s->at_event == 1) sn_system_momentum(s->audit, &s->state, before);
      read_output(&r, "hinge", y, 2);
      turn = fmax(turn, fabs(y[1]));
      if (s->at_event == 2 && ++events % 2 == 1) angle = y[0];
      if (events == 1) assert_below(fabs(y[0] - angle), 1e-6, "%s: locked", by[i]);
      if (s->at_event != 2) continue;
      sn_system_momentum(s->audit, &s->state, after);
      /* erk lets the points of the joint drift apart: its impulses then have a moment, as large as their distance */
      sn_system_position(s->audit, &s->state, s->scratch);
      const double apart = largest(s->scratch, s->audit->m);
      assert_below(distance(before, after, 6), 5e-14 * fmax(1, largest(before, 6)) + 10 * apart,
                   "%s: momentum, event %d", by[i], events);
      assert_below(apart, 1e-8, "%s: joint, event %d", by[i], events);
    }
    assert_int_equal(events, 3);
    assert_below(1, turn, "%s: it has moved", by[i]);
    const sn_event_info *e = events_of(&r, 3);
    assert_below(e[0].energy, -0.1, "%s: energy is lost", by[i]);
    close_run(&r);
  }
}

#define LATCHES                                                                                                     \
  HEAD "planar: true\ngravity: [0, 0, 0]\nbodies:\n"                                                                \
       "  a: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}\n"                \
       "  b: {type: rigid, position: [1, 0, 0], mass: 3, inertia: [1, 1, 1], velocity: [-2, 0, 0]}\n"               \
       "joints: {rail: {type: prismatic, between: [ground, a.center], axis: [1, 0, 0]},\n"                          \
       "  gap: {type: prismatic, between: [a.center, b.center], axis: [1, 0, 0]}}\n"                                \
       "variables: {f: {value: 20*sin(7*t)}, at: {held: 100}}\n"                                                    \
       "forces: {k: {type: spring, between: [a.center, b.center], stiffness: 60, length: 1}, a: {type: force, at: " \
       "a.center, force: [f, 0, 0]},\n  b: {type: force, at: b.center, force: [-f, 0, "                             \
       "0]}}\n"                                                                                                     \
       "events:\n"                                                                                                  \
       "  latch: {when: gap.position + 0.1, lock: gap, set: {at: t}}\n"                                             \
       "  free: {when: t - at - 0.1, direction: rising, release: gap}\noutputs: {gap: {joint: gap}}\n" BY("10")

/* Two cars with a spring and a force f(t) between them, which latch where their distance passes a value and are released
 * a tenth of a second later: their common momentum -5 is kept through all locks to rounding, and each lock takes the
 * energy 1/2 m u^2 of the relative motion, with the reduced mass m = 3/4. */
static void test_bouncing_latch(void **state) {
  (void)state;
  static const char *const by[] = {"radau, tolerance: 1e-8", "hht-i3, alpha: 0, step: 1e-3", "erk, tolerance: 1e-8"};
  for (size_t i = 0; i < SN_COUNT(by); i++) {
    run r;
    double p[6], y[2];
    const sn_event_info *list;
    int count = 0;
    open_by(&r, LATCHES, by[i]);
    sn_simulation *s = r.simulation;
    while (!sn_all_finished(s)) {
      if (sn_step(s)) fail_msg("%s", sn_message(r.context));
      if (s->at_event == 1) read_output(&r, "gap", y, 2);
      if (s->at_event != 2) continue;
      sn_system_momentum(s->audit, &s->state, p);
      assert_below(fabs(p[0] + 5), 1e-11, "%s: momentum at t = %g s", by[i], sn_time(s));
      count = sn_events_list(s, &list);
      if (list[count - 1].event == 0)
        assert_below(fabs(list[count - 1].energy + 0.375 * y[1] * y[1]), 1e-6, "%s: loss at t = %g s", by[i],
                     sn_time(s));
    }
    assert_true(count > 20);
    for (int k = 0; k < count; k++) {
      assert_int_equal(list[k].event, k % 2);
      if (k % 2) assert_below(fabs(list[k].t - list[k - 1].t - 0.1), 3e-8, "%s: released, event %d", by[i], k);
    }
    assert_below(energy_error_of(&r), i == 1 ? 5e-3 : 1e-6, "%s: energy", by[i]); /* hht: 2e3 h^2 */
    close_run(&r);
  }
}

/* A joint that is only released is locked at the start, also in statics, and free falls begin there. */
static void test_release(void **state) {
  (void)state;
  run r;
  double y[2];
  open_by(&r,
          HEAD
          "gravity: [0, -9.81, 0]\nbodies: {box: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [1, 1, 1]}}\n"
          "joints: {rail: {type: prismatic, between: [ground, box.center], axis: [0, 1, 0]}}\n"
          "events: {drop: {when: t - 0.3, release: rail}}\noutputs: {y: {joint: rail}}\n"
          "analysis: [{type: statics}, {type: dynamics, duration: 1, integrator: {type: %s}}]\n",
          "radau, tolerance: 1e-8");
  finish(&r);
  read_output(&r, "y", y, 2);
  assert_below(fabs(y[0] + 9.81 / 2 * 0.7 * 0.7), 1e-7, "fall from the release on");
  close_run(&r);
}

/* Locked twice over: a gear holds one joint by the other. The equations repeat each other, and it still works. */
static void test_redundant_lock(void **state) {
  (void)state;
  run r;
  double y[2];
  open_by(&r,
          HEAD
          "planar: true\ngravity: [0, 0, 0]\nbodies:\n"
          "  a: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 1]}\n"
          "  b: {type: rigid, position: [1, 0, 0], mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, -1]}\n"
          "joints: {ha: {type: revolute, between: [ground, a.center]}, hb: {type: revolute, between: [ground, "
          "b.center]}, gear: {type: gear, joints: [ha, hb], ratio: -1}}\n"
          "events: {stop: {when: t - 0.5, lock: [ha, hb]}, go: {when: t - 0.7, release: [ha, hb]}}\n"
          "outputs: {a: {joint: ha}}\n" BY("1"),
          "hht-i3, tolerance: 1e-7");
  finish(&r);
  read_output(&r, "a", y, 2);
  assert_below(fabs(y[0] - 0.5), 1e-7, "it stays where it was locked");
  assert_non_null(strstr(r.simulation->start.notes, "redundant"));
  close_run(&r);
}

/* ---- relays and friction ---- */

#define THERMOSTAT                                                                                  \
  HEAD "gravity: [0, 0, 0]\nbodies: {m: {type: point-mass, position: [0, 0, 0], mass: 1}}\n"        \
       "variables: {on: {held: 1}, T: {rate: 2*on - T, start: 1}}\noutputs: {T: {expression: T}}\n" \
       "events:\n  off: {when: T - 1.5, direction: rising, set: {on: 0}}\n"                         \
       "  on: {when: T - 0.5, direction: falling, set: {on: 1}}\n" BY("20")

/* Analytic: a relay with hysteresis. From T = 1 to 1.5 in ln 2, then ln 3 down and ln 3 up. */
static void test_relay(void **state) {
  (void)state;
  for (size_t i = 0; i < SN_COUNT(methods); i++) {
    run r;
    const sn_event_info *e;
    open_by(&r, THERMOSTAT, methods[i].method);
    finish(&r);
    const int count = sn_events_list(r.simulation, &e);
    assert_int_equal(count, 1 + (int)((20 - log(2)) / log(3)));
    for (int k = 0; k < count; k++)
      assert_below(fabs(e[k].t - log(2) - k * log(3)), 30 * methods[i].error + 1e-7, "%s: switch %d", methods[i].method,
                   k);
    close_run(&r);
  }
}

/* Analytic: a cart under +-a that switches where x + lead x' leaves +-band ends in a cycle with x = 0 where it switches, at
 * speeds +-a T/2: the time between switches is T = 2 band/(lead a). */
static void test_limit_cycle(void **state) {
  (void)state;
  static const char *const by[] = {"radau", "hht-i3"};
  for (size_t i = 0; i < SN_COUNT(by); i++) {
    run r;
    const sn_event_info *e;
    open_run(&r, "models/relay.yaml", &(sn_options){.integrator = by[i], .tolerance = 1e-7, .until = 60});
    finish(&r);
    const int count = sn_events_list(r.simulation, &e);
    const double a = 1 / 2.0, period = 2 * 0.02 / (0.3 * a);
    assert_true(count > 150);
    assert_below(fabs(e[count - 1].t - e[count - 2].t - period), 1e-6, "%s: limit cycle", by[i]);
    close_run(&r);
  }
}

#define DRY                                                                                                            \
  HEAD "planar: true\ngravity: [0, 0, 0]\n"                                                                            \
       "bodies: {m: {type: rigid, position: [1, 0, 0], mass: 1, inertia: [1, 1, 1]}}\n"                                \
       "joints: {rail: {type: prismatic, between: ['ground.at(1, 0, 0)', m.center], axis: [1, 0, 0]}}\n"               \
       "variables: {d: {held: -1}}\n"                                                                                  \
       "forces: {k: {type: force, at: m.center, force: [-m.center.x*100, 0, 0]}, f: {type: force, at: m.center, "      \
       "force: "                                                                                                       \
       "[-7*d, 0, 0]}}\n"                                                                                              \
       "events:\n  turn: {when: m.center.vx, if: 100*abs(m.center.x) > 7, set: {d: -d}}\n"                             \
       "  stick: {when: m.center.vx, if: 100*abs(m.center.x) <= 7, lock: rail}\noutputs: {x: {point: m.center}}\n" BY( \
           "4")

/* Analytic: m x'' + k x = -F sign(x'), from x = 1 at rest: turns at x = (-1)^n (1 - 2 n F/k) after n pi/w, and stays at
 * the first one with k |x| <= F: n = 7, x = -0.02. */
static void test_dry_friction(void **state) {
  (void)state;
  static const struct {
    const char *method;
    double error;
  } by[] = {{"radau, tolerance: 1e-9", 1e-7},
            {"erk, tolerance: 1e-9", 1e-7},
            {"hht-i3, tolerance: 1e-7", 1e-3},
            {"gssss, step: 1e-3", 1e-4},
            {"symplectic-euler, step: 1e-4", 2e-3}};
  for (size_t i = 0; i < SN_COUNT(by); i++) {
    run r;
    double x[2];
    open_by(&r, DRY, by[i].method);
    finish(&r);
    const sn_event_info *e = events_of(&r, 7);
    for (int k = 0; k < 7; k++)
      assert_below(fabs(e[k].t - (k + 1) * PI / 10), by[i].error, "%s: turn %d", by[i].method, k);
    assert_int_equal(e[6].event, 1);
    read_output(&r, "x", x, 2);
    assert_below(fabs(x[0] + 0.02), by[i].error, "%s: it stays where theory says", by[i].method);
    close_run(&r);
  }
}

/* A Geneva drive by contact: a quarter of a turn for each of the crank, by the formula of the mechanism while the pin is in
 * a slot, and at rest between; within the play of the pin (1e-4 m at 0.03 m) and of the disk (1 degree, where the pin has
 * just left and the weight pulls the wheel back). */
static void test_geneva(void **state) {
  (void)state;
  run r;
  double wheel[2];
  open_run(&r, "models/geneva.yaml", NULL);
  for (int k = 1; k <= 40; k++) {
    const double t = 0.1 * k, turn = floor((t - 1.25) / 2 + 1); /* done */
    const double c = remainder(PI * t + PI, 2 * PI), C = 0.1, a = C / sqrt(2);
    const bool drives = fabs(c) < PI / 4;
    advance(&r, t);
    read_output(&r, "wheel", wheel, 2);
    const double from = drives ? PI / 4 + atan2(a * sin(c), C - a * cos(c)) : 0;
    assert_below(fabs(wheel[0] + turn * PI / 2 + from), drives ? 0.007 : 0.02, "angle of the wheel after %g s", t);
  }
  close_run(&r);
}

/* An escapement keeps its beat for 100 s. Analytic: the wheel, of inertia I, turns by a tooth b under the moment M in
 * sqrt(2 b I/M); the pendulum beats in pi sqrt(J/(m g L/2)) (1 + A^2/16) at the amplitude A, but for its impulses. */
static void test_escapement(void **state) {
  (void)state;
  run r;
  double y[2], A = 0, last = 0, beat = 0;
  int ticks = 0;
  open_run(&r, "models/escapement.yaml", NULL);
  sn_simulation *s = r.simulation;
  while (!sn_all_finished(s)) {
    if (sn_step(s)) fail_msg("%s", sn_message(r.context));
    read_output(&r, "pendulum", y, 2);
    if (sn_time(s) > 50) A = fmax(A, fabs(y[0]));
  }
  const sn_event_info *e;
  const int count = sn_events_list(s, &e);
  for (int k = 0; k < count; k++) {
    if (e[k].event == 2) {
      assert_below(fabs(e[k].t - e[k - 1].t - sqrt(2 * PI / 15 * 2e-4 / 0.015)), 3e-6, "time of tooth %d", k);
      continue;
    }
    const double now = e[k].t - last;
    if (ticks > 60) assert_below(fabs(now - beat), 2e-5 * beat, "beat %d", ticks);
    beat = now, last = e[k].t;
    ticks++;
  }
  const double J = 1.0 / 3 + 0.03 * 0.03 / 12, half = PI * sqrt(J / (9.81 / 2)) * (1 + A * A / 16);
  assert_int_equal(ticks, 120);
  assert_below(fabs(beat - half), 1e-3 * half, "half a period");
  read_output(&r, "wheel", y, 2);
  assert_below(fabs(y[0] - 120 * PI / 15), 1e-6, "angle of the wheel");
  close_run(&r);
}

/* ---- rows, stages, resumed runs ---- */

#define RECORDED                                                                                                       \
  HEAD                                                                                                                 \
      "gravity: [0, -9.81, 0]\nbodies: {box: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [1, 1, 1]}}\n"       \
      "joints: {rail: {type: prismatic, between: [ground, box.center], axis: [0, 1, 0]}}\nvariables: {u: {held: 3}}\n" \
      "events: {catch: {when: rail.position + 0.5, direction: falling, lock: rail, set: {u: u*2}}}\n"                  \
      "outputs: {y: {joint: rail}, u: {expression: u}}\n"                                                              \
      "analysis: {type: dynamics, duration: 1, output_step: 0.25, integrator: {type: radau, tolerance: 1e-8}}\n"

/* Both sides of the jump have rows. Analytic: caught at sqrt(1/g) with the speed sqrt(g) before and 0 after. */
static void test_both_sides(void **state) {
  (void)state;
  char path[64];
  temporary(path, "events");
  record(RECORDED, (sn_options){0}, NULL, path, 0);
  sn_context *context = sn_context_create();
  sn_result *result;
  assert_int_equal(sn_result_open(context, path, &result), SN_OK);
  const sn_series *t = sn_result_time(result), *v = sn_result_series(result, "y.travel_rate"),
                  *u = sn_result_series(result, "u.value");
  const double at = sqrt(1 / 9.81);
  assert_int_equal(t->count, 7); /* 0, 0.25, near, far, 0.5, 0.75, 1 */
  for (int k = 2; k < 4; k++) assert_below(fabs(t->value[k] - at), 3e-9, "time of row %d", k);
  assert_below(fabs(v->value[2] + sqrt(9.81)), 1e-7, "speed before");
  assert_below(fabs(v->value[3]), 1e-12, "speed after");
  assert_below(fabs(u->value[2] - 3), 0, "value before");
  assert_below(fabs(u->value[3] - 6), 0, "value after");
  assert_non_null(strstr(sn_result_about(result)->events, "catch (falling)"));
  assert_string_equal(sn_result_about(result)->trust, "good");
  sn_result_free(result);
  sn_context_free(context);
  unlink(path);
}

/* Snapshots before, at and after events: what follows is the same, bit by bit, with the list of events. */
static void test_snapshots(void **state) {
  (void)state;
  static const char *const models[] = {LATCHES, THERMOSTAT, IN_SPACE};
  for (size_t m = 0; m < SN_COUNT(models); m++)
    for (size_t i = 0; i < SN_COUNT(methods); i += 4)
      for (int steps = 5; steps < 60; steps += 9) {
        run r;
        sn_snapshot *snapshot;
        open_by(&r, models[m], methods[i].method);
        sn_simulation *s = r.simulation;
        for (int k = 0; k < steps && !sn_all_finished(s); k++) assert_int_equal(sn_step(s), SN_OK);
        assert_int_equal(sn_snapshot_take(s, &snapshot), SN_OK);
        double *q = calloc((size_t)s->model->n, sizeof *q);
        const double end = fmin(sn_time(s) + 0.8, s->end);
        assert_int_equal(sn_advance(s, end), SN_OK);
        memcpy(q, s->state.q, (size_t)s->model->n * sizeof *q);
        const double count = sn_events_count(s);
        const sn_event_info *list;
        const int length = sn_events_list(s, &list);
        assert_int_equal(sn_snapshot_restore(s, snapshot), SN_OK);
        assert_int_equal(sn_advance(s, end), SN_OK);
        assert_memory_equal(q, s->state.q, (size_t)s->model->n * sizeof *q);
        assert_true(count == sn_events_count(s));
        assert_int_equal(sn_events_list(s, &list), length);
        free(q);
        sn_snapshot_free(snapshot);
        close_run(&r);
      }
}

/* A run that is cut off between two checkpoints and resumed has the rows and events of one that was not. */
static void test_resumed(void **state) {
  (void)state;
  char whole[64], part[64], text[3000];
  snprintf(text, sizeof text, LATCHES, "radau, tolerance: 1e-7");
  temporary(whole, "whole");
  temporary(part, "part");
  const sn_options options = {.checkpoint = 0.7};
  record(text, options, NULL, whole, 0);
  record(text, options, NULL, part, 100);
  record(text, options, part, part, 70);
  record(text, options, part, part, 0);
  sn_context *context = sn_context_create();
  sn_result *a, *b;
  assert_int_equal(sn_result_open(context, whole, &a), SN_OK);
  assert_int_equal(sn_result_open(context, part, &b), SN_OK);
  assert_int_equal(sn_result_about(a)->statistics.steps, sn_result_about(b)->statistics.steps);
  for (const char *const *name = sn_result_names(a); *name; name++) {
    const sn_series *x = sn_result_series(a, *name), *y = sn_result_series(b, *name);
    assert_int_equal(x->count, y->count);
    assert_memory_equal(x->value, y->value, x->count * sizeof(double));
  }
  assert_string_equal(sn_result_about(a)->events, sn_result_about(b)->events);
  sn_result_free(a);
  sn_result_free(b);
  sn_context_free(context);
  unlink(whole);
  unlink(part);
}

/* The next stage begins at the event, with what the event has changed. */
static void test_next_stage(void **state) {
  (void)state;
  run r;
  double y[2];
  open_by(&r,
          HEAD
          "gravity: [0, -9.81, 0]\nbodies: {ball: {type: point-mass, position: [0, 1, 0], mass: 1}}\n"
          "events: {low: {when: ball.y, direction: falling, next_stage: true}}\noutputs: {p: {point: ball}}\n"
          "analysis:\n  - {type: dynamics, duration: 5, integrator: {type: radau, tolerance: 1e-9}}\n"
          "  - {type: dynamics, duration: 0.5, integrator: {type: %s}}\n",
          "radau, tolerance: 1e-9");
  finish(&r);
  const double end = sqrt(2 / 9.81) + 0.5;
  assert_int_equal(r.simulation->stage, 1);
  assert_below(fabs(sn_time(r.simulation) - end), 2e-8, "end");
  read_output(&r, "p", y, 2);
  assert_below(fabs(y[1] - 1 + 9.81 / 2 * end * end), 2e-7, "place");
  close_run(&r);
}

/* Ever shorter rebounds end with a message, not never. */
static void test_endless(void **state) {
  (void)state;
  run r;
  open_by(&r,
          HEAD
          "gravity: [0, 0, 0]\nbodies: {m: {type: point-mass, position: [0, 0, 0], mass: 1}}\n"
          "variables: {v: {rate: -9.81, start: 0}, h: {rate: v, start: 1}}\n"
          "events: {bounce: {when: h, direction: falling, set: {v: -0.5*v}}}\n" BY("10"),
          "radau, tolerance: 1e-6");
  assert_int_equal(sn_run(r.simulation), SN_NUMERICS);
  assert_non_null(strstr(sn_message(r.context), "event 'bounce' happens again and again"));
  /* analytic: sqrt(2/g) (1 + 2 (1/2 + 1/4 + ...)) */
  assert_below(fabs(sn_time(r.simulation) - 3 * sqrt(2 / 9.81)), 1e-4, "where it ends");
  close_run(&r);
}

/* A program that sets the state on the other side of zero has not caused the event. */
static void test_set_state(void **state) {
  (void)state;
  run r;
  char text[3000];
  snprintf(text, sizeof text, FALL, "radau");
  open_run(&r, text, NULL);
  advance(&r, 0.1);
  const double q[3] = {0, 0, -1};
  assert_int_equal(sn_set_state(r.simulation, q, NULL), SN_OK);
  advance(&r, 0.5);
  events_of(&r, 0);
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lock_holds),
      cmocka_unit_test(test_fall),
      cmocka_unit_test(test_pendulum),
      cmocka_unit_test(test_directions),
      cmocka_unit_test(test_chain),
      cmocka_unit_test(test_rotors),
      cmocka_unit_test(test_momentum_in_space),
      cmocka_unit_test(test_bouncing_latch),
      cmocka_unit_test(test_release),
      cmocka_unit_test(test_redundant_lock),
      cmocka_unit_test(test_relay),
      cmocka_unit_test(test_dry_friction),
      cmocka_unit_test(test_both_sides),
      cmocka_unit_test(test_snapshots),
      cmocka_unit_test(test_resumed),
      cmocka_unit_test(test_next_stage),
      cmocka_unit_test(test_endless),
      cmocka_unit_test(test_set_state),
      cmocka_unit_test(test_limit_cycle),
      cmocka_unit_test(test_escapement),
      cmocka_unit_test(test_geneva),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
