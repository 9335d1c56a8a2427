/// Programs of a robot as operation codes, evaluated without a compiler. Plain C99.
///
/// `robcogen_interpreter_make` takes the operations of one or more functions as a graph, and
/// makes code of them once: what no result needs is left out, operations of one kind are brought
/// together, and values share registers. `robcogen_interpreter_run` evaluates it: it allocates
/// nothing, takes no locks, and always does the same operations in the same order.
#ifndef ROBCOGEN_ROS_INTERPRETER_INTERPRETER_H
#define ROBCOGEN_ROS_INTERPRETER_INTERPRETER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

#define ROBCOGEN_INTERPRETER_VERSION 1

/// Kinds of nodes: leaves, or operations on nodes before them. Files have these numbers.
typedef enum robcogen_operation
{
  ROBCOGEN_INPUT,     ///< operands: argument, entry
  ROBCOGEN_CONSTANT,  ///< operands: index of the constant
  ROBCOGEN_ADD,
  ROBCOGEN_SUBTRACT,
  ROBCOGEN_MULTIPLY,
  ROBCOGEN_DIVIDE,
  ROBCOGEN_NEGATE,
  ROBCOGEN_SIN,
  ROBCOGEN_COS,
  ROBCOGEN_SQRT,
  ROBCOGEN_ATAN2,
  ROBCOGEN_SELECT,  ///< the second where the first is not negative, else the third; NaN of NaN
  ROBCOGEN_OPERATION_COUNT
} robcogen_operation;

typedef struct robcogen_node
{
  uint32_t operation;
  uint32_t operands[3];
} robcogen_node;

/// An entry of a result: of which result, where in it, and which node it is.
typedef struct robcogen_entry
{
  uint32_t result;
  uint32_t place;
  uint32_t node;
} robcogen_entry;

/// The graph that code is made of; nothing of it is needed afterwards.
typedef struct robcogen_graph
{
  const robcogen_node * nodes;
  size_t node_count;
  const double * constants;
  size_t constant_count;
  const uint32_t * argument_sizes;
  size_t argument_count;
  const uint32_t * result_sizes;
  size_t result_count;
  const robcogen_entry * entries;
  size_t entry_count;
} robcogen_graph;

/// Code; it never changes, so that threads may share it.
typedef struct robcogen_code robcogen_code;

/// Code of a graph, which `robcogen_interpreter_free` frees; NULL where the graph is no right one
/// (a node after its user, an unknown operation, an entry beyond its argument), where its values
/// do not fit into 65536 registers, or without memory: `*reason` then is a sentence that says so.
robcogen_code * robcogen_interpreter_make(const robcogen_graph * graph, const char ** reason);

void robcogen_interpreter_free(robcogen_code * code);

/// The version of all this.
unsigned robcogen_interpreter_version(void);

/// Numbers that a workspace takes: memory of a call, in each thread one of its own. There are
/// workspaces for one state, and for many.
size_t robcogen_interpreter_workspace(const robcogen_code * code, int many);

/// Bring a workspace into the state that calls need; once.
void robcogen_interpreter_begin(const robcogen_code * code, int many, double * workspace);

/// Evaluate: pointers to the numbers of each argument, and to those of each result.
void robcogen_interpreter_run(
  const robcogen_code * code, double * workspace, const double * const * arguments,
  double * const * results);

/// Evaluate `count` states, several side by side; each result is that of a single call. Strides
/// are numbers from a state to the next: of an argument, 0 where all have it in common.
void robcogen_interpreter_run_many(
  const robcogen_code * code, double * workspace, size_t count, const double * const * arguments,
  const size_t * argument_strides, double * const * results, const size_t * result_strides);

#ifdef __cplusplus
}
#endif

#endif
