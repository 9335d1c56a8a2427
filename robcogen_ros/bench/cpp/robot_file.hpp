// Reads the robots that robcogen_ros/bench/robot_file.py writes, for the sides of a comparison.
#pragma once

#include <array>
#include <fstream>
#include <string>
#include <vector>

namespace bench
{

/// A body and the joint that carries it, about or along an axis of its frame.
struct Body
{
  char kind;   // R turns, P slides, F moves freely, B is the base that does not move
  int axis;    // 0, 1, 2: x, y, z
  int parent;  // number of the body it hangs on
  std::array<double, 3> position;
  std::array<double, 9> rotation;  // of the joint's frame in the parent's, row by row
  double mass;
  std::array<double, 3> center;
  std::array<double, 6> tensor;  // about the center: xx xy yy xz yz zz
};

/// A frame of a body that touches the ground.
struct Contact
{
  int rows;  // 3: its position is fixed, 6: its pose
  int body;
  std::array<double, 3> position;
  std::array<double, 9> rotation;
};

/// Two frames of bodies that stay together.
struct Loop
{
  int rows;  // 3: their origins, 6: their poses
  std::array<int, 2> bodies;
  std::array<std::array<double, 3>, 2> positions;
  std::array<std::array<double, 9>, 2> rotations;
};

struct Robot
{
  std::array<double, 3> gravity;  // in the base
  std::vector<Body> bodies;       // base first, each after its parent, depth first
  std::vector<Contact> contacts;
  std::vector<Loop> loops;
};

inline Robot read_robot(const char * path)
{
  std::ifstream file(path);
  Robot robot;
  const auto read = [&](auto & values)
  {
    for (double & value : values)
    {
      file >> value;
    }
  };
  read(robot.gravity);
  for (Body body{}; file >> body.kind >> body.axis >> body.parent;)
  {
    if (body.kind == 'C')
    {
      Contact contact{body.axis, body.parent, {}, {}};
      read(contact.position);
      read(contact.rotation);
      robot.contacts.push_back(contact);
      continue;
    }
    if (body.kind == 'L')
    {
      Loop loop{body.axis, {body.parent, 0}, {}, {}};
      file >> loop.bodies[1];
      for (std::size_t end : {0, 1})
      {
        read(loop.positions[end]);
        read(loop.rotations[end]);
      }
      robot.loops.push_back(loop);
      continue;
    }
    read(body.position);
    read(body.rotation);
    file >> body.mass;
    read(body.center);
    read(body.tensor);
    robot.bodies.push_back(body);
  }
  return robot;
}

}  // namespace bench
