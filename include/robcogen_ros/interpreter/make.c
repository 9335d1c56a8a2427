/* Making code of a graph. */
#include "robcogen_ros/interpreter/code.h"

#include <stdlib.h>
#include <string.h>

static const unsigned arity[ROBCOGEN_OPERATION_COUNT] = {0, 0, 2, 2, 2, 2, 1, 1, 1, 1, 2, 3};

/* Instructions that are brought into another order together: values that wait for each other
 * stay in the first cache. */
enum
{
  WINDOW = 1024
};

typedef struct instruction
{
  uint32_t kind;
  uint32_t operands[3]; /* nodes; none where it is NONE */
  uint32_t node;
} instruction;

static const uint32_t NONE = UINT32_MAX;

typedef struct maker
{
  const robcogen_graph * graph;
  instruction * instructions; /* in the order of nodes */
  instruction * ordered;      /* in the order of evaluation */
  size_t count;
  uint32_t * uses;     /* of each node; 0 where no result needs it */
  uint32_t * absorbed; /* of each node, whether the instruction of its only user computes it */
  uint32_t * of_node;  /* of each node, its instruction, later its register */
  uint32_t * last;     /* of each node, the last of `ordered` that needs it */
  uint32_t * pending;  /* of each instruction, the operands that it waits for */
  uint32_t *users, *next_user; /* lists, of each instruction, of operands that wait for it */
  uint32_t queues[KIND_COUNT][WINDOW];
  size_t begun[KIND_COUNT], ended[KIND_COUNT];
  uint32_t * free;
  size_t free_count;
  size_t registers;
  uint32_t * constant_registers;
  robcogen_code * code;
  size_t word_count;
  uint32_t * memory;
} maker;

static const char * fault_of(const robcogen_graph * graph)
{
  if (graph->node_count >= UINT32_MAX / 8)
    return "there are too many nodes";
  if (graph->argument_count >= FIELDS || graph->result_count >= FIELDS)
    return "there are too many arguments or results";
  for (size_t i = 0; i < graph->node_count; ++i)
  {
    const robcogen_node * node = graph->nodes + i;
    if (node->operation >= ROBCOGEN_OPERATION_COUNT)
      return "there is an unknown operation";
    if (node->operation == ROBCOGEN_INPUT)
    {
      if (node->operands[0] >= graph->argument_count)
        return "an input is of no argument";
      if (node->operands[1] >= graph->argument_sizes[node->operands[0]])
        return "an input lies beyond its argument";
    }
    if (node->operation == ROBCOGEN_CONSTANT && node->operands[0] >= graph->constant_count)
      return "a constant is missing";
    for (unsigned k = 0; k < arity[node->operation]; ++k)
      if (node->operands[k] >= i)
        return "an operand does not come before its operation";
  }
  for (size_t i = 0; i < graph->entry_count; ++i)
  {
    const robcogen_entry * entry = graph->entries + i;
    if (entry->node >= graph->node_count)
      return "an entry of a result is no node";
    if (entry->result >= graph->result_count)
      return "an entry is of no result";
    if (entry->place >= graph->result_sizes[entry->result])
      return "an entry lies beyond its result";
  }
  return NULL;
}

/* How often live nodes are used; a result is a use. */
static void count_uses(maker * m)
{
  for (size_t i = 0; i < m->graph->entry_count; ++i)
    ++m->uses[m->graph->entries[i].node];
  for (size_t i = m->graph->node_count; i-- > 0;)
  {
    const robcogen_node * node = m->graph->nodes + i;
    for (unsigned k = 0; m->uses[i] && k < arity[node->operation]; ++k)
      ++m->uses[node->operands[k]];
  }
}

/* Whether a node is a product that only one operation needs, which no other has absorbed. */
static int is_own_product(const maker * m, uint32_t node)
{
  return m->graph->nodes[node].operation == ROBCOGEN_MULTIPLY && m->uses[node] == 1;
}

static instruction with_product(
  maker * m, uint32_t kind, uint32_t node, uint32_t product, uint32_t other)
{
  const uint32_t * factors = m->graph->nodes[product].operands;
  const instruction fused = {kind, {factors[0], factors[1], other}, node};
  m->absorbed[product] = 1;
  return fused;
}

