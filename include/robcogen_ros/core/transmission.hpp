// Motors and joints of a robot whose links close loops: positions, velocities, efforts, both ways.
#ifndef ROBCOGEN_ROS__CORE__TRANSMISSION_HPP_
#define ROBCOGEN_ROS__CORE__TRANSMISSION_HPP_

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "robcogen_ros/core/joint_set.hpp"
#include "robcogen_ros/core/runtime_model.hpp"

namespace robcogen_ros::core
{

/// Two sets of as many joints of a robot, each of which determines the other: motors, and joints
/// that are controlled, such as pitch and roll of an ankle. Joints that are in both go through.
///
/// Where the robot is, it learns from the positions of either set; velocities and efforts are those
/// at that place. Power is the same on both sides. Positions of the set that the robot has for its
/// coordinates are taken as they are; others are led to by Newton's method from where it was last,
/// one or two steps a call, at most 30. Positions that would lead past a dead centre, where loops
/// close in another way, are not taken. All functions but the constructor allocate nothing, lock
/// nothing and throw nothing.
class Transmission
{
public:
  using Vector = RuntimeModel::JointVector;
  using Matrix = Eigen::Matrix<
    double, Eigen::Dynamic, Eigen::Dynamic, 0, RuntimeModel::most_joints,
    RuntimeModel::most_joints>;

  /// \param model with the functions `joint_positions` and `coordinate_jacobian`
  /// \param motors names of the joints that motors move
  /// \param joints names of the joints that are controlled, as many
  /// \param gears how far each motor turns as its joint moves by one; none: all 1
  /// \throws std::invalid_argument that says what is wrong
  Transmission(
    const robcogen_model * model, const std::vector<std::string> & motors,
    const std::vector<std::string> & joints, const std::vector<double> & gears = {})
  : robot_(checked(model)),
    motors_(*model, motors, gears),
    joints_(*model, joints),
    q_(start()),
    moved_(q_)
  {
    if (motors.size() != joints.size())
    {
      throw std::invalid_argument(
        "a transmission needs as many joints as motors, and has " + std::to_string(joints.size()) +
        " and " + std::to_string(motors.size()));
    }
    find_coordinates();
    if (motors.size() != coordinates_.size() || !look(q_))
    {
      throw std::invalid_argument(
        "motors (" + JointSet::listed(motors) + ") and joints (" + JointSet::listed(joints) +
        ") of a transmission do not determine each other: " + std::to_string(motors.size()) +
        " of each, and they move with " + std::to_string(coordinates_.size()) + " coordinates");
    }
  }

  int size() const noexcept { return static_cast<int>(coordinates_.size()); }

  /// Learns from positions of the motors, beyond gears, where the robot is [rad or m]; false, and
  /// it stays where it was, if no loops close so.
  bool at_motors(const Vector & positions) noexcept { return lead(motors_, positions); }
  /// Learns from positions of the joints where the robot is; the same.
  bool at_joints(const Vector & positions) noexcept { return lead(joints_, positions); }

  /// Positions of motors, where the robot is [rad or m].
  Vector motor_positions() const noexcept { return motors_.positions(found_positions(q_)); }
  /// Positions of joints.
  Vector joint_positions() const noexcept { return joints_.positions(found_positions(q_)); }

  /// Velocities of joints, from those of motors.
  Vector joint_velocities(const Vector & motors) const noexcept
  {
    return of_joints_ * motor_factors_.solve(motors);
  }
  Vector motor_velocities(const Vector & joints) const noexcept
  {
    return of_motors_ * joint_factors_.solve(joints);
  }
  /// Efforts along joints, from those of motors.
  Vector joint_efforts(const Vector & motors) const noexcept
  {
    return joint_factors_.transpose().solve(of_motors_.transpose() * motors);
  }
  Vector motor_efforts(const Vector & joints) const noexcept
  {
    return motor_factors_.transpose().solve(of_joints_.transpose() * joints);
  }

