/// \file
/// The functions of all robots as one custom call of XLA, the compiler of JAX.
#include <xla/ffi/api/ffi.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "robcogen_ros/model.h"

namespace
{

namespace ffi = xla::ffi;

/// Robots by their keys. A key stands in a compiled program, which may be kept on disk and run by
/// another process: an address would mean nothing there.
struct Robots
{
  std::mutex mutex;
  std::map<std::int64_t, const robcogen_model *> by_key;
};

Robots & robots()
{
  static Robots all;
  return all;
}

const robcogen_model * robot_of(std::int64_t key)
{
  Robots & all = robots();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.by_key.find(key);
  return found == all.by_key.end() ? nullptr : found->second;
}

using Sizes = std::vector<std::size_t>;

/// An array of a buffer: `size` numbers of each state of a batch, or of those in common.
struct Operand
{
  double * data;
  std::size_t size;
  Sizes strides;  ///< numbers from one to the next along each dimension of the batch
};

/// Reads a buffer whose last dimension has the numbers of a state, those before it the dimensions
/// of the batch. Where it has one entry and the batch several, this is common to its states.
Operand operand(const ffi::AnyBuffer & buffer, const Sizes & batch)
{
  const auto dimensions = buffer.dimensions();
  const std::size_t rank = batch.size();
  Operand found{static_cast<double *>(buffer.untyped_data()), std::size_t(dimensions[rank]), {}};
  std::size_t stride = found.size;
  for (std::size_t i = rank; i-- > 0;)
  {
    if (batch[i] != 1)
    {
      found.strides.insert(found.strides.begin(), dimensions[i] == 1 ? 0 : stride);
    }
    stride *= std::size_t(dimensions[i]);
  }
  return found;
}

/// A function of a robot at the states of a batch.
class Batch
{
  const robcogen_model & model;
  const std::size_t function;
  Sizes dimensions;
  std::vector<Operand> operands;  ///< parameters, all inputs (without data if left out), outputs
  std::size_t inner = 1;  ///< states along the last dimensions, which lie at equal distances
  std::size_t outer = 0;  ///< dimensions before these
  std::size_t count = 1;

  std::size_t input_count() const { return model.functions[function].input_count; }

  bool joins(std::size_t dimension) const
  {
    return std::all_of(operands.begin(), operands.end(), [=](const Operand & each) {
      return each.data == nullptr ||
             each.strides[dimension] == each.strides[dimension + 1] * dimensions[dimension + 1];
    });
  }

  std::size_t offset(const Operand & each, std::size_t block) const
  {
    std::size_t sum = 0;
    for (std::size_t i = outer; i-- > 0; block /= dimensions[i])
    {
      sum += block % dimensions[i] * each.strides[i];
    }
    return sum;
  }

  std::size_t stride(const Operand & each) const
  {
    return each.data == nullptr || each.strides.empty() ? 0 : each.strides.back();
  }

  /// Computes states of a block, `places` being where those of each operand begin.
  void compute(std::size_t states, const std::vector<double *> & places) const
  {
    std::vector<double> constants(model.constant_count);
    model.update_parameters(places[0], constants.data());
    std::vector<robcogen_layout> layouts;
    for (const Operand & each : operands)
    {
      layouts.push_back({stride(each), 1});
    }
    const std::vector<const double *> inputs(places.begin() + 1, places.end());
    double * const * const outputs = places.data() + 1 + input_count();
    model.laid_out[function](
      states, constants.data(), inputs.data(), &layouts[1], outputs,
      &layouts[1 + input_count()]);
  }

public:
  Batch(
    const robcogen_model & robot, std::size_t name, Sizes of_batch, std::vector<Operand> arrays)
  : model(robot), function(name), dimensions(std::move(of_batch)), operands(std::move(arrays))
  {
    dimensions.erase(std::remove(dimensions.begin(), dimensions.end(), 1), dimensions.end());
    for (const std::size_t each : dimensions)
    {
      count *= each;
    }
    outer = dimensions.size();
    while (outer > 0 && (outer == dimensions.size() || joins(outer - 1)))
    {
      inner *= dimensions[--outer];
    }
  }

  std::size_t size() const { return count; }

