// Gaits as `robcogen gait` writes them: tables in files, .csv.
#ifndef ROBCOGEN_ROS__CONTROL__GAIT_FILE_HPP_
#define ROBCOGEN_ROS__CONTROL__GAIT_FILE_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "robcogen_ros/control/foot_name.hpp"
#include "robcogen_ros/control/number_table.hpp"
#include "robcogen_ros/legged/found_gait.hpp"
#include "robcogen_ros/legged/moved_feet.hpp"

namespace robcogen_ros::control
{

/// Reads a gait of a robot; joints that the file does not name have a posture.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base
template <typename Robot>
class GaitFile
{
  using Gait = legged::FoundGait<Robot>;
  using Instant = typename Gait::Instant;
  using JointVector = typename Robot::JointVector;

public:
  /// \throws std::invalid_argument that tells file and line, and what is wrong there
  static std::shared_ptr<const Gait> read(const std::string & path, const Robot & robot = Robot())
  {
    return std::make_shared<const Gait>(GaitFile(path, robot).gait());
  }

private:
  GaitFile(const std::string & path, const Robot & robot) : robot_(robot), table_(path) {}

  Gait gait() const
  {
    if (table_.rows.size() < 2)
    {
      table_.fail("expected at least two instants");
    }
    check_names();
    std::vector<Instant> instants;
    for (std::size_t row = 0; row < table_.rows.size(); ++row)
    {
      instants.push_back(instant(row));
      const double before = row > 0 ? instants[row - 1].time : 0.0;
      if (row > 0 ? instants[row].time < before : std::abs(instants[row].time) > 1e-9)
      {
        table_.fail("expected times that begin at zero and do not go back", row + 1);
      }
    }
    Gait result(instants, footfalls(), normal());
    result.moves.resize(robot_.joint_count);
    for (int joint = 0; joint < robot_.joint_count; ++joint)
    {
      result.moves(joint) = moves(joint);
    }
    check_feet(result);
    check_motion(instants);
    check_forces(instants);
    return result;
  }

  /// Refuses joints far beyond their limits, and joints and trunks that do not move as their
  /// velocities and accelerations say, by a fifth of the greatest: one number is wrong, or a unit.
  void check_motion(const std::vector<Instant> & all) const
  {
    const char * const changed = "was a number changed, or a unit?";
    constexpr double rounded = 1e-3;  // what numbers of three decimals may be off [rad or m]
    const auto check = [this, &all, changed](
                         const std::string & what, double low, double high, auto position,
                         auto velocity, auto acceleration)
    {
      double fastest = 0.0, hardest = 0.0;
      for (const Instant & now : all)
      {
        fastest = std::max(fastest, std::abs(velocity(now)));
        hardest = std::max(hardest, std::abs(acceleration(now)));
      }
      for (std::size_t row = 0; row < all.size(); ++row)
      {
        const Instant &now = all[row], &last = all[row > 0 ? row - 1 : 0];
        const double beyond = std::max(low - position(now), position(now) - high);
        if (beyond > 0.1 * (high - low) + 0.01)
        {
          table_.fail(what + " is far beyond its limits: the gait is of another robot", row + 1);
        }
        const double step = now.time - last.time, way = position(now) - position(last);
        const double told = step * (0.5 * (velocity(now) + velocity(last)) +
                                    step / 12.0 * (acceleration(last) - acceleration(now)));
        if (!(std::abs(way - told) <= 0.2 * fastest * step + rounded))
        {
          table_.fail(what + " does not move as its velocities say: " + changed, row + 1);
        }
        const double gained = velocity(now) - velocity(last);
        const double excess = gained - 0.5 * step * (acceleration(now) + acceleration(last));
        const bool hits = step < 1e-6;  // the ground, which changes velocities at once
        if (!hits && !(std::abs(excess) <= 0.2 * hardest * step + rounded))
        {
          table_.fail(what + " does not gain speed as its accelerations say: " + changed, row + 1);
        }
      }
    };
    for (int i = 0; i < robot_.joint_count; ++i)
    {
      check(
        "joint '" + std::string(robot_.joint_names[i]) + "'",
        moves(i) ? robot_.lower_limits[i] : -INFINITY, moves(i) ? robot_.upper_limits[i] : INFINITY,
        [i](const Instant & now) { return now.q(i); }, [i](const Instant & now)
        { return now.qd(i); }, [i](const Instant & now) { return now.qdd(i); });
    }
    for (int i = 0; i < 3; ++i)
    {
      check(
        "the trunk", -INFINITY, INFINITY,
        [i](const Instant & now) { return now.trunk.position(i); },
        [i](const Instant & now) { return now.trunk.linear_velocity(i); },
        [i](const Instant & now) { return now.trunk.linear_acceleration(i); });
    }
  }

