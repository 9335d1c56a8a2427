// Hardware that says what it is told to.
#pragma once
#include <map>
#include <string>

namespace managed_arm
{

/// Values of interfaces by their names, `<joint>/<quantity>`.
using Values = std::map<std::string, double>;

/// What the hardware says, and what it was commanded last.
Values & told();

}  // namespace managed_arm
