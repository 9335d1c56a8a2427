// A gait, and a robot whose feet are where its joints put them: a point mass on legs without mass.
#include "robcogen_ros/legged/gait.hpp"

#include <Eigen/Geometry>

#include "robcogen_ros/types.hpp"

namespace
{

namespace legged = robcogen_ros::legged;

/// Joints are the coordinates of the feet in the base, whose origin is the center of mass.
struct Model
{
  static constexpr bool floating_base = true;
  static constexpr int joint_count = 12, link_count = 1, contact_count = 4;
};
struct Robot : Model, robcogen_ros::Types<Model, double>
{
  using Base = robcogen_ros::Types<Model, double>;
  using typename Base::JointVector;
  enum class Frame
  {
  };
  static constexpr robcogen_ros::Contact contacts[4] = {
    {0, 0, {false, false, false, true, true, true}},
    {1, 3, {false, false, false, true, true, true}},
    {2, 6, {false, false, false, true, true, true}},
    {3, 9, {false, false, false, true, true, true}}};
  struct Pose
  {
    Eigen::Vector3d place;
    Eigen::Vector3d translation() const { return place; }
    Eigen::Matrix3d rotation() const { return Eigen::Matrix3d::Identity(); }
  };
  struct Kinematics
  {
    JointVector q;
    Pose pose(Frame frame) const { return {q.segment<3>(3 * static_cast<int>(frame))}; }
  };
  static Kinematics kinematics(const JointVector & q) { return {q}; }
  static Eigen::Vector3d center_of_mass(const JointVector &) { return Eigen::Vector3d::Zero(); }
  static Eigen::Matrix<double, 3, 18> center_of_mass_jacobian(const JointVector &)
  {
    Eigen::Matrix<double, 3, 18> result = Eigen::Matrix<double, 3, 18>::Zero();
    result.middleCols<3>(3).setIdentity();
    return result;
  }
};

struct Run
{
  legged::Settings<Robot> settings;
  legged::Gait<Robot> gait;
  robcogen_ros::ground::State<Robot> state;
  int flicker = 0, cycle = 0;  ///< all feet are felt to touch in so many of ten cycles
  explicit Run(const legged::Settings<Robot> & given) : settings(given), gait(given)
  {
    state.q = given.posture;
    state.position.z() = -given.posture(2);
    gait.start(state);
  }
};

}  // namespace

extern "C"
{
void * gait_new(const double * feet, int walks, double period, double duty, double down)
{
  legged::Settings<Robot> settings;
  settings.touch_down_speed = down;
  settings.posture = Eigen::Map<const Robot::JointVector>(feet);
  std::array<Eigen::Vector2d, 4> places;
  for (int foot = 0; foot < 4; ++foot)
  {
    places[foot] = settings.posture.segment<2>(3 * foot);
  }
  settings.pattern =
    walks == 1 ? legged::walk<4>(places, period, duty) : legged::trot<4>(places, period, duty);
  for (int foot = 0; walks == 2 && foot < 4; ++foot)
  {
    settings.pattern.phases[foot] = places[foot].y() > 0.0 ? 0.0 : 0.5;  // a pace
  }
  return settings.valid() ? new Run(settings) : nullptr;
}
void gait_delete(void * run)
{
  delete static_cast<Run *>(run);
}

void gait_flicker(void * made, int cycles)
{
  static_cast<Run *>(made)->flicker = cycles;
}

/// Stands elsewhere.
void gait_place(void * made, const double * place)
{
  Run & run = *static_cast<Run *>(made);
  run.state.position.head<2>() = Eigen::Map<const Eigen::Vector2d>(place);
  run.gait.start(run.state);
}

/// The pendulum over the center of pressure that the gait asks for, feet where it wants them.
/// Gives per cycle center, velocity, pressure; of feet whether they stand, place, velocity,
/// acceleration, foothold; whether the gait steps.
void gait_run(
  void * made, int cycles, double step, int steps, const double * velocity, const double * kick,
  double floor, double * out)
{
  Run & run = *static_cast<Run *>(made);
  legged::Motion wanted;
  wanted.step = steps != 0;
  wanted.velocity = Eigen::Map<const Eigen::Vector2d>(velocity);
  wanted.yaw_rate = velocity[2];
  run.state.rates.segment<2>(3) += Eigen::Map<const Eigen::Vector2d>(kick);
  for (int i = 0; i < cycles; ++i)
  {
    std::array<bool, 4> closed;
    for (int foot = 0; foot < 4; ++foot)
    {
      closed[foot] = run.state.position.z() + run.state.q(3 * foot + 2) <= floor + 1e-9 ||
                     run.cycle % 10 < run.flicker;
    }
    ++run.cycle;
    const auto & reference = run.gait.update(run.state, closed, wanted, step);
    *out++ = run.gait.stepping() ? 1.0 : 0.0;
    for (const auto & each :
         {Eigen::Vector2d(run.state.position.head<2>()), run.gait.pendulum().velocity,
          run.gait.pressure()})
    {
      *out++ = each.x();
      *out++ = each.y();
    }
    for (int foot = 0; foot < 4; ++foot)
    {
      const auto & motion = reference.feet[foot].motion;
      *out++ = reference.feet[foot].stance ? 1.0 : 0.0;
      for (const auto & each :
           {motion.position, motion.linear_velocity, motion.linear_acceleration,
            run.gait.foothold(foot)})
      {
        out = std::copy(each.data(), each.data() + 3, out);
      }
    }
    legged::Pendulum next = run.gait.pendulum().after(step, run.gait.pressure());
    run.state.position.head<2>() = next.center;
    run.state.rates.segment<2>(3) = next.velocity;
    for (int foot = 0; foot < 4; ++foot)
    {
      const auto & motion = reference.feet[foot].motion;
      run.state.q.segment<3>(3 * foot) = motion.position - run.state.position;
    }
  }
}

double polygon(int count, const double * points, const double * point, double * closest)
{
  legged::SupportPolygon<8> made;
  for (int i = 0; i < count; ++i)
  {
    made.add(Eigen::Map<const Eigen::Vector2d>(points + 2 * i));
  }
  const Eigen::Vector2d from = Eigen::Map<const Eigen::Vector2d>(point);
  Eigen::Map<Eigen::Vector2d>{closest} = made.closest(from);
  return made.margin(from);
}
}