  /// Refuses feet that stand while the ground pulls at them, or bears nothing of the robot.
  void check_forces(const std::vector<Instant> & all) const
  {
    double greatest = 0.0;
    for (const Instant & now : all)
    {
      greatest = std::max(greatest, now.forces.row(2).maxCoeff());
    }
    for (int foot = 0; foot < robot_.contact_count; ++foot)
    {
      const std::string name = "foot '" + foot_name(robot_.contact_names[foot]) + "'";
      double borne = 0.0;
      for (std::size_t row = 0; row < all.size(); ++row)
      {
        const Instant &now = all[row], &last = all[row > 0 ? row - 1 : 0];
        const double force = now.forces(2, foot), before = last.forces(2, foot);
        borne += 0.5 * (now.time - last.time) * (force + before);
        const double stance = value(row, prefix_of(foot) + ".stance");
        if (stance != 0.0 && stance != 1.0)
        {
          table_.fail(name + ": expected a stance of 0 or 1", row + 1);
        }
        if (stance == 1.0 && force < -0.01 * greatest)
        {
          table_.fail(
            name + " stands, but is pulled down by " + std::to_string(-force) +
              " N: expected forces of the ground on the robot",
            row + 1);
        }
      }
      if (!(borne > 1e-3 * greatest * all.back().time))
      {
        table_.fail(name + " stands, but has no force of the ground on the robot");
      }
    }
  }

  /// Refuses joints and feet that the robot does not have.
  void check_names() const
  {
    const auto known = [](const std::string & name, int count, const auto & named)
    {
      bool result = false;
      for (int i = 0; i < count; ++i)
      {
        result = result || named(i) == name;
      }
      return result;
    };
    const auto joint_named = [this](int i) { return std::string_view(robot_.joint_names[i]); };
    const auto foot_named = [this](int i) { return foot_name(robot_.contact_names[i]); };
    for (const std::string & column : table_.names)
    {
      const std::string joint = before(column, ".position") + before(column, ".effort");
      const std::string foot = before(column, ".stance");
      if (!joint.empty() && !known(joint, robot_.joint_count, joint_named))
      {
        table_.fail("the robot has no joint '" + joint + "': the gait is of another robot");
      }
      const std::string frame = foot_name(foot);
      if (!foot.empty() && !known(frame, robot_.contact_count, foot_named))
      {
        table_.fail("the robot has no foot '" + frame + "': the gait is of another robot");
      }
    }
  }

  /// A text without its ending; empty if it has another one.
  static std::string before(const std::string & text, std::string_view ending)
  {
    const std::size_t size = std::max(text.size(), ending.size()) - ending.size();
    return text.compare(size, std::string::npos, ending) == 0 ? text.substr(0, size) : "";
  }

  /// Name of a foot in the file: with its rows, or without.
  std::string prefix_of(int foot) const
  {
    const std::string whole = robot_.contact_names[foot];
    return table_.has(whole + ".stance") ? whole : foot_name(whole);
  }

  double value(std::size_t row, const std::string & name) const
  {
    return table_.rows[row][table_.column(name)];
  }
  Eigen::Vector3d vector(std::size_t row, const std::string & name) const
  {
    return {value(row, name + ".x"), value(row, name + ".y"), value(row, name + ".z")};
  }

  bool moves(int joint) const
  {
    const std::string name = robot_.joint_names[joint];
    return table_.has(name + ".position") || table_.has(name + ".effort");
  }

  Instant instant(std::size_t row) const
  {
    Instant result;
    result.time = value(row, "time");
    whole_body::Motion & trunk = result.trunk;
    trunk.position << value(row, "x"), value(row, "y"), value(row, "z");
    trunk.orientation = Eigen::AngleAxisd(value(row, "yaw"), Eigen::Vector3d::UnitZ()) *
                        Eigen::AngleAxisd(value(row, "pitch"), Eigen::Vector3d::UnitY()) *
                        Eigen::AngleAxisd(value(row, "roll"), Eigen::Vector3d::UnitX());
    const Eigen::Vector3d w = vector(row, "angular_velocity"), v = vector(row, "linear_velocity");
    trunk.angular_velocity = trunk.orientation * w;
    trunk.linear_velocity = trunk.orientation * v;
    trunk.angular_acceleration = trunk.orientation * vector(row, "angular_acceleration");
    trunk.linear_acceleration =
      trunk.orientation * (vector(row, "linear_acceleration") + w.cross(v));
    result.q = result.qd = result.qdd = result.tau = JointVector::Zero(robot_.joint_count);
    for (int joint = 0; joint < robot_.joint_count; ++joint)
    {
      const std::string name = robot_.joint_names[joint];
      if (moves(joint))
      {
        result.q(joint) = value(row, name + ".position");
        result.qd(joint) = value(row, name + ".velocity");
        result.qdd(joint) = value(row, name + ".acceleration");
        result.tau(joint) = value(row, name + ".effort");
      }
    }
    result.forces.setZero();
    for (int foot = 0; foot < robot_.contact_count; ++foot)
    {
      result.forces.col(foot) = vector(row, prefix_of(foot) + ".force");
    }
    return result;
  }

