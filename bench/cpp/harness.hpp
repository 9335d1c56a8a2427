// Times a function on a ring of states and writes its results, for one program a library.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

namespace bench {

/// Rows of doubles, all of one width.
struct Table {
  std::size_t width = 0;
  std::vector<double> values;

  std::size_t rows() const { return width == 0 ? 0 : values.size() / width; }
  const double* row(std::size_t i) const { return values.data() + i * width; }
};

/// Reads rows of the given width from a file of doubles.
inline Table read_table(const std::string& path, std::size_t width) {
  std::ifstream file(path, std::ios::binary);
  Table table{width, {}};
  for (double value; file.read(reinterpret_cast<char*>(&value), sizeof value);) {
    table.values.push_back(value);
  }
  if (table.values.empty()) {
    std::fprintf(stderr, "no states in %s\n", path.c_str());
    std::exit(1);
  }
  return table;
}

inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Calls `function(state)` over the states, `calls` times in all, and prints the median
/// nanoseconds a call over `repeats` runs. The function leaves its result where `result` finds it;
/// one call for each state is then written to `path`.
template <typename Function, typename Result>
void measure(Function&& function, Result&& result, const Table& states, const std::string& path,
             long calls, int repeats) {
  std::vector<double> nanoseconds;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const double start = thread_seconds();
    std::size_t row = 0;
    for (long call = 0; call < calls; ++call) {
      function(states.row(row));
      asm volatile("" ::: "memory");
      row = row + 1 == states.rows() ? 0 : row + 1;
    }
    nanoseconds.push_back(1e9 * (thread_seconds() - start) / static_cast<double>(calls));
  }
  std::nth_element(nanoseconds.begin(), nanoseconds.begin() + repeats / 2, nanoseconds.end());
  std::printf("%.3f\n", nanoseconds[static_cast<std::size_t>(repeats) / 2]);

  std::ofstream file(path, std::ios::binary);
  for (std::size_t row = 0; row < states.rows(); ++row) {
    function(states.row(row));
    const std::vector<double> values = result();
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(double)));
  }
}

}  // namespace bench
