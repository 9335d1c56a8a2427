#include <cmath>
#include <cstring>

#include "robcogen_ros/model.h"

// The inertia about the only joint of a robot, through the plain C interface.
inline double inertia(const robcogen_model & model)
{
  for (size_t i = 0; i < model.function_count; ++i)
  {
    const robcogen_function & function = model.functions[i];
    if (std::strcmp(function.name, "inertia_matrix") == 0)
    {
      const double q = 0;
      double result = NAN;
      const double * const inputs[] = {&q};
      double * const outputs[] = {&result};
      function.call(nullptr, inputs, outputs);
      return result;
    }
  }
  return NAN;
}