  /// Normal of the ground, up in files that do not tell it.
  Eigen::Vector3d normal() const
  {
    const bool told = table_.has("ground_normal.x");
    const Eigen::Vector3d result = told ? vector(0, "ground_normal") : Eigen::Vector3d::UnitZ();
    if (!(result.z() > 1e-6))
    {
      table_.fail("expected a ground_normal that points upwards");
    }
    for (std::size_t row = 0; told && row < table_.rows.size(); ++row)
    {
      if (!((vector(row, "ground_normal") - result).norm() < 1e-2))
      {
        table_.fail("expected the same ground_normal in all rows", row + 1);
      }
    }
    return result.normalized();
  }

  /// Shares of a stride at which feet land and lift off, of what the rows say.
  legged::Footfalls<Gait::feet> footfalls() const
  {
    legged::Footfalls<Gait::feet> result;
    result.period = value(table_.rows.size() - 1, "time");
    if (!(result.period > 0.0))
    {
      table_.fail("expected a stride that takes time");
    }
    for (int foot = 0; foot < robot_.contact_count; ++foot)
    {
      const std::string name = prefix_of(foot);
      const std::vector<double> land = changes(name, true), lift = changes(name, false);
      const bool stays = land.empty() && lift.empty() && value(0, name + ".stance") >= 0.5;
      if (!stays && (land.size() != 1 || lift.size() != 1))
      {
        table_.fail("foot '" + name + "' is to swing once in a stride, or to stand");
      }
      if (!stays)
      {
        result.phases[foot] = land[0] - std::floor(land[0]);
      }
      result.duties[foot] = stays ? 1.0 : lift[0] - land[0] + (lift[0] < land[0] ? 1.0 : 0.0);
    }
    return result;
  }

  /// Shares of the stride at which a foot begins to stand, or to swing.
  std::vector<double> changes(const std::string & foot, bool stands) const
  {
    std::vector<double> result;
    const std::size_t count = table_.rows.size();
    const double period = value(count - 1, "time");
    for (std::size_t row = 0; row < count; ++row)
    {
      const bool before = value(row > 0 ? row - 1 : count - 1, foot + ".stance") >= 0.5;
      const bool now = value(row, foot + ".stance") >= 0.5;
      if (before != now && now == stands)
      {
        result.push_back(value(row, "time") / period);
      }
    }
    return result;
  }

  /// Refuses a gait whose feet do not stay where they stand, for it is another robot's, and one
  /// whose feet stand on steps.
  void check_feet(const Gait & gait) const
  {
    constexpr int samples = 64;
    const double most = 0.03 * gait.height, period = gait.footfalls.period;
    const auto climbs = [this, &gait](double above, const std::string & what)
    {
      if (!(std::abs(above) < 0.01 * gait.height))
      {
        table_.fail(
          what + " " + std::to_string(above) +
          " m above the ground, by ground_normal: one of these columns is wrong, or the gait is on "
          "steps, or of another robot");
      }
    };
    const Eigen::Vector3d start = gait.at(0.0).trunk.position;
    climbs(gait.normal.dot(gait.at(period).trunk.position - start), "a stride ends");
    const double land = gait.footfalls.phases[0] * period;
    const double ground = gait.normal.dot(place(gait.at(land + 1e-6), 0));
    if (!(ground > -0.02 * gait.height && ground < 0.2 * gait.height))
    {
      table_.fail(
        "feet stand " + std::to_string(ground) +
        " m above the ground, the plane through the origin: expected about 0, or the radius of "
        "feet and the height of soles below their frames");
    }
    for (int foot = 0; foot < robot_.contact_count; ++foot)
    {
      Eigen::Vector3d stood = Eigen::Vector3d::Zero();
      bool before = false;
      for (int i = 0; i < samples; ++i)
      {
        const double begin = gait.footfalls.phases[foot] * period;
        const double time = begin + 1e-6 + i * (period - 2e-6) / samples;
        const bool stands = gait.stands(foot, time);
        const Eigen::Vector3d now = place(gait.at(time), foot);
        stood = before ? stood : now;
        if (stands && before && !((now - stood).norm() < most))
        {
          table_.fail(
            "foot '" + foot_name(robot_.contact_names[foot]) + "' moves by " +
            std::to_string((now - stood).norm()) +
            " m while it stands: the gait is of another robot, or its numbers are rounded");
        }
        if (stands)
        {
          climbs(
            gait.normal.dot(now) - ground,
            "foot '" + foot_name(robot_.contact_names[foot]) + "' stands, by its column stance,");
        }
        before = stands;
      }
    }
  }

  Eigen::Vector3d place(const legged::Moment<Robot> & now, int foot) const
  {
    const whole_body::Motion & trunk = now.trunk;
    return legged::MovedFeet<Robot>(robot_).places(trunk.position, trunk.orientation, now.q)[foot];
  }

  const Robot robot_;
  const NumberTable table_;
};

}  // namespace robcogen_ros::control

#endif  // ROBCOGEN_ROS__CONTROL__GAIT_FILE_HPP_