  /// Efforts of motors for those along joints, all scaled by one factor so that none is beyond its
  /// limit: the direction stays.
  Vector limited_motor_efforts(const Vector & joints, const Vector & limits) const noexcept
  {
    const Vector efforts = motor_efforts(joints);
    double share = 1.0;
    for (int i = 0; i < size(); ++i)
    {
      share = std::abs(efforts[i]) * share > limits[i] ? limits[i] / std::abs(efforts[i]) : share;
    }
    return share * efforts;
  }

  /// Greatest effort along each joint while the others have none, by limits of motors.
  Vector joint_effort_limits(const Vector & motors) const noexcept
  {
    return alone(motors, [this](const Vector & unit) { return motor_efforts(unit); });
  }
  /// Greatest speed of each joint while the others rest, by limits of motors.
  Vector joint_velocity_limits(const Vector & motors) const noexcept
  {
    return alone(motors, [this](const Vector & unit) { return motor_velocities(unit); });
  }

  /// Inertia of the motors' rotors as joints feel it, of rotors beyond gears [kg m^2 or kg].
  Matrix reflected_inertia(const Vector & rotors) const noexcept
  {
    const Matrix rates = of_motors_ * joint_factors_.inverse();
    return rates.transpose() * rotors.asDiagonal() * rates;
  }

private:
  static constexpr int most_steps = 30;
  static constexpr double longest = 0.5;   ///< step [rad or m]
  static constexpr double closed = 1e-10;  ///< largest difference that is none [rad or m]

  static RuntimeModel checked(const robcogen_model * model)
  {
    if (
      model->size <
      offsetof(robcogen_model, moving_joint_names) + sizeof(model->moving_joint_names))
    {
      throw std::invalid_argument("the robot was generated before transmissions; do it again");
    }
    try
    {
      return RuntimeModel(model, {"joint_positions", "coordinate_jacobian"});
    }
    catch (const std::invalid_argument & error)
    {
      throw std::invalid_argument(
        std::string("robot '") + model->name +
        "': a transmission needs the functions joint_positions and coordinate_jacobian (" +
        error.what() + ")");
    }
  }

  RuntimeModel::Vector found_positions(const Vector & q) const noexcept
  {
    return robot_.joint_positions(q);
  }

  /// A position where loops are closed: zero, or another within the limits.
  Vector start() const
  {
    constexpr int trials = 2000;
    Vector q(robot_.joint_count);
    for (int trial = 0; trial < trials; ++trial)
    {
      for (int i = 0; i < robot_.joint_count; ++i)
      {
        const double low = std::max(robot_.lower_limits[i], -pi);
        const double high = std::min(robot_.upper_limits[i], pi);
        // Fractions of multiples of the golden ratio fill the range evenly.
        const double share = std::fmod(0.6180339887498949 * (trial * (i + 1)) + 0.5, 1.0);
        q[i] = trial == 0 ? std::clamp(0.0, low, high) : low + share * (high - low);
      }
      if (found_positions(q).allFinite())
      {
        return q;
      }
    }
    throw std::invalid_argument("no position was found where the loops of the robot are closed");
  }

  /// Finds the coordinates that the joints move with.
  void find_coordinates()
  {
    const RuntimeModel::Matrix G = robot_.coordinate_jacobian(q_);
    for (int k = 0; k < robot_.joint_count; ++k)
    {
      double most = 0.0;
      for (const JointSet * const each : {&motors_, &joints_})
      {
        for (const int row : each->rows)
        {
          most = std::max(most, std::abs(G(row, k)));
        }
      }
      if (most > 1e-9)
      {
        coordinates_.push_back(k);
      }
    }
  }

  Matrix rates(const JointSet & of, const RuntimeModel::Matrix & G) const noexcept
  {
    Matrix found(of.rows.size(), coordinates_.size());
    for (int i = 0; i < found.rows(); ++i)
    {
      for (int k = 0; k < found.cols(); ++k)
      {
        const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(k);
        found(i, k) = of.gears[row] * G(of.rows[row], coordinates_[column]);
      }
    }
    return found;
  }

