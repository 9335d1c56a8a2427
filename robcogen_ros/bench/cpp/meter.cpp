// Measures functions side by side, in random order: meter PLAN check|hot|cold|count|tail NUMBER.
// One line a function: nanoseconds, or instructions, of a call. All calls have other inputs.
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <random>
#include <sstream>
#include <string>

#include "clock.hpp"
#include "eviction.hpp"
#include "instructions.hpp"
#include "plan.hpp"

namespace
{

using bench::Runner;

double median(std::vector<double> values)
{
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Nanoseconds of a call, of many in a row.
double run(Runner & runner, long calls)
{
  const double start = bench::thread_nanoseconds();
  for (long call = 0; call < calls; ++call)
  {
    runner();
    bench::barrier();
  }
  return (bench::thread_nanoseconds() - start) / static_cast<double>(calls);
}

/// The order of a round.
std::vector<std::size_t> shuffled(std::size_t count, std::mt19937 & random)
{
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

/// Medians over rounds of what `measure(i)` gives, all functions in each round.
template <typename Measure>
std::vector<double> in_turns(std::size_t count, long rounds, Measure && measure)
{
  std::mt19937 random(1);
  std::vector<std::vector<double>> found(count);
  for (long round = 0; round < rounds; ++round)
  {
    for (const std::size_t i : shuffled(count, random))
    {
      found[i].push_back(measure(i));
    }
  }
  std::vector<double> medians;
  std::transform(found.begin(), found.end(), std::back_inserter(medians), median);
  return medians;
}

/// Rounds of about a millisecond a function.
std::vector<double> hot(std::vector<Runner> & runners, long rounds)
{
  std::vector<long> calls;
  for (Runner & runner : runners)
  {
    run(runner, 100);
    calls.push_back(std::max(10L, static_cast<long>(1e6 / std::max(1.0, run(runner, 100)))));
  }
  return in_turns(runners.size(), rounds, [&](std::size_t i) { return run(runners[i], calls[i]); });
}

/// Single calls with cold caches, less what reading the clock takes then.
std::vector<double> cold(std::vector<Runner> & runners, std::size_t bytes)
{
  constexpr long rounds = 31;
  bench::Eviction evict(bytes);
  std::vector<double> medians = in_turns(
    runners.size() + 1, rounds,
    [&](std::size_t i)
    {
      evict();
      bench::thread_nanoseconds();
      const double start = bench::thread_nanoseconds();
      if (i < runners.size())
      {
        runners[i]();
      }
      bench::barrier();
      return bench::thread_nanoseconds() - start;
    });
  const double clock = medians.back();
  medians.pop_back();
  for (double & each : medians)
  {
    each -= clock;
  }
  return medians;
}

std::vector<double> count(std::vector<Runner> & runners)
{
  std::vector<double> found;
  for (Runner & runner : runners)
  {
    run(runner, 10);
    found.push_back(static_cast<double>(bench::instructions(runner)));
  }
  return found;
}

/// What may make a call longer than others.
struct Disturbances
{
  long switches;    // how often another thread ran
  long faults;      // pages that were not there
  long interrupts;  // served by this processor, -1 where nothing tells
};

/// The sum of this processor's column in /proc/interrupts.
long interrupts()
{
  std::ifstream file("/proc/interrupts");
  const std::string own = "CPU" + std::to_string(sched_getcpu());
  std::string line;
  std::getline(file, line);
  std::istringstream head(line);
  int column = 0;
  std::string word;
  while (head >> word && word != own)
  {
    ++column;
  }
  long sum = word == own ? 0 : -1;
  while (sum >= 0 && std::getline(file, line))
  {
    std::istringstream row(line);
    row >> word;
    long served = 0;
    for (int i = 0; i <= column && row >> served; ++i)
    {
      sum += i == column ? served : 0;
    }
  }
  return sum;
}

Disturbances disturbances()
{
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return {usage.ru_nivcsw + usage.ru_nvcsw, usage.ru_minflt + usage.ru_majflt, interrupts()};
}

/// Prints what single calls took: median, 99.9 and 99.999 per cent, worst; how many took more than
/// twice the median; what disturbed them.
template <typename Call>
void print_tail(long calls, Call && call)
{
  std::vector<double> taken(static_cast<std::size_t>(calls));
  const Disturbances before = disturbances();
  for (double & each : taken)
  {
    const double start = bench::thread_nanoseconds();
    call();
    bench::barrier();
    each = bench::thread_nanoseconds() - start;
  }
  const Disturbances after = disturbances();
  std::sort(taken.begin(), taken.end());
  const auto part = [&](double share)
  { return taken[static_cast<std::size_t>(share * static_cast<double>(calls - 1))]; };
  const auto late = std::upper_bound(taken.begin(), taken.end(), 2.0 * part(0.5));
  std::printf(
    "%.0f %.0f %.0f %.0f %ld %ld %ld %ld\n", part(0.5), part(0.999), part(0.99999), taken.back(),
    static_cast<long>(taken.end() - late), after.switches - before.switches,
    after.faults - before.faults,
    before.interrupts < 0 ? -1 : after.interrupts - before.interrupts);
}

/// Keeps this thread on the processor it is on, whose interrupts can be counted then.
void stay_here()
{
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &here);
  sched_setaffinity(0, sizeof here, &here);
}

/// A line for each function, one for a loop of additions that takes as long as it, and one for
/// reading the clock.
void tail(std::vector<Runner> & runners, long calls)
{
  stay_here();
  for (Runner & runner : runners)
  {
    const double wanted = run(runner, 10000);
    volatile double sum = 0.0;
    long turns = 1;
    const auto add = [&]
    {
      for (long i = 0; i < turns; ++i)
      {
        sum = sum + 1.0;
      }
    };
    const double start = bench::thread_nanoseconds();
    turns = 100000;
    add();
    turns = std::max(1L, static_cast<long>(wanted * 1e5 / (bench::thread_nanoseconds() - start)));
    print_tail(calls, runner);
    print_tail(calls, add);
    print_tail(calls, [] {});
  }
}

}  // namespace

int main(int argc, char ** argv)
{
  if (argc != 4)
  {
    bench::fail("usage: meter PLAN check|hot|cold|count|tail NUMBER");
  }
  std::vector<Runner> runners = bench::read_plan(argv[1]);
  const std::string what = argv[2];
  const long number = std::atol(argv[3]);
  if (what == "check")
  {
    return 0;
  }
  if (what == "tail")
  {
    tail(runners, number);
    return 0;
  }
  const std::vector<double> found = what == "hot" ? hot(runners, number)
                                    : what == "cold"
                                      ? cold(runners, static_cast<std::size_t>(number))
                                      : count(runners);
  for (const double value : found)
  {
    std::printf("%.3f\n", value);
  }
  return 0;
}
