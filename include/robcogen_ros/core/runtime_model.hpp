// A robot whose functions are called through its C interface, of sizes known at run time.
#ifndef ROBCOGEN_ROS__CORE__RUNTIME_MODEL_HPP_
#define ROBCOGEN_ROS__CORE__RUNTIME_MODEL_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "robcogen_ros/model.h"
#include "robcogen_ros/sizes.hpp"
#include "robcogen_ros/transform.hpp"
#include "robcogen_ros/types.hpp"

#ifndef ROBCOGEN_MOST_JOINTS
#define ROBCOGEN_MOST_JOINTS 64
#endif
#ifndef ROBCOGEN_MOST_CONTACTS
#define ROBCOGEN_MOST_CONTACTS 8
#endif

namespace robcogen_ros
{

/// A robot that is known at run time, in place of the Traits of a generated one: functions and
/// constants of the same names. What functions return is valid until they are called again, on this
/// robot or on a copy: copies share the memory of results.
///
/// No function allocates, locks or throws, nor does a copy; the constructor does.
class RuntimeModel
{
public:
  static constexpr int most_joints = ROBCOGEN_MOST_JOINTS;
  static constexpr int most_contacts = ROBCOGEN_MOST_CONTACTS;
  static constexpr int most_freedoms = most_joints + 6;

  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using JointVector = VectorWithin<Eigen::Dynamic, most_joints>;
  using InertiaMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_freedoms, most_freedoms>;
  using Wrenches = Eigen::Matrix<double, 6, Eigen::Dynamic>;
  using Transform = robcogen_ros::Transform<double>;
  using Frame = int;
  template <int rows, int columns>
  using Values = Eigen::Map<const Eigen::Matrix<double, rows, columns>>;
  using Vector = Values<Eigen::Dynamic, 1>;
  using Matrix = Values<Eigen::Dynamic, Eigen::Dynamic>;

  /// Poses of all frames in the base.
  struct Kinematics
  {
    const double * poses = nullptr;  ///< 12 numbers a frame: rotation, column by column, and origin
    const double * axes = nullptr;   ///< 6 numbers a joint: its motion about the base's origin

    Transform pose(Frame frame) const noexcept
    {
      const double * const own = poses + 12 * frame;
      return {Eigen::Map<const Eigen::Matrix3d>(own), Eigen::Map<const Eigen::Vector3d>(own + 9)};
    }
  };
  struct Efforts
  {
    Vector tau;
    Values<6, 1> base_wrench;
  };
  struct Accelerations
  {
    Vector qdd;
    Values<6, 1> base_acceleration;
  };
  struct Momentum
  {
    Vector momentum, bias;
  };
  struct Contacts
  {
    const Contact * first;
    int count;

    const Contact * begin() const noexcept { return first; }
    const Contact * end() const noexcept { return first + count; }
    const Contact & operator[](int i) const noexcept { return first[i]; }
  };

  bool floating_base;
  int joint_count, freedoms, link_count, frame_count, moving_joint_count, contact_count;
  Contacts contacts{};
  const bool * continuous;
  const char *const *joint_names, *const *link_names, *const *frame_names, *const *contact_names;
  const int32_t *frame_links, *joint_parents, *joint_coordinates;
  const double * joint_multipliers;
  const double *lower_limits, *upper_limits, *velocity_limits, *effort_limits, *damping, *friction;
  bool damping_in_dynamics, friction_in_dynamics;

