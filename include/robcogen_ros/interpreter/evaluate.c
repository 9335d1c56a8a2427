/* Evaluating code. Must be compiled without contraction of a * b + c to one rounding. */
#include "robcogen_ros/interpreter/code.h"

#include <math.h>
#include <string.h>

/* States that are evaluated side by side where there are many. */
enum
{
  LANES = 8
};

// clang-format off
#define A (word >> 16 & 0xffffu)
#define B (word >> 32 & 0xffffu)
#define C (word >> 48)

/* What each kind of operation does: EACH(a + b) for all instructions of a run. */
#define OPERATIONS                                           \
  case ROBCOGEN_ADD: EACH(a + b); break;                     \
  case ROBCOGEN_SUBTRACT: EACH(a - b); break;                \
  case ROBCOGEN_MULTIPLY: EACH(a * b); break;                \
  case ROBCOGEN_DIVIDE: EACH(a / b); break;                  \
  case ROBCOGEN_NEGATE: EACH(-a); break;                     \
  case ROBCOGEN_SIN: EACH(sin(a)); break;                    \
  case ROBCOGEN_COS: EACH(cos(a)); break;                    \
  case ROBCOGEN_SQRT: EACH(sqrt(a)); break;                  \
  case ROBCOGEN_ATAN2: EACH(atan2(a, b)); break;             \
  case ROBCOGEN_SELECT: EACH(a >= 0.0 ? b : a < 0.0 ? c : a); break; \
  case MULTIPLY_ADD: EACH(a * b + c); break;                 \
  case MULTIPLY_SUBTRACT: EACH(a * b - c); break;            \
  case SUBTRACT_PRODUCT: EACH(c - a * b); break;             \
  default: return
// clang-format on

#define EACH(expression)                       \
  do                                           \
  {                                            \
    const uint64_t word = *next++;             \
    const double a = w[A], b = w[B], c = w[C]; \
    (void)a, (void)b, (void)c;                 \
    w[word & 0xffffu] = (expression);          \
  } while (--count)

void robcogen_interpreter_run(
  const robcogen_code * code, double * w, const double * const * arguments,
  double * const * results)
{
  const uint64_t * next = code->words;
  for (;;)
  {
    uint64_t count = *next >> 16;
    switch (*next++ & 0xffffu)
    {
      case LOAD:
        do
        {
          const uint64_t word = *next++;
          w[word & 0xffffu] = arguments[A][word >> 32];
        } while (--count);
        break;
      case STORE:
        do
        {
          const uint64_t word = *next++;
          results[A][word >> 32] = w[word & 0xffffu];
        } while (--count);
        break;
        OPERATIONS;
    }
  }
}

#undef EACH
#define EACH(expression)                                            \
  do                                                                \
  {                                                                 \
    const uint64_t word = *next++;                                  \
    const double *const x = w[A], *const y = w[B], *const z = w[C]; \
    double found[LANES];                                            \
    for (int k = 0; k < LANES; ++k)                                 \
    {                                                               \
      const double a = x[k], b = y[k], c = z[k];                    \
      (void)a, (void)b, (void)c;                                    \
      found[k] = (expression);                                      \
    }                                                               \
    memcpy(w[word & 0xffffu], found, sizeof found);                 \
  } while (--count)

/* States side by side; `states` are their numbers. */
static void run_lanes(
  const robcogen_code * code, double (*w)[LANES], const size_t * states,
  const double * const * arguments, const size_t * argument_strides, double * const * results,
  const size_t * result_strides)
{
  const uint64_t * next = code->words;
  for (;;)
  {
    uint64_t count = *next >> 16;
    switch (*next++ & 0xffffu)
    {
      case LOAD:
        do
        {
          const uint64_t word = *next++;
          for (int k = 0; k < LANES; ++k)
            w[word & 0xffffu][k] = arguments[A][states[k] * argument_strides[A] + (word >> 32)];
        } while (--count);
        break;
      case STORE:
        do
        {
          const uint64_t word = *next++;
          for (int k = 0; k < LANES; ++k)
            results[A][states[k] * result_strides[A] + (word >> 32)] = w[word & 0xffffu][k];
        } while (--count);
        break;
        OPERATIONS;
    }
  }
}

void robcogen_interpreter_run_many(
  const robcogen_code * code, double * workspace, size_t count, const double * const * arguments,
  const size_t * argument_strides, double * const * results, const size_t * result_strides)
{
  for (size_t first = 0; first < count; first += LANES)
  {
    size_t states[LANES];
    for (size_t k = 0; k < LANES; ++k)
      states[k] = first + k < count ? first + k : count - 1;
    run_lanes(
      code, (double (*)[LANES])workspace, states, arguments, argument_strides, results,
      result_strides);
  }
}

unsigned robcogen_interpreter_version(void)
{
  return ROBCOGEN_INTERPRETER_VERSION;
}

size_t robcogen_interpreter_workspace(const robcogen_code * code, int many)
{
  return (many ? LANES : 1) * code->registers;
}

void robcogen_interpreter_begin(const robcogen_code * code, int many, double * workspace)
{
  const size_t lanes = many ? LANES : 1;
  for (size_t i = 0; i < lanes * code->constant_count; ++i)
    workspace[i] = code->constants[i / lanes];
}
