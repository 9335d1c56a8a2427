// Threads hammer one robot, each with parameters of its own, and one with those that another sets.
#include <array>
#include <cstdio>
#include <thread>

#include "demo/leg/functions.hpp"
#include "robcogen_ros/exchange.hpp"

namespace functions = demo::leg::functions;
using Constants = std::array<double, CONSTANT_COUNT>;
using Matrix = std::array<double, 4>;

Constants constants(double change)
{
  std::array<double, 5> parameters{0.5 + change, 0.4, 0.3 + change, 0.2, 0.1 + change};
  Constants result;
  functions::update_parameters<double>(parameters.data(), result.data());
  return result;
}

Matrix inertia(const Constants & constants)
{
  const std::array<double, 2> q{0.3, -0.8};
  Matrix result;
  functions::inertia_matrix<double>(constants.data(), q.data(), result.data());
  return result;
}

int main()
{
  constexpr int rounds = 5000;
  const Matrix expected[] = {inertia(constants(0.0)), inertia(constants(0.25))};
  robcogen_ros::Exchange<Constants> exchange(constants(0.0));
  std::array<int, 2> wrong{};
  std::array<std::thread, 2> owners;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    owners[i] = std::thread([&, i] {
      for (int round = 0; round < rounds; ++round) {
        wrong[i] += inertia(constants(0.25 * static_cast<double>(i))) != expected[i];
      }
    });
  }
  std::thread writer([&exchange] {
    for (int round = 0; round < rounds; ++round) {
      exchange.publish(constants(round % 2 == 0 ? 0.25 : 0.0));
    }
  });
  int strange = 0;
  for (int round = 0; round < rounds; ++round) {
    const Matrix found = inertia(exchange.read());
    strange += found != expected[0] && found != expected[1];
  }
  writer.join();
  for (std::thread & owner : owners) {
    owner.join();
  }
  std::printf("%d %d %d\n", wrong[0], wrong[1], strange);
  return expected[0] == expected[1] ? 1 : 0;
}