  /// \param needed names of the functions that are called later
  /// \param useful the same of functions that are called if the robot has them
  /// \throws std::invalid_argument if the robot lacks one that is needed, or there is no room for
  /// it
  RuntimeModel(
    const robcogen_model * model, std::initializer_list<std::string_view> needed,
    std::initializer_list<std::string_view> useful = {})
  : floating_base(model->floating_base != 0),
    joint_count(static_cast<int>(model->joint_count)),
    freedoms(joint_count + (floating_base ? 6 : 0)),
    link_count(static_cast<int>(model->link_count)),
    frame_count(static_cast<int>(model->frame_count)),
    moving_joint_count(static_cast<int>(model->moving_joint_count)),
    contact_count(static_cast<int>(model->contact_count)),
    continuous(model->continuous),
    joint_names(model->joint_names),
    link_names(model->link_names),
    frame_names(model->frame_names),
    contact_names(model->contact_names),
    frame_links(model->frame_links),
    joint_parents(model->joint_parents),
    joint_coordinates(model->joint_coordinates),
    joint_multipliers(model->joint_multipliers),
    lower_limits(model->lower_limits),
    upper_limits(model->upper_limits),
    velocity_limits(model->velocity_limits),
    effort_limits(model->effort_limits),
    damping(model->damping),
    friction(model->friction),
    damping_in_dynamics(model->damping_in_dynamics != 0),
    friction_in_dynamics(model->friction_in_dynamics != 0),
    model_(model),
    moving_joint_count_(static_cast<int>(model->moving_joint_count))
  {
    if (joint_count > most_joints || contact_count > most_contacts)
    {
      throw std::invalid_argument("there is no room for so many joints or contacts");
    }
    for (int i = 0; i < contact_count; ++i)
    {
      Contact contact{model->contact_frames[i], contact_rows_, {}};
      for (int k = 0; k < 6; ++k)
      {
        contact.fixed[k] = model->contact_rows[6 * i + k] != 0;
      }
      contact_rows_ += contact.rows();
      shared_->contacts.push_back(contact);
    }
    contacts = {shared_->contacts.data(), contact_count};
    for (const std::string_view name : needed)
    {
      if (!find(name))
      {
        throw std::invalid_argument("the robot lacks a function");
      }
    }
    for (const std::string_view name : useful)
    {
      find(name);
    }
  }

  /// Takes over the parameters that the robot leaves open, if they are given.
  void take_parameters(const double * values)
  {
    if (values == nullptr)
    {
      return;
    }
    shared_->own = constants(values);
    use_constants(shared_->own);
  }

  /// Returns the constants of functions for values of open parameters; it allocates.
  std::vector<double> constants(const double * values) const
  {
    std::vector<double> result(model_->constant_count);
    model_->update_parameters(values, result.data());
    return result;
  }

  /// Calls functions with constants from now on, on copies too; they must stay where they are. Of
  /// none, parameters have their defaults.
  void use_constants(const std::vector<double> & values) noexcept
  {
    shared_->constants = values.empty() ? nullptr : values.data();
  }

  /// The number of a joint.
  std::optional<int> find_joint(std::string_view name) const noexcept
  {
    const auto * const found = std::find(joint_names, joint_names + joint_count, name);
    return found == joint_names + joint_count
             ? std::nullopt
             : std::make_optional(static_cast<int>(found - joint_names));
  }

  Matrix inertia_matrix(const JointVector & q) const noexcept
  {
    return {call(Of::inertia_matrix, q)[0], freedoms, freedoms};
  }
  Matrix inertia_matrix_inverse(const JointVector & q) const noexcept
  {
    return {call(Of::inertia_matrix_inverse, q)[0], freedoms, freedoms};
  }
  Kinematics kinematics(const JointVector & q) const noexcept
  {
    const Results found = call(Of::kinematics, q);
    return {found[0], found[1]};
  }
  Matrix contact_jacobian(const JointVector & q) const noexcept
  {
    return {call(Of::contact_jacobian, q)[0], contact_rows_, freedoms};
  }
  Vector joint_positions(const JointVector & q) const noexcept
  {
    return {call(Of::joint_positions, q)[0], moving_joint_count_};
  }
  Matrix coordinate_jacobian(const JointVector & q) const noexcept
  {
    return {call(Of::coordinate_jacobian, q)[0], moving_joint_count_, joint_count};
  }
  double total_mass(const JointVector & q) const noexcept { return *call(Of::total_mass, q)[0]; }
  Values<3, 1> center_of_mass(const JointVector & q) const noexcept
  {
    return Values<3, 1>(call(Of::center_of_mass, q)[0]);
  }
  Values<3, Eigen::Dynamic> center_of_mass_jacobian(const JointVector & q) const noexcept
  {
    return {call(Of::center_of_mass_jacobian, q)[0], 3, freedoms};
  }

