/* Runs a compiled program and prints what it printed, as MLIR's runner library would.
 *
 * The symbols below are defined by the object files that are linked with this one.
 */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern const double mg_constants[];
extern const uint64_t mg_arena_bytes;  /* of scratch memory, a multiple of the alignment */
extern const uint64_t mg_output_bytes; /* of all printed values, likewise */
extern const uint64_t mg_output_count;
extern const uint64_t mg_outputs[]; /* of each printed value: byte offset, rank, sizes */
extern const char mg_trap[];        /* why the program stops after its last print, or "" */
void mg_main(void *arena, const double *constants, char *output);

enum { ALIGNMENT = 64 };

static void *allocate(uint64_t bytes) {
  void *memory = aligned_alloc(ALIGNMENT, bytes ? bytes : ALIGNMENT);
  if (!memory) {
    fprintf(stderr, "error: %" PRIu64 " bytes of memory are not available\n", bytes);
    exit(1);
  }
  return memory;
}

static void print_numbers(const uint64_t *numbers, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    printf(i ? ", %" PRIu64 : "%" PRIu64, numbers[i]);
  }
}

/* Prints the elements below one axis and returns the first one after them. */
static const double *print_axis(const double *element, const uint64_t *sizes, uint64_t rank,
                                uint64_t axis) {
  if (axis == rank) {
    if (isnan(*element)) { /* not every C library shows the sign */
      fputs(signbit(*element) ? "-nan" : "nan", stdout);
    } else {
      printf("%.6g", *element);
    }
    return element + 1;
  }
  putchar('[');
  for (uint64_t i = 0; i < sizes[axis]; i++) {
    if (i) {
      printf(axis + 1 < rank ? ", \n%*s" : ", %*s", (int)axis + 1, "");
    }
    element = print_axis(element, sizes, rank, axis + 1);
  }
  putchar(']');
  return element;
}

static void print_value(const double *value, const uint64_t *sizes, uint64_t rank) {
  uint64_t strides[rank];
  strides[rank - 1] = 1;
  for (uint64_t axis = rank - 1; axis > 0; axis--) {
    strides[axis - 1] = strides[axis] * sizes[axis];
  }
  printf("Unranked Memref base@ = 0x%" PRIxPTR " rank = %" PRIu64 " offset = 0 sizes = [",
         (uintptr_t)value, rank);
  print_numbers(sizes, rank);
  printf("] strides = [");
  print_numbers(strides, rank);
  printf("] data = \n");
  print_axis(value, sizes, rank, 0);
  putchar('\n');
}

int main(void) {
  void *arena = allocate(mg_arena_bytes);
  char *output = allocate(mg_output_bytes);
  mg_main(arena, mg_constants, output);
  const uint64_t *row = mg_outputs;
  for (uint64_t i = 0; i < mg_output_count; i++) {
    print_value((const double *)(output + row[0]), row + 2, row[1]);
    row += 2 + row[1];
  }
  if (fflush(stdout) || ferror(stdout)) {
    perror("error: standard output");
    return 1;
  }
  if (mg_trap[0]) {
    fprintf(stderr, "%s\n", mg_trap);
    return 1;
  }
  return 0;
}