  /// Takes over a place; false if motors or joints do not determine it.
  bool look(const Vector & q) noexcept
  {
    const RuntimeModel::Matrix G = robot_.coordinate_jacobian(q);
    const Matrix of_motors = rates(motors_, G), of_joints = rates(joints_, G);
    if (!of_motors.allFinite() || !of_joints.allFinite())
    {
      return false;
    }
    const Factors motor_factors(of_motors), joint_factors(of_joints);
    constexpr double singular = 1e-9;
    if (motor_factors.rcond() < singular || joint_factors.rcond() < singular)
    {
      return false;
    }
    const bool turned = std::signbit(motor_factors.determinant() * joint_factors.determinant());
    if (looked_ && turned != turned_)
    {
      return false;
    }
    looked_ = true;
    turned_ = turned;
    q_ = q;
    of_motors_ = of_motors;
    of_joints_ = of_joints;
    motor_factors_ = motor_factors;
    joint_factors_ = joint_factors;
    return true;
  }

  bool lead(const JointSet & from, const Vector & positions) noexcept
  {
    if (positions.size() != size() || !positions.allFinite())
    {
      return false;
    }
    moved_ = q_;
    if (from.is_coordinates())
    {
      for (int i = 0; i < size(); ++i)
      {
        const auto k = static_cast<std::size_t>(i);
        moved_[from.coordinates[k]] = positions[i] / from.gears[k];
      }
      return found_positions(moved_).allFinite() && look(moved_);
    }
    return newton(from, positions) && look(moved_);
  }

  /// Steps of Newton's method; shorter ones where loops do not close at their ends.
  bool newton(const JointSet & from, const Vector & wanted) noexcept
  {
    Vector left = difference(from, wanted, moved_);
    double size_left = largest(left);
    for (int step = 0; step < most_steps && size_left > 0.0; ++step)
    {
      const Matrix G = rates(from, robot_.coordinate_jacobian(moved_));
      Vector change = G.partialPivLu().solve(left);
      const double length = largest(change);
      if (!std::isfinite(length) || length < 1e-16)
      {
        break;
      }
      change *= std::min(1.0, longest / length);
      const Vector begin = moved_;
      double rest = std::numeric_limits<double>::infinity();
      for (int halving = 0; halving < 8 && !(rest < size_left); ++halving, change *= 0.5)
      {
        moved_ = begin;
        for (int k = 0; k < size(); ++k)
        {
          moved_[coordinates_[static_cast<std::size_t>(k)]] += change[k];
        }
        left = difference(from, wanted, moved_);
        rest = largest(left);
      }
      if (!(rest < size_left))
      {
        moved_ = begin;
        break;
      }
      size_left = rest;
    }
    return size_left < closed;
  }

  /// Returns what is left to wanted positions; not finite where loops do not close.
  Vector difference(const JointSet & of, const Vector & wanted, const Vector & q) const noexcept
  {
    return wanted - of.positions(found_positions(q));
  }

  static double largest(const Vector & values) noexcept
  {
    return values.allFinite() ? values.lpNorm<Eigen::Infinity>()
                              : std::numeric_limits<double>::infinity();
  }

  template <typename Map>
  Vector alone(const Vector & limits, const Map & map) const noexcept
  {
    Vector found(size());
    for (int k = 0; k < size(); ++k)
    {
      const Vector each = map(Vector::Unit(size(), k)).cwiseAbs();
      double most = std::numeric_limits<double>::infinity();
      for (int i = 0; i < size(); ++i)
      {
        most = each[i] > 0.0 ? std::min(most, limits[i] / each[i]) : most;
      }
      found[k] = most;
    }
    return found;
  }

  using Factors = Eigen::PartialPivLU<Matrix>;
  static constexpr double pi = 3.14159265358979323846;

  const RuntimeModel robot_;
  const JointSet motors_, joints_;
  std::vector<int> coordinates_;
  Vector q_, moved_;
  Matrix of_motors_, of_joints_;
  Factors motor_factors_, joint_factors_;
  bool looked_ = false, turned_ = false;  ///< whether the joints' determinants differ in sign
};

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__TRANSMISSION_HPP_