/* The instruction of an operation, with a product that it adds or subtracts. */
static instruction instruction_of(maker * m, uint32_t number)
{
  const robcogen_node * node = m->graph->nodes + number;
  const uint32_t first = node->operands[0], second = node->operands[1];
  instruction plain = {node->operation, {NONE, NONE, NONE}, number};
  if (node->operation == ROBCOGEN_ADD && is_own_product(m, second))
    return with_product(m, MULTIPLY_ADD, number, second, first);
  if (node->operation == ROBCOGEN_ADD && is_own_product(m, first))
    return with_product(m, MULTIPLY_ADD, number, first, second);
  if (node->operation == ROBCOGEN_SUBTRACT && is_own_product(m, second))
    return with_product(m, SUBTRACT_PRODUCT, number, second, first);
  if (node->operation == ROBCOGEN_SUBTRACT && is_own_product(m, first))
    return with_product(m, MULTIPLY_SUBTRACT, number, first, second);
  for (unsigned k = 0; k < arity[node->operation]; ++k)
    plain.operands[k] = node->operands[k];
  return plain;
}

/* Users come after what they absorb, so that nodes are gone through from the last one. */
static void select_instructions(maker * m)
{
  size_t place = m->graph->node_count;
  for (size_t i = m->graph->node_count; i-- > 0;)
  {
    const uint32_t operation = m->graph->nodes[i].operation;
    if (!m->uses[i] || m->absorbed[i] || operation == ROBCOGEN_CONSTANT)
      continue;
    m->instructions[--place] = instruction_of(m, (uint32_t)i);
  }
  m->count = m->graph->node_count - place;
  memmove(m->instructions, m->instructions + place, m->count * sizeof(instruction));
  for (size_t i = 0; i < m->graph->node_count; ++i)
    m->of_node[i] = NONE;
  for (size_t i = 0; i < m->count; ++i)
    m->of_node[m->instructions[i].node] = (uint32_t)i;
}

static void enqueue(maker * m, uint32_t place)
{
  const uint32_t kind = m->instructions[place].kind;
  m->queues[kind][m->ended[kind]++] = place;
}

/* What an instruction waits for within its window. */
static void wait_for_operands(maker * m, size_t place, size_t window)
{
  m->pending[place] = 0;
  for (unsigned k = 0; k < 3; ++k)
  {
    const uint32_t node = m->instructions[place].operands[k];
    const uint32_t operand = node == NONE ? NONE : m->of_node[node];
    if (operand == NONE || operand < window)
      continue;
    const uint32_t link = (uint32_t)(3 * place + k);
    m->next_user[link] = m->users[operand];
    m->users[operand] = link;
    ++m->pending[place];
  }
}

static uint32_t longest_queue(const maker * m)
{
  uint32_t best = 0;
  for (uint32_t kind = 1; kind < KIND_COUNT; ++kind)
    if (m->ended[kind] - m->begun[kind] > m->ended[best] - m->begun[best])
      best = kind;
  return best;
}

/* Bring the instructions of a window into an order in which those of a kind are together. */
static void order_window(maker * m, size_t first, size_t end)
{
  memset(m->begun, 0, sizeof m->begun);
  memset(m->ended, 0, sizeof m->ended);
  for (size_t i = first; i < end; ++i)
    m->users[i] = NONE;
  for (size_t i = first; i < end; ++i)
    wait_for_operands(m, i, first);
  for (size_t i = first; i < end; ++i)
    if (!m->pending[i])
      enqueue(m, (uint32_t)i);
  for (size_t done = first; done < end;)
  {
    const uint32_t kind = longest_queue(m);
    while (m->begun[kind] < m->ended[kind])
    {
      const uint32_t place = m->queues[kind][m->begun[kind]++];
      m->ordered[done++] = m->instructions[place];
      for (uint32_t link = m->users[place]; link != NONE; link = m->next_user[link])
        if (!--m->pending[link / 3])
          enqueue(m, link / 3);
    }
  }
}

static void find_last_uses(maker * m)
{
  for (size_t i = 0; i < m->count; ++i)
    for (unsigned k = 0; k < 3; ++k)
      if (m->ordered[i].operands[k] != NONE)
        m->last[m->ordered[i].operands[k]] = (uint32_t)i;
  for (size_t i = 0; i < m->graph->entry_count; ++i)
    m->last[m->graph->entries[i].node] = NONE;
}

static uint64_t word(uint64_t first, uint64_t second, uint64_t third, uint64_t fourth)
{
  return first | second << 16 | third << 32 | fourth << 48;
}

static void emit(maker * m, uint64_t word)
{
  m->code->words[m->word_count++] = word;
}

/* The register of an operand; of a constant the one that holds it from the beginning. */
static uint32_t register_of(maker * m, uint32_t node)
{
  if (node == NONE)
    return 0;
  if (m->graph->nodes[node].operation != ROBCOGEN_CONSTANT)
    return m->of_node[node];
  return m->constant_registers[m->graph->nodes[node].operands[0]];
}

static void release(maker * m, uint32_t node, size_t place)
{
  if (node == NONE || m->last[node] != place)
    return;
  if (m->graph->nodes[node].operation == ROBCOGEN_CONSTANT)
    return;
  m->last[node] = NONE; /* an operand may stand twice */
  m->free[m->free_count++] = m->of_node[node];
}