  /// Computes some of the states.
  void run(std::size_t first, std::size_t last) const
  {
    while (first < last)
    {
      const std::size_t block = first / inner, within = first % inner;
      const bool one = stride(operands[0]) != 0;  // each state has parameters of its own
      const std::size_t states = one ? 1 : std::min(inner - within, last - first);
      std::vector<double *> places;
      for (const Operand & each : operands)
      {
        places.push_back(
          each.data == nullptr ? nullptr
                               : each.data + offset(each, block) + within * stride(each));
      }
      compute(states, places);
      first += states;
    }
  }
};

/// States that are worth a task of their own.
constexpr std::size_t share = 1024;

/// Runs a batch in the threads of XLA. The one that calls takes part, so it waits for none that
/// has not begun.
void run(ffi::ThreadPool & pool, const Batch & batch)
{
  const std::size_t count = batch.size(), shares = (count + share - 1) / share;
  const std::size_t threads = std::size_t(std::max<std::int64_t>(pool.num_threads(), 1));
  if (shares < 2 || threads < 2)
  {
    return batch.run(0, count);
  }
  struct Work
  {
    std::atomic<std::size_t> next{0};
    std::size_t done = 0;
    std::mutex mutex;
    std::condition_variable all_done;
  };
  const auto work = std::make_shared<Work>();
  const auto take_part = [work, &batch, count, shares] {
    for (std::size_t i = work->next++; i < shares; i = work->next++)
    {
      batch.run(i * share, std::min(count, (i + 1) * share));
      const std::lock_guard<std::mutex> lock(work->mutex);
      if (++work->done == shares)
      {
        work->all_done.notify_one();
      }
    }
  };
  for (std::size_t i = 1; i < std::min(threads, shares); ++i)
  {
    pool.Schedule(std::function<void()>(take_part));
  }
  take_part();
  std::unique_lock<std::mutex> lock(work->mutex);
  work->all_done.wait(lock, [&] { return work->done == shares; });
}

/// Calls a function: `given` has a bit for each of its inputs, whether it is among the arguments
/// after the robot's parameters.
ffi::Error call(
  ffi::ThreadPool pool, ffi::RemainingArgs arguments, ffi::RemainingRets results,
  std::int64_t robot, std::int64_t function, std::int64_t given)
{
  const robcogen_model * const model = robot_of(robot);
  if (model == nullptr)
  {
    return ffi::Error(
      ffi::ErrorCode::kFailedPrecondition,
      "this program calls a robot that is not loaded in this process: call "
      "robcogen_ros.jax(robot) of the same robot first");
  }
  const robcogen_function & called = model->functions[function];
  std::vector<Operand> operands;
  const auto result = [&](std::size_t i) { return *results.get<ffi::AnyBuffer>(i).value(); };
  if (result(0).element_type() != ffi::F64)
  {
    return ffi::Error(ffi::ErrorCode::kInvalidArgument, "robots compute in double precision");
  }
  const auto dimensions = result(0).dimensions();
  Sizes batch(dimensions.begin(), dimensions.end() - 1);
  std::size_t next = 0;
  const auto argument = [&] {
    return operand(arguments.get<ffi::AnyBuffer>(next++).value(), batch);
  };
  operands.push_back(argument());
  for (std::size_t i = 0; i < called.input_count; ++i)
  {
    operands.push_back((given >> i & 1) != 0 ? argument() : Operand{nullptr, 0, {}});
  }
  for (std::size_t i = 0; i < called.output_count; ++i)
  {
    operands.push_back(operand(result(i), batch));
  }
  run(pool, Batch(*model, std::size_t(function), std::move(batch), std::move(operands)));
  return ffi::Error::Success();
}

}  // namespace

/// Makes a robot known by its key. It must live as long as the process.
extern "C" __attribute__((visibility("default"))) void robcogen_xla_register(
  std::int64_t key, const robcogen_model * model)
{
  Robots & all = robots();
  const std::lock_guard<std::mutex> lock(all.mutex);
  all.by_key[key] = model;
}

extern "C" __attribute__((visibility("default"))) XLA_FFI_Error * robcogen_xla_call(
  XLA_FFI_CallFrame * frame);

XLA_FFI_DEFINE_HANDLER_SYMBOL(
  robcogen_xla_call, call,
  ffi::Ffi::Bind()
    .Ctx<ffi::ThreadPool>()
    .RemainingArgs()
    .RemainingRets()
    .Attr<std::int64_t>("robot")
    .Attr<std::int64_t>("function")
    .Attr<std::int64_t>("given"));