  /// Calls it with more arguments, which the functions of some generated robots take.
  template <typename... More>
  Vector contact_bias(const JointVector & q, const More &... more) const noexcept
  {
    return {call(Of::contact_bias, q, more...)[0], contact_rows_};
  }
  template <typename... More>
  Efforts gravity_torques(const JointVector & q, const More &... more) const noexcept
  {
    return efforts(call(Of::gravity_torques, q, more...));
  }
  template <typename... More>
  Efforts contact_inverse_dynamics(const JointVector & q, const More &... more) const noexcept
  {
    return efforts(call(Of::contact_inverse_dynamics, q, more...));
  }
  template <typename... More>
  Accelerations forward_dynamics(const JointVector & q, const More &... more) const noexcept
  {
    const Results found = call(Of::forward_dynamics, q, more...);
    return {Vector(found[0], joint_count), Values<6, 1>(found[1])};
  }
  template <typename... More>
  Vector inverse_dynamics(const JointVector & q, const More &... more) const noexcept
  {
    return {call(Of::inverse_dynamics, q, more...)[0], joint_count};
  }
  bool has_generalized_momentum() const noexcept { return has(Of::generalized_momentum); }
  bool has_coordinate_jacobian() const noexcept { return has(Of::coordinate_jacobian); }
  template <typename... More>
  Momentum generalized_momentum(const JointVector & q, const More &... more) const noexcept
  {
    const Results found = call(Of::generalized_momentum, q, more...);
    return {Vector(found[0], freedoms), Vector(found[1], freedoms)};
  }

private:
  /// Functions, in the order of their names.
  enum class Of : std::size_t
  {
    inertia_matrix,
    inertia_matrix_inverse,
    kinematics,
    contact_jacobian,
    center_of_mass,
    center_of_mass_jacobian,
    contact_bias,
    gravity_torques,
    contact_inverse_dynamics,
    forward_dynamics,
    generalized_momentum,
    inverse_dynamics,
    total_mass,
    joint_positions,
    coordinate_jacobian,
  };
  static constexpr std::string_view names[] = {
    "inertia_matrix",   "inertia_matrix_inverse", "kinematics",
    "contact_jacobian", "center_of_mass",         "center_of_mass_jacobian",
    "contact_bias",     "gravity_torques",        "contact_inverse_dynamics",
    "forward_dynamics", "generalized_momentum",   "inverse_dynamics",
    "total_mass",       "joint_positions",        "coordinate_jacobian",
  };
  static constexpr std::size_t most_inputs = 10, most_outputs = 2;
  using Results = std::array<double *, most_outputs>;

  struct Shared
  {
    std::vector<Contact> contacts;
    std::vector<double> own, results;
    const double * constants = nullptr;
  };

  /// A function: the pointer that it is called by, and where its results begin.
  struct Function
  {
    robcogen_call_in_context call = nullptr;
    std::array<std::size_t, most_outputs> results{};
  };

  bool has(Of which) const noexcept
  {
    return functions_[static_cast<std::size_t>(which)].call != nullptr;
  }

  /// Finds a function; returns whether there is one.
  bool find(std::string_view name)
  {
    const auto * const place = std::find(std::begin(names), std::end(names), name);
    for (std::size_t i = 0; i < model_->function_count; ++i)
    {
      const robcogen_function & function = model_->functions[i];
      if (name == function.name && place != std::end(names))
      {
        Function & own = functions_[static_cast<std::size_t>(place - std::begin(names))];
        own.call = model_->calls[i];
        for (std::size_t k = 0; k < function.output_count; ++k)
        {
          std::vector<double> & results = shared_->results;
          own.results.at(k) = results.size();
          results.resize(results.size() + function.outputs[k].rows * function.outputs[k].columns);
        }
        return true;
      }
    }
    return false;
  }

  /// Calls a function; inputs beyond those that are given are left out.
  template <typename... Arguments>
  Results call(Of which, const Arguments &... arguments) const noexcept
  {
    const Function & function = functions_[static_cast<std::size_t>(which)];
    const double * const inputs[most_inputs] = {arguments.data()...};
    Results outputs;
    for (std::size_t k = 0; k < most_outputs; ++k)
    {
      outputs[k] = shared_->results.data() + function.results[k];
    }
    function.call(model_->context, shared_->constants, inputs, outputs.data());
    return outputs;
  }

  Efforts efforts(const Results & found) const noexcept
  {
    return {Vector(found[0], joint_count), Values<6, 1>(found[1])};
  }

  const robcogen_model * model_;
  int contact_rows_ = 0, moving_joint_count_;
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  std::array<Function, std::size(names)> functions_;
};

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__CORE__RUNTIME_MODEL_HPP_