static void emit_instruction(maker * m, size_t place)
{
  const instruction * each = m->ordered + place;
  uint32_t from[3];
  for (unsigned k = 0; k < 3; ++k)
    from[k] = register_of(m, each->operands[k]);
  for (unsigned k = 0; k < 3; ++k)
    release(m, each->operands[k], place);
  const uint32_t to = m->free_count ? m->free[--m->free_count] : (uint32_t)m->registers++;
  m->of_node[each->node] = to;
  if (each->kind == LOAD)
  {
    const uint32_t * operands = m->graph->nodes[each->node].operands;
    emit(m, word(to, operands[0], operands[1], 0));
  }
  else
  {
    emit(m, word(to, from[0], from[1], from[2]));
  }
}

static void emit_instructions(maker * m)
{
  for (size_t first = 0, end; first < m->count; first = end)
  {
    end = first + 1;
    while (end < m->count && m->ordered[end].kind == m->ordered[first].kind)
      ++end;
    emit(m, m->ordered[first].kind | (uint64_t)(end - first) << 16);
    for (size_t place = first; place < end; ++place)
      emit_instruction(m, place);
  }
}

static void emit_results(maker * m)
{
  const robcogen_graph * graph = m->graph;
  if (graph->entry_count)
    emit(m, STORE | (uint64_t)graph->entry_count << 16);
  for (size_t i = 0; i < graph->entry_count; ++i)
  {
    const robcogen_entry * entry = graph->entries + i;
    emit(m, word(register_of(m, entry->node), entry->result, entry->place, 0));
  }
  emit(m, END);
}

/* Constants that are needed, in the first registers. */
static void place_constants(maker * m)
{
  for (size_t i = 0; i < m->graph->constant_count; ++i)
    m->constant_registers[i] = NONE;
  for (size_t i = 0; i < m->graph->node_count; ++i)
  {
    const robcogen_node * node = m->graph->nodes + i;
    if (!m->uses[i] || node->operation != ROBCOGEN_CONSTANT)
      continue;
    uint32_t * place = m->constant_registers + node->operands[0];
    if (*place != NONE)
      continue;
    m->code->constants[m->registers] = m->graph->constants[node->operands[0]];
    *place = (uint32_t)m->registers++;
  }
  m->code->constant_count = m->registers;
}

static void make(maker * m)
{
  count_uses(m);
  place_constants(m);
  select_instructions(m);
  for (size_t first = 0; first < m->count; first += WINDOW)
    order_window(m, first, first + WINDOW < m->count ? first + WINDOW : m->count);
  find_last_uses(m);
  emit_instructions(m);
  emit_results(m);
  m->code->registers = m->registers;
}

void robcogen_interpreter_free(robcogen_code * code)
{
  if (!code)
    return;
  free(code->constants);
  free(code->words);
  free(code);
}

/* Memory for the parts of a maker and for its code; 0 where there is none. */
static int allocate(maker * m)
{
  const size_t n = m->graph->node_count + 1, words = 2 * n + m->graph->entry_count + 2;
  uint32_t ** const parts[] = {&m->uses,    &m->absorbed, &m->of_node, &m->last,
                               &m->pending, &m->users,    &m->free};
  const size_t count = sizeof parts / sizeof *parts;
  const size_t constants = m->graph->constant_count + 1;
  m->memory = calloc((count + 3) * n + constants, sizeof(uint32_t));
  m->instructions = calloc(2 * n, sizeof(instruction));
  m->code = calloc(1, sizeof(robcogen_code));
  if (!m->memory || !m->instructions || !m->code)
    return 0;
  for (size_t i = 0; i < count; ++i)
    *parts[i] = m->memory + i * n;
  m->next_user = m->memory + count * n;
  m->constant_registers = m->next_user + 3 * n;
  m->ordered = m->instructions + n;
  m->code->constants = calloc(constants, sizeof(double));
  m->code->words = calloc(words, sizeof(uint64_t));
  return m->code->constants && m->code->words;
}

robcogen_code * robcogen_interpreter_make(const robcogen_graph * graph, const char ** reason)
{
  *reason = fault_of(graph);
  if (*reason)
    return NULL;
  *reason = "there is no memory";
  maker * m = calloc(1, sizeof(maker));
  if (!m)
    return NULL;
  m->graph = graph;
  int made = allocate(m);
  if (made)
  {
    make(m);
    made = m->registers <= FIELDS;
    if (!made)
      *reason = "there are more than 65536 values at a time";
  }
  robcogen_code * code = m->code;
  free(m->memory);
  free(m->instructions);
  free(m);
  if (!made)
    robcogen_interpreter_free(code);
  return made ? code : NULL;
}
