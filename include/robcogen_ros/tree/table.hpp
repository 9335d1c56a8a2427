/// \file
/// The numbers of a robot with many joints, as tables that loops over the joints read.
///
/// Joints are numbered depth first, so that those beyond a joint are a stretch of them.
#ifndef ROBCOGEN_ROS__TREE__TABLE_HPP_
#define ROBCOGEN_ROS__TREE__TABLE_HPP_

namespace robcogen_ros
{

/// Entries of a row of a table: whole packs of any width.
constexpr int padded(int joints) noexcept
{
  return (joints + 7) / 8 * 8;
}

/// Mass, first moment, tensor xx xy xz yy yz zz.
constexpr int inertia_size = 10;

/// The numbers of a robot, an entry for each joint in a row. Joint i moves link i + 1.
template <int joints>
struct Tree
{
  static constexpr int size = padded(joints);
  /// Whether joints are numbered as in q.
  bool in_order;
  /// Whether any joint slides.
  bool slides;
  /// Its own number.
  double joint[size];
  /// The link that the joint is on; the base is 0.
  int link[size];
  /// The first joint that is not beyond this one.
  double end[size];
  /// The entry of q.
  int coordinate[size];
  /// 1 where the joint turns, 0 where it slides.
  alignas(64) double turns[size];
  /// What is added to q.
  alignas(64) double offset[size];
  /// Inertia of the rotor.
  alignas(64) double armature[size];
  /// Mass of all that the joint moves and that is not counted to the link before.
  alignas(64) double mass[size];
  /// Rotation of the joint's frame on its link, row by row.
  alignas(64) double rotation[9][size];
  /// Position of the joint's frame on its link.
  alignas(64) double position[3][size];
  /// Inertia of the link that the joint moves, about the joint's origin, less what is counted to
  /// the link before (Khalil and Dombre, Modeling of Robots, 2002, section 9.4.2). Of a joint that
  /// turns, mass and second moment along z are zero, and the first moment is along x.
  alignas(64) double inertia[inertia_size][size];
  /// That of the base.
  double base[inertia_size];
  /// Mass of all links.
  double whole_mass;
};

/// The frames in which users give the forces on the links, an entry for each link, base first.
template <int links>
struct LinkFrames
{
  /// The link's place among the links that users know.
  int place[links];
  /// Rotation of the frame on the link, row by row.
  double rotation[9][links];
  /// Position of the frame on the link.
  double position[3][links];
};

/// The joints and the named frames, as users number them.
template <int joints, int frames>
struct Frames
{
  /// The joint's place among the joints that users know.
  int joint[joints];
  /// The link that the frame is on; the base is 0.
  int link[frames];
  /// Rotation of the frame on the link, row by row.
  double rotation[9][frames];
  /// Position of the frame on the link.
  double position[3][frames];
};

/// Friction along the coordinates of q.
template <int joints>
struct Friction
{
  double damping[joints];
  double dry[joints];
};

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__TREE__TABLE_HPP_
