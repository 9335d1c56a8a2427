// Written once for all robots: a robot that swings freely, and where its joints have been.
#ifndef SWING_HPP_
#define SWING_HPP_

#include <algorithm>
#include <cmath>

/// What became of a robot that was let go.
///
/// \tparam Robot the Traits of a generated robot
template <typename Robot>
struct Swing
{
  using JointVector = typename Robot::JointVector;

  JointVector q;
  JointVector qd = JointVector::Zero();
  /// How far each joint went from where it was let go [rad or m].
  typename Robot::template JointMap<double> reach{};
  /// Largest change of the energy, which no force of ours changes [J].
  double drift = 0.0;
};

/// Lets a robot go, at rest at q, and follows its motion by Runge's and Kutta's method.
template <typename Robot>
Swing<Robot> swing(const typename Robot::JointVector & start, double seconds, double step)
{
  using JointVector = typename Robot::JointVector;
  const JointVector free = JointVector::Zero();
  const auto acceleration = [&](const JointVector & q, const JointVector & qd)
  { return JointVector(Robot::forward_dynamics(q, qd, free)); };
  const auto energy = [](const Swing<Robot> & now)
  { return Robot::kinetic_energy(now.q, now.qd) + Robot::potential_energy(now.q); };

  Swing<Robot> now{start};
  const double before = energy(now);
  for (int i = 0; i * step < seconds; ++i)
  {
    const JointVector v1 = now.qd;
    const JointVector a1 = acceleration(now.q, v1);
    const JointVector v2 = now.qd + step / 2 * a1;
    const JointVector a2 = acceleration(now.q + step / 2 * v1, v2);
    const JointVector v3 = now.qd + step / 2 * a2;
    const JointVector a3 = acceleration(now.q + step / 2 * v2, v3);
    const JointVector v4 = now.qd + step * a3;
    const JointVector a4 = acceleration(now.q + step * v3, v4);
    now.q += step / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    now.qd += step / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    now.drift = std::max(now.drift, std::abs(energy(now) - before));
    for (auto [joint, name, value] : now.reach)
    {
      const int k = static_cast<int>(joint);
      value = std::max(value, std::abs(now.q(k) - start(k)));
    }
  }
  return now;
}

#endif  // SWING_HPP_
