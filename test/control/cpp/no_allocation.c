/* Runs a controller through modes and faults where each call of the allocator aborts. */
#include <dlfcn.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
  joints = 2
};

static int forbidden = 0;

void * __libc_malloc(size_t size);
void __libc_free(void * memory);

void * malloc(size_t size)
{
  if (forbidden)
  {
    abort();
  }
  return __libc_malloc(size);
}

void free(void * memory)
{
  if (forbidden)
  {
    abort();
  }
  __libc_free(memory);
}

static double random_value(void)
{
  return 4.0 * rand() / RAND_MAX - 2.0;
}

int main(int argc, char ** argv)
{
  void * library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (library == NULL)
  {
    return 1;
  }
  void * (*make)(const double *) = (void * (*)(const double *))dlsym(library, "session_new");
  void (*set)(void *, const double *, const double *) =
    (void (*)(void *, const double *, const double *))dlsym(library, "session_set");
  void (*activate)(void *) = (void (*)(void *))dlsym(library, "session_activate");
  int (*update)(void *, const double *, const double *, const double *, double, double *) =
    (int (*)(void *, const double *, const double *, const double *, double, double *))dlsym(
      library, "session_update");
  void (*parting)(void *, int, double *) =
    (void (*)(void *, int, double *))dlsym(library, "session_parting");

  const double behaviour[] = {0.01, 3.0, 10.0, 1.0, 0.0, 1.0};
  void * session = make(behaviour);
  const double gravity[] = {1.0, 2.0, -9.0};
  double command[2 * joints + 2];
  long cycles = 0;
  forbidden = 1;
  for (int mode = 0; mode < 5; ++mode)
  {
    const double settings[] = {mode, 1.0, 1.0, 100.0, 80.0, 20.0, 15.0, 30.0, 3.0};
    set(session, settings, mode % 2 ? gravity : NULL);
    activate(session);
    for (int i = 0; i < 2000; ++i)
    {
      double numbers[6 * joints];
      for (int k = 0; k < 6 * joints; ++k)
      {
        numbers[k] = rand() % 40 == 0 ? NAN : random_value();
      }
      update(
        session, numbers, numbers + joints, numbers + 2 * joints, i % 50 ? 0.001 : 0.5, command);
      for (int k = 0; k < joints; ++k)
      {
        cycles += isfinite(command[k]) != 0;
      }
      if (i % 100 == 0)
      {
        parting(session, i / 100 % 3, command);
        activate(session);
      }
    }
  }
  forbidden = 0;
  printf("%ld finite efforts\n", cycles);
  return 0;
}
