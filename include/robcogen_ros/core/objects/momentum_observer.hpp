/// \file
/// The C interface of an observer of external forces.
#ifndef ROBCOGEN_ROS__CORE__OBJECTS__MOMENTUM_OBSERVER_HPP_
#define ROBCOGEN_ROS__CORE__OBJECTS__MOMENTUM_OBSERVER_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <iterator>

#include "robcogen_ros/core/needed.hpp"
#include "robcogen_ros/core/object.hpp"
#include "robcogen_ros/observer/momentum_observer.hpp"

namespace robcogen_ros::core
{

/// Returns the names of faults; after two come observer::setting_problems.
constexpr auto observer_faults() noexcept
{
  std::array<const char *, 2 + std::size(observer::setting_problems)> result{
    "none", "a measurement is not finite, gravity is missing or the step is not positive"};
  for (std::size_t i = 2; i < result.size(); ++i)
  {
    result[i] = observer::setting_problems[i - 2];
  }
  return result;
}

/// `observer::MomentumObserver` on pointers to numbers.
class MomentumObserver
{
  using Robot = RuntimeModel;
  static constexpr std::size_t joints = ROBCOGEN_JOINTS, contacts = ROBCOGEN_CONTACTS;
  static constexpr std::size_t freedoms = ROBCOGEN_FREEDOMS, rows = ROBCOGEN_CONTACT_ROWS;

public:
  static constexpr const char * name = "momentum_observer";
  static constexpr auto faults = observer_faults();
  static constexpr robcogen_argument settings[] = {
    {"gain", 1, 0, 1},
    {"damping", joints, 0, 1},
    {"joint_friction", joints, 0, 1},
    {"sliding", 1, 0, 1},
    {"friction_tolerance", 1, 0, 1},
    {"joint_threshold", joints, 0, 1},
    {"base_force_threshold", 1, 0, 1},
    {"base_moment_threshold", 1, 0, 1},
    {"contact_threshold", 1, 0, 1},
    {"release", 1, 0, 1},
    {"base_is_free", 1, 0, 1},
    {"contact_damping", 1, 0, 1},
    {"parameters", ROBCOGEN_PARAMETERS, 0, 1},
  };
  static constexpr robcogen_argument measured[] = {
    {"q", joints, 0, 0}, {"qd", joints, 0, 0},       {"tau", joints, 0, 0},
    {"step", 1, 0, 0},   {"base_velocity", 6, 0, 1}, {"gravity", 3, 0, 1},
  };
  static constexpr robcogen_argument results[] = {
    {"external", freedoms, 0, 0},  {"contact_forces", rows, 0, 0},
    {"remainder", freedoms, 0, 0}, {"external_band", freedoms, 0, 0},
    {"contact_band", rows, 0, 0},  {"remainder_band", freedoms, 0, 0},
    {"closed", contacts, 0, 0},    {"disturbed", joints, 0, 0},
    {"pushed", 1, 0, 0},
  };

  MomentumObserver(const robcogen_model * model, const double * const * given)
  : observer_(settings_of(model, given)), nothing_(observer_.settings().robot)
  {
  }

  /// Returns the number of what is wrong with the settings; 0 if nothing is.
  int32_t check(const double * const *, double * const *) noexcept
  {
    const int problem = observer_.settings().problem();
    return problem < 0 ? 0 : 2 + problem;
  }

  int32_t update(const double * const * in, double * const * out) noexcept
  {
    observer::Measurement<Robot> now = nothing_;
    take(in[0], now.q);
    take(in[1], now.qd);
    take(in[2], now.tau);
    take(in[4], now.base_velocity);
    if (in[5] != nullptr)
    {
      now.gravity = Eigen::Map<const Eigen::Vector3d>(in[5]);
    }
    const bool used = observer_.update(now, *in[3]);
    tell(out);
    return used ? 0 : 1;
  }

  static constexpr robcogen_argument nothing[] = {{"unused", 1, 0, 1}};
  static constexpr robcogen_method methods[] = {
    method("update", measured, results, Object<MomentumObserver>::call<&MomentumObserver::update>),
    method("check", nothing, nothing, Object<MomentumObserver>::call<&MomentumObserver::check>),
  };

private:
  static observer::Settings<Robot> settings_of(
    const robcogen_model * model, const double * const * given)
  {
    const Robot robot(model, model->contact_count > 0 ? for_observer_of_contacts : for_observer);
    observer::Settings<Robot> result(parameters::ExternalForceBroadcaster(), robot);
    const auto of = [given](const char * name) { return setting(settings, given, name); };
    take(of("gain"), result.gain);
    take(of("damping"), result.damping);
    take(of("joint_friction"), result.friction);
    take(of("sliding"), result.sliding);
    take(of("friction_tolerance"), result.friction_tolerance);
    take(of("joint_threshold"), result.joint_threshold);
    take(of("base_force_threshold"), result.base_force_threshold);
    take(of("base_moment_threshold"), result.base_moment_threshold);
    take(of("contact_threshold"), result.contact_threshold);
    take(of("release"), result.release);
    take(of("base_is_free"), result.base_is_free);
    take(of("contact_damping"), result.contact_damping);
    result.robot.take_parameters(of("parameters"));
    return result;
  }

  void tell(double * const * out) const noexcept
  {
    const observer::Estimate<Robot> & now = observer_.estimate();
    hand(now.external, out[0]);
    hand(now.contact_forces, out[1]);
    hand(now.remainder, out[2]);
    hand(now.external_band, out[3]);
    hand(now.contact_band, out[4]);
    hand(now.remainder_band, out[5]);
    const Robot & robot = observer_.settings().robot;
    std::copy_n(now.closed.begin(), robot.contact_count, out[6]);
    std::copy_n(now.disturbed.begin(), robot.joint_count, out[7]);
    *out[8] = now.pushed ? 1.0 : 0.0;
  }

  observer::MomentumObserver<Robot> observer_;
  const observer::Measurement<Robot> nothing_;
};

}  // namespace robcogen_ros::core

#endif  // ROBCOGEN_ROS__CORE__OBJECTS__MOMENTUM_OBSERVER_HPP_
